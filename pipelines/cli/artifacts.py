"""``designer artifacts`` and ``designer gc``: what steps made, is it whole, and freeing room."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    bytes_text,
    console,
    print_json,
    print_table,
    time_text,
    told,
)

if TYPE_CHECKING:
    from pipelines.store.artifacts import ArtifactRecord

app = typer.Typer(help="Look at stored outputs and verify them.", no_args_is_help=True)
ArtifactArgument = Annotated[
    str | None, typer.Argument(help="An artifact's id or the beginning of one; all if not given.")
]


@app.command()
def show(
    artifact: ArtifactArgument = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """List artifacts, or the manifests of one."""
    from modules.artifacts import read_json
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        found = [each for each in runs.artifacts.index.all() if each.id.startswith(artifact or "")]
        if artifact and not found:
            raise LookupError(f"No artifact's id begins with {artifact!r}: see `artifacts show`.")
    if as_json or len(found) == 1:
        manifests = {
            each.id: {
                path.parent.name: read_json(path)
                for path in sorted((runs.artifacts.root / each.id).glob("*/manifest.json"))
            }
            for each in found
        }
        listed = [{**asdict(each), "ports": manifests[each.id]} for each in found]
        print_json({"artifacts": listed} if as_json and not artifact else listed[0])
        return
    rows = (
        [a.id, a.node, a.run_id, bytes_text(a.num_bytes), _state(a), time_text(a.created)]
        for a in found
    )
    columns = ("Artifact", "Node", "Run", "Size", "", "Made")
    print_table(columns, rows, "No artifacts yet: runs make them.")


def _state(artifact: ArtifactRecord) -> str:
    return "damaged" if artifact.damaged else ""


@app.command()
def verify(
    artifact: ArtifactArgument = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hash every file again. Damaged artifacts are never used; the next run makes them anew."""
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        found = [each for each in runs.artifacts.index.all() if each.id.startswith(artifact or "")]
        damages = [damage for each in found for damage in runs.artifacts.verify(each.id)]
    if as_json:
        print_json({"verified": len(found), "damages": [asdict(each) for each in damages]})
    else:
        for damage in damages:
            place = f"{damage.artifact_id}/{damage.port}"
            console().print(f"damaged {place}: {damage.message}", style="red", markup=False)
        bad = len({damage.artifact_id for damage in damages})
        cure = " Run their pipelines again: the next run makes them anew." if bad else ""
        console().print(f"{len(found) - bad} of {len(found)} artifacts are whole.{cure}")
    raise typer.Exit(1 if damages else 0)


def gc(
    workspace: WorkspaceOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Free what no run, model or dataset refers to, and what broken steps left behind."""
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        with runs.sweeping() as alone:
            if not alone:
                raise ValueError("A run is under way: wait for its end, or cancel it, then again.")
            sweep = runs.artifacts.sweep(dry_run=dry_run)
    if as_json:
        print_json({"dry_run": dry_run, **asdict(sweep)})
        return
    verb = "Would free" if dry_run else "Freed"
    things = len(sweep.artifact_ids) + len(sweep.leftovers)
    console().print(f"{verb} {bytes_text(sweep.num_bytes)}: {things} folders nobody refers to.")
