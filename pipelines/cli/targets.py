"""``designer target``: compute targets and their resources."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes, format_cost
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table
from pipelines.errors import InUseError, RefusedError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from pipelines.document.target_offer import TargetOffer
    from pipelines.targets.finding import Finding

app = typer.Typer(help="Manage compute targets.", no_args_is_help=True)


@app.command("list")
@command
def list_targets(context: CommandContext) -> Answer:
    """List the compute targets and their resources."""
    offers = list(context.session.targets.offers().values())
    return Answer(
        {"targets": offers},
        partial(print_table, _columns(), map(_row, offers), _("No compute targets found.")),
    )


def _columns() -> tuple[str, ...]:
    return (
        _("Target"),
        _("Machines"),
        _("Processes per machine"),
        _("GPUs per machine"),
        _("Memory"),
        "",
    )


def _row(offer: TargetOffer) -> tuple[object, ...]:
    memory = format_bytes(offer.memory_bytes) if offer.memory_bytes else ""
    kind = _("simulated on this machine") if offer.simulated else offer.kind
    gpus = offer.gpus if offer.reports_gpus else ""
    return (offer.name, offer.max_nodes, offer.processes_per_node, gpus, memory, kind)


@app.command()
@command
def add(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Name of the target.")],
    kind: Annotated[
        str,
        typer.Option(
            help="local (this machine), slurm, ray, ssh, kubernetes, or a kind from a package."
        ),
    ] = "local",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting: NAME=VALUE. Repeatable.")
    ] = None,
    simulated_nodes: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Number of simulated machines."),
    ] = None,
) -> Answer:
    """Add a compute target: simulated machines on this one, or a cluster."""
    values = dict(map(_setting, settings or []))
    if simulated_nodes is not None:
        values["simulated_nodes"] = str(simulated_nodes)
    context.session.targets.add(name, kind, values)
    record = context.session.targets.record(name)
    return Answer(
        asdict(record),
        _(
            "Added {name}. Choose it in the settings of a pipeline or the run settings of a node.",
            name=name,
        ),
    )


def _setting(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise RefusedError(refusals.TARGET_SETTING_FORM, text=text)
    return name.strip(), value.strip()


@app.command()
@command
def show(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Name of the target.")],
    manifest: Annotated[
        bool, typer.Option("--manifest", help="Show the Kubernetes manifests of a step as YAML.")
    ] = False,
) -> Answer:
    """Show the kind, settings and resources of a target."""
    record = context.session.targets.record(name)
    if manifest:
        import yaml

        manifests = context.session.targets.manifests(name, context.workspace)
        return Answer(
            {"manifests": manifests}, yaml.safe_dump_all(manifests, sort_keys=False).rstrip()
        )
    offer = context.session.targets.offers().get(name)
    settings = [*record.settings.items()] or [(_("settings"), _("none"))]
    rows = [(_("kind"), record.kind), *settings, *_offered(offer)]
    return Answer({**asdict(record), "offer": offer}, partial(print_table, ("", name), rows, ""))


def _offered(offer: TargetOffer | None) -> list[tuple[str, object]]:
    if offer is None:
        return [(_("resources"), _("unknown: its settings are invalid"))]
    gpus = _(", {count} GPUs each", count=offer.gpus) if offer.reports_gpus else ""
    resources = _(
        "{machines} machines, {processes} processes each{gpus}",
        machines=offer.max_nodes,
        processes=offer.processes_per_node,
        gpus=gpus,
    )
    price = offer.price_per_hour
    return [
        (_("resources"), resources),
        *([] if price is None else [(_("price per machine and hour"), format_cost(price))]),
        *([(_("machines"), _("preemptible"))] if offer.is_preemptible else []),
    ]


@app.command()
@command
def remove(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Name of a target that was added.")],
    even_if_used: Annotated[
        bool, typer.Option("--even-if-used", help="Remove it even if saved pipelines use it.")
    ] = False,
) -> Answer:
    """Remove a compute target. Its runs are kept."""
    used = context.session.pipelines.using_target(name)
    if used and not even_if_used:
        raise InUseError(refusals.TARGET_IN_USE, name, [row.id for row in used])
    context.session.targets.remove(name)
    return Answer({"removed": name}, _("Removed {name}.", name=name))


@app.command()
@command
def check(
    context: CommandContext, name: Annotated[str, typer.Argument(help="Name of the target.")]
) -> Answer:
    """Check a target and show how to fix problems."""
    findings = list(context.session.targets.check(name, context.workspace))
    ok = all(finding.ok for finding in findings)
    report = {"ok": ok, "findings": findings}
    rows = [
        (_("ok") if finding.ok else _("FAILED"), finding.name, _result_text(finding))
        for finding in findings
    ]
    return Answer(
        report, partial(print_table, ("", _("Check"), _("Result")), rows, ""), 0 if ok else 1
    )


def _result_text(finding: Finding) -> str:
    return f"{finding.message} {finding.cure}".strip()
