"""``designer replay``: one file a run, that plays back where there is no data and no GPU."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    bytes_text,
    console,
    facts,
    print_json,
    print_table,
    seconds_text,
    time_text,
    told,
)

if TYPE_CHECKING:
    from pipelines.replay.archive import OpenReplay
    from pipelines.replay.library import ReplayShelf

app = typer.Typer(help="Save runs as files that play back, and open them.", no_args_is_help=True)
ReplayArgument = Annotated[
    str, typer.Argument(help="A replay's id, the beginning of one, or a .replay file.")
]


@app.command()
def export(
    run: Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="By default <run>.replay.")
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Save a finished run as one file: graph, events, curves, ends of logs, small previews."""
    from pipelines.replay import library
    from pipelines.replay.archive import write_file
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace))
        runs.refresh()
        record = runs.find(run)
        path = output or Path(f"{record.id}.replay")
        content = library.export(runs, record.id)
        write_file(content, path)
    if as_json:
        print_json({"run_id": record.id, "file": str(path), "num_bytes": len(content)})
        return
    console().print(f"Saved {path} ({bytes_text(len(content))}).", markup=False)
    console().print(f"Play it: designer replay open {path}", markup=False)


@app.command("open")
def open_(
    file: Annotated[Path, typer.Argument(help="A .replay file.")],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a replay file and add it to the workspace, apart from its runs."""
    with told(as_json=as_json):
        shelf = _shelf(workspace)
        replay_id = shelf.add_file(file)
        opened = shelf.open(replay_id)
    if as_json:
        print_json({"replay_id": replay_id, **_summary(opened)})
        return
    console().print(f"Added {replay_id}: {opened.replay.run.name}", markup=False)
    console().print("Play it: designer app, then Home, then Replays.")


@app.command("list")
def list_replays(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The replays of the workspace, then those of the lessons."""
    with told(as_json=as_json):
        found = _shelf(workspace).all()
    if as_json:
        print_json({"replays": [asdict(each) for each in found]})
        return
    columns = ("Replay", "Name", "Status", "Recorded", "Time", "Size")
    rows = (
        [
            each.id,
            each.name,
            each.damage or each.status,
            time_text(each.created),
            seconds_text(each.seconds),
            bytes_text(each.num_bytes),
        ]
        for each in found
    )
    print_table(columns, rows, "No replays yet: `designer replay open FILE` adds one.")


@app.command()
def show(
    replay: ReplayArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """What a replay tells: its run, where it was made, each node's status and output."""
    from pipelines.replay.archive import read_file, unpack

    with told(as_json=as_json):
        shelf = _shelf(workspace)
        is_file = Path(replay).suffix == ".replay" or Path(replay).is_file()
        opened = unpack(read_file(Path(replay))) if is_file else shelf.open(shelf.find(replay))
    if as_json:
        print_json({**_summary(opened), **opened.replay.model_dump(mode="json")})
        return
    summary = _summary(opened)
    facts((name, summary[name]) for name in ("name", "run_id", "status", "made_on"))
    rows = (
        [node, each["status"], seconds_text(each["seconds"]), each["summary"]]
        for node, each in summary["nodes"].items()
    )
    print_table(("Node", "Status", "Time", "Result"), rows, "The run had no nodes.")


@app.command()
def record(
    lesson: Annotated[
        list[str] | None, typer.Argument(help="Names of lessons, say 01-digits; all if not given.")
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run lessons and keep their replays beside them, for the gallery on Home."""
    from pipelines.replay.lesson_recordings import chosen, record_lesson
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    with told(as_json=as_json):
        runs = Runs(Workspace.at(workspace).make())
        wanted = chosen(lesson or [])
    done: dict[str, str] = {}
    for each in wanted:
        try:
            path = record_lesson(runs, each)
            done[each.slug] = f"recorded ({bytes_text(path.stat().st_size)})"
        except ValueError as error:
            done[each.slug] = f"not recorded: {error}"
    if as_json:
        print_json(done)
    else:
        facts(done.items())


def _shelf(workspace: Path | None) -> ReplayShelf:
    from pipelines.replay.library import ReplayShelf
    from pipelines.workspace import Workspace

    return ReplayShelf(Workspace.at(workspace))


def _summary(opened: OpenReplay) -> dict[str, Any]:
    state = opened.state()
    made = opened.replay.environment
    return {
        "name": opened.replay.run.name,
        "run_id": opened.replay.run.id,
        "status": state.status,
        "seconds": state.seconds,
        "made_on": f"{made.platform}, {made.cores} cores, Python {made.python}, "
        f"torch {made.libraries.get('torch', 'unknown')}",
        "nodes": {
            node: {"status": step.status, "seconds": step.seconds, "summary": step.summary}
            for node, step in state.steps.items()
        },
    }
