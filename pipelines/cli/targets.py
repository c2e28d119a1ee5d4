"""``designer target``: where nodes can run, and what is offered there."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from modules.formatting import format_bytes, format_seconds
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_table
from pipelines.errors import InUseError, NotFoundError, RefusedError
from pipelines.sentences import refusals

if TYPE_CHECKING:
    from pipelines.targets.offer import TargetOffer

app = typer.Typer(help="Compute targets: where nodes run.", no_args_is_help=True)
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
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
    return (offer.name, offer.max_nodes, offer.processes_per_node, offer.gpus, memory, kind)


@app.command()
@command
def add(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help="Its name in pipelines.")],
    simulated_nodes: Annotated[
        int, typer.Option(min=1, max=64, help="Processes of this machine that act as machines.")
    ],
) -> Answer:
    """Add a target: this machine as so many simulated nodes."""
    if NAME.fullmatch(name) is None:
        raise RefusedError(refusals.NO_TARGET_NAME, text=name)
    settings = {"simulated_nodes": simulated_nodes}
    context.session.targets.add(name, "local", settings)
    return Answer(
        {"name": name, "kind": "local", "settings": settings},
        f"Added {name}: choose it in a node's run settings.",
    )


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
    """Start a process there and hear from it."""
    from pipelines.targets.probe import check_local

    offer = context.session.targets.offers().get(name)
    if offer is None:
        raise NotFoundError(refusals.NO_TARGET, target=name)
    report = check_local(context.workspace)
    return Answer(
        {"target": offer.to_json(), **report},
        f"{name} answers in {format_seconds(report['seconds'])}: torch {report['torch']}.",
    )
