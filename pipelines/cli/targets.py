"""``designer target``: where nodes can run, and what is offered there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    bytes_text,
    console,
    print_json,
    print_table,
    told,
)

if TYPE_CHECKING:
    from pipelines.targets.offer import TargetOffer

app = typer.Typer(help="Compute targets: where nodes run.", no_args_is_help=True)
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@app.command("list")
def list_targets(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The compute targets and what each offers."""
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        offers = list(Runs(Workspace.at(workspace)).offers().values())
    if as_json:
        print_json({"targets": [offer.to_json() for offer in offers]})
        return
    columns = ("Target", "Nodes", "Processes a node", "GPUs a node", "Memory", "")
    print_table(columns, map(_row, offers), "There are no targets.")


def _row(offer: TargetOffer) -> tuple[object, ...]:
    memory = bytes_text(offer.memory_bytes) if offer.memory_bytes else ""
    kind = "simulated on this machine" if offer.simulated else offer.kind
    return (offer.name, offer.max_nodes, offer.processes_per_node, offer.gpus, memory, kind)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Its name in pipelines.")],
    simulated_nodes: Annotated[
        int, typer.Option(min=1, max=64, help="Processes of this machine that act as nodes.")
    ],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a target: this machine as so many simulated nodes."""
    from pipelines.store.database import Database
    from pipelines.store.targets import TargetStore
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        if NAME.fullmatch(name) is None:
            raise ValueError(f"{name!r} is no name: use small letters, digits, - and _.")
        database = Database.open(Workspace.at(workspace))
        settings = {"simulated_nodes": simulated_nodes}
        TargetStore(database).add(name, "local", settings)
    if as_json:
        print_json({"name": name, "kind": "local", "settings": settings})
    else:
        console().print(f"Added {name}: choose it in a node's run settings.")


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="A target that was added.")],
    even_if_used: Annotated[
        bool, typer.Option("--even-if-used", help="Also where saved pipelines use it.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove a target that was added; runs that used it stay as they are."""
    from pipelines.registry.pipelines import SavedPipelines
    from pipelines.runs.run_service import Runs
    from pipelines.store.targets import TargetStore
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        used = SavedPipelines(runs.database, lambda: runs.catalog).using_target(name)
        if used and not even_if_used:
            ids = ", ".join(row.id for row in used[:10])
            raise ValueError(
                f"{name!r} is the target of {len(used)} saved pipelines ({ids}): choose another "
                "target there, or add --even-if-used."
            )
        TargetStore(runs.database).remove(name)
    if as_json:
        print_json({"removed": name})
    else:
        console().print(f"Removed {name}.")


@app.command()
def check(
    name: Annotated[str, typer.Argument(help="The target to try.")],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start a process there and hear from it."""
    from pipelines.runs.run_service import Runs
    from pipelines.targets.probe import check_local
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        offer = runs.offers().get(name)
        if offer is None:
            raise LookupError(f"There is no target {name!r}: see `designer target list`.")
        report = check_local(runs.workspace)
    if as_json:
        print_json({"target": offer.to_json(), **report})
    else:
        console().print(f"{name} answers in {report['seconds']:.1f} s: torch {report['torch']}.")
