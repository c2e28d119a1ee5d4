"""``designer endpoints``: deployed models, and the keys of programs that call them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import confirm, print_facts, print_table, time_text
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.registry.caller_keys import CallerKeys, KeyEntry
    from pipelines.registry.endpoints import DeployedEndpoint
    from pipelines.store.database.endpoints import ChallengerReport, RuntimeReport

app = typer.Typer(help="Manage endpoints and the keys of their callers.", no_args_is_help=True)
EndpointArgument = Annotated[str, typer.Argument(help="The endpoint's name.")]
SlotArgument = Annotated[int, typer.Argument(help="Key 1 or 2.")]


def keys_of(context: CommandContext, kind: str, name: str) -> CallerKeys:
    """Return the keys of an endpoint or a published pipeline."""
    from pipelines.registry.caller_keys import CallerKeys

    return CallerKeys(context.session.database, f"{kind}:{name}")


def print_keys(keys: Sequence[KeyEntry]) -> None:
    """Print the stored keys without their secret."""
    rows = ((key.slot, time_text(key.created), key.digest_start) for key in keys)
    columns = (_("Key"), _("Created"), _("Hash starts with"))
    print_table(columns, rows, _("No keys yet."))


def new_key_answer(name: str, slot: int, key: str) -> Answer:
    """Return the answer with a new key, the only one that shows it."""
    text = _("Key {slot} of {name}: {key}", slot=slot, name=name, key=key)
    notice = _("It is shown only once. Callers send it as Authorization: Bearer KEY.")
    return Answer({"name": name, "slot": slot, "key": key}, f"{text}\n{notice}")


@app.command()
@command
def deploy(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Name of the new endpoint.")],
    model: Annotated[
        str, typer.Argument(help="NAME@VERSION, or NAME@ALIAS or NAME, which it then follows.")
    ],
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="By default the first free one from 8600.")
    ] = None,
    golden: Annotated[
        Path | None,
        typer.Option(help="Folder of known images, one folder for each class, for new versions."),
    ] = None,
) -> Answer:
    """Serve a model in the background: the runner keeps its process and restarts it."""
    endpoint = context.session.endpoints.deploy(name, model, port=port, golden=golden)
    context.session.runner.ensure()
    return _shown(endpoint)


def _shown(endpoint: DeployedEndpoint) -> Answer:
    return Answer(_content(endpoint), partial(_print_one, endpoint))


def _content(endpoint: DeployedEndpoint) -> Mapping[str, object]:
    return {
        "name": endpoint.name,
        "address": endpoint.address,
        "state": endpoint.state,
        **endpoint.settings.model_dump(),
        "process": dict(endpoint.process),
        "served": None if endpoint.served is None else dict(endpoint.served),
    }


def _print_one(endpoint: DeployedEndpoint) -> None:
    served = endpoint.served or {}
    print_facts(
        [
            (_("Endpoint"), endpoint.name),
            (_("Address"), f"{endpoint.address}/score"),
            (_("Model"), endpoint.settings.model),
            (_("State"), endpoint.state),
            (_("Served version"), served.get("model") or ""),
            (_("Runtime"), _runtime(served.get("runtime"))),
            (_("Requests"), f"{served.get('requests', 0):,}"),
            *_compared(served.get("challenger")),
            (_("Problem"), served.get("reason") or served.get("last_problem") or ""),
        ]
    )


def _runtime(report: RuntimeReport | None) -> str:
    """Return the runtime that computes, and why it is torch."""
    if report is None:
        return ""
    facts = {"runtime": report["name"], "reason": report["reason"]}
    return _("{runtime} ({reason})", **facts) if report["reason"] else report["name"]


def _compared(challenger: ChallengerReport | None) -> list[tuple[str, str]]:
    if challenger is None:
        return []
    facts = {"model": challenger["model"], "percent": challenger["percent"]}
    text = _("{model}, {percent:g} % of the requests", **facts)
    if challenger["agreement"] is not None:
        share, count = 100 * challenger["agreement"], challenger["compared"]
        text += _("; same label for {share:.1f} % of {count:,}", share=share, count=count)
    return [(_("Second version"), text)]


@app.command("list")
@command
def list_endpoints(context: CommandContext) -> Answer:
    """List the deployed endpoints and their state."""
    endpoints = context.refreshed_session.endpoints.all()
    content = {"endpoints": [_content(endpoint) for endpoint in endpoints]}
    return Answer(content, partial(_print_all, endpoints))


def _print_all(endpoints: Sequence[DeployedEndpoint]) -> None:
    rows = (
        (
            endpoint.name,
            endpoint.state,
            (endpoint.served or {}).get("model") or endpoint.settings.model,
            endpoint.address,
            f"{(endpoint.served or {}).get('requests', 0):,}",
        )
        for endpoint in endpoints
    )
    columns = (_("Endpoint"), _("State"), _("Model"), _("Address"), _("Requests"))
    print_table(columns, rows, _("No endpoints yet."))


@app.command()
@command
def show(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """Show the state of an endpoint and what it serves."""
    return _shown(context.refreshed_session.endpoints.find(endpoint))


@app.command()
@command
def swap(
    context: CommandContext,
    endpoint: EndpointArgument,
    model: Annotated[str, typer.Argument(help="NAME@VERSION, NAME@ALIAS or NAME.")],
) -> Answer:
    """Serve another version or alias, without a failed request.

    It is loaded and checked first; if it is rejected, the current one stays.
    """
    return _shown(context.session.endpoints.swap(endpoint, model))


@app.command()
@command
def compare(
    context: CommandContext,
    endpoint: EndpointArgument,
    model: Annotated[
        str | None, typer.Argument(help="Second version or alias. Without it, it is removed.")
    ] = None,
    percent: Annotated[
        float, typer.Option(help="Share of the requests that it answers. 0: it only compares.")
    ] = 0.0,
) -> Answer:
    """Add a second version, which answers a share of the requests or only compares.

    `endpoints show` shows how often both give the same label.
    """
    return _shown(context.session.endpoints.challenge(endpoint, model, percent))


@app.command()
@command
def rollback(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """Return to the version that was served before."""
    return _shown(context.session.endpoints.rollback(endpoint))


@app.command()
@command
def stop(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """Stop an endpoint. It keeps its port and keys."""
    return _shown(context.session.endpoints.stop(endpoint))


@app.command()
@command
def start(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """Start a stopped or failed endpoint."""
    started = context.session.endpoints.start(endpoint)
    context.session.runner.ensure()
    return _shown(started)


@app.command()
@command
def remove(
    context: CommandContext,
    endpoint: EndpointArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> Answer:
    """Remove an endpoint with its keys. The model stays."""
    context.session.endpoints.find(endpoint)
    confirm(_("Remove {name}?", name=endpoint), yes=yes, as_json=context.as_json)
    context.session.endpoints.remove(endpoint)
    return Answer({"name": endpoint, "removed": True}, _("{name} was removed.", name=endpoint))


@app.command()
@command
def logs(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """Print the log of an endpoint's process."""
    from pipelines.automation.endpoint_keeper import endpoint_log

    context.session.endpoints.find(endpoint)
    path = endpoint_log(context.workspace, endpoint)
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    return Answer({"name": endpoint, "log": text}, text or _("No output yet."))


@app.command()
@command
def files(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """Print a systemd unit and a Dockerfile that run an endpoint without the runner."""
    from pipelines.registry.endpoint_files import dockerfile, systemd_unit
    from pipelines.store.artifacts.cache_keys import library_version

    deployed = context.session.endpoints.find(endpoint)
    content = {
        "systemd": systemd_unit(deployed, context.workspace.root),
        "dockerfile": dockerfile(deployed, library_version("pipeline-designer")),
    }
    return Answer(content, "\n".join(content.values()))


@app.command("keys")
@command
def list_keys(context: CommandContext, endpoint: EndpointArgument) -> Answer:
    """List the keys of an endpoint, without their secret."""
    keys = keys_of(context, "endpoint", endpoint).all()
    return Answer({"name": endpoint, "keys": keys}, partial(print_keys, keys))


@app.command()
@command
def rotate(context: CommandContext, endpoint: EndpointArgument, slot: SlotArgument) -> Answer:
    """Create or replace a key of an endpoint. Callers with the other key are not affected.

    A running endpoint notices within a second.
    """
    key = keys_of(context, "endpoint", endpoint).rotate(slot)
    return new_key_answer(endpoint, slot, key)


@app.command()
@command
def revoke(context: CommandContext, endpoint: EndpointArgument, slot: SlotArgument) -> Answer:
    """Remove a key of an endpoint."""
    keys_of(context, "endpoint", endpoint).remove(slot)
    return Answer(
        {"name": endpoint, "slot": slot, "revoked": True},
        _("Key {slot} of {name} was removed.", slot=slot, name=endpoint),
    )
