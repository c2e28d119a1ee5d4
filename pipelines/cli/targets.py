"""``designer target``: where nodes can run, and what is offered there."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes, format_cost
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table
from pipelines.errors import InUseError, RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.targets.finding import Finding
    from pipelines.targets.offer import TargetOffer

app = typer.Typer(help="Compute targets: where nodes run.", no_args_is_help=True)
COLUMNS = ("Target", "Machines", "Processes a machine", "GPUs a machine", "Memory", "")


@app.command("list")
@command
def list_targets(context: CommandContext) -> Answer:
    """The compute targets and what each offers."""
    offers = list(context.session.targets.offers().values())
    return Answer(
        {"targets": [offer.to_json() for offer in offers]},
        partial(print_table, COLUMNS, map(_row, offers), "There are no targets."),
    )


def _row(offer: TargetOffer) -> tuple[object, ...]:
    memory = format_bytes(offer.memory_bytes) if offer.memory_bytes else ""
    kind = "simulated on this machine" if offer.simulated else offer.kind
    gpus = offer.gpus if offer.tells_gpus else ""
    return (offer.name, offer.max_nodes, offer.processes_per_node, gpus, memory, kind)


@app.command()
@command
def add(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Its name in pipelines.")],
    kind: Annotated[
        str,
        typer.Option(
            help="local: this machine; slurm, ray, ssh, kubernetes, or a kind that a package adds."
        ),
    ] = "local",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of its kind: NAME=VALUE.")
    ] = None,
    simulated_nodes: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Processes that act as machines."),
    ] = None,
) -> Answer:
    """Add a target: this machine as so many simulated ones, or a cluster."""
    given = dict(map(_setting, settings or []))
    if simulated_nodes is not None:
        given["simulated_nodes"] = str(simulated_nodes)
    context.session.targets.add(name, kind, given)
    record = context.session.targets.record(name)
    return Answer(
        asdict(record),
        f"Added {name}: choose it in a pipeline's settings or in a node's run settings.",
    )


def _setting(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name:
        raise RefusedError(refusals.TARGET_SETTING_FORM, text=text)
    return name.strip(), value.strip()


@app.command()
@command
def show(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="A target.")],
    manifest: Annotated[
        bool, typer.Option("--manifest", help="What Kubernetes is given for a step there, as YAML.")
    ] = False,
) -> Answer:
    """A target's kind and settings, and what it offers."""
    record = context.session.targets.record(name)
    if manifest:
        import yaml

        made = context.session.targets.manifests(name, context.workspace)
        return Answer({"manifests": made}, yaml.safe_dump_all(made, sort_keys=False).rstrip())
    offer = context.session.targets.offers().get(name)
    offered = offer.to_json() if offer else None
    settings = [*record.settings.items()] or [("no settings", "")]
    rows = [("kind", record.kind), *settings, *_offered(offer)]
    return Answer({**asdict(record), "offer": offered}, partial(print_table, ("", name), rows, ""))


def _offered(offer: TargetOffer | None) -> list[tuple[str, object]]:
    if offer is None:
        return [("offers", "nothing: its settings cannot be read")]
    processes = f"{offer.processes_per_node} processes each"
    gpus = f", {offer.gpus} GPUs each" if offer.tells_gpus else ""
    price = offer.price_per_hour
    return [
        ("offers", f"{offer.max_nodes} machines, {processes}{gpus}"),
        *([] if price is None else [("a machine an hour", format_cost(price))]),
        *([("machines", "may be taken away")] if offer.is_preemptible else []),
    ]


@app.command()
@command
def remove(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="A target that was added.")],
    even_if_used: Annotated[
        bool, typer.Option("--even-if-used", help="Also where saved pipelines use it.")
    ] = False,
) -> Answer:
    """Remove a target that was added; runs that used it stay as they are."""
    used = context.session.pipelines.using_target(name)
    if used and not even_if_used:
        raise InUseError(refusals.TARGET_IN_USE, name, [row.id for row in used])
    context.session.targets.remove(name)
    return Answer({"removed": name}, f"Removed {name}.")


@app.command()
@command
def check(
    context: CommandContext, name: Annotated[str, typer.Argument(help="The target to try.")]
) -> Answer:
    """Try a target: each thing that must work there, with its cure where it does not."""
    findings = list(context.session.targets.check(name, context.workspace))
    ok = all(each.ok for each in findings)
    report = {"ok": ok, "findings": [each.to_json() for each in findings]}
    rows = [("ok" if each.ok else "FAILED", each.name, _said(each)) for each in findings]
    return Answer(report, partial(print_table, ("", "Tried", "Found"), rows, ""), 0 if ok else 1)


def _said(finding: Finding) -> str:
    return f"{finding.message} {finding.cure}".strip()
