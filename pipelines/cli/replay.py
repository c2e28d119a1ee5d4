"""``designer replay``: recordings of runs that play back without data or a GPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from modules.formatting import format_bytes
from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import print_facts, print_table, seconds_text, time_text
from pipelines.sentences import _
from pipelines.sentences.status_words import status_words

if TYPE_CHECKING:
    from pipelines.replay.archive import OpenReplay
    from pipelines.replay.library import ReplayEntry, ReplayShelf

app = typer.Typer(help="Export runs as replay files and open them.", no_args_is_help=True)
ReplayArgument = Annotated[
    str, typer.Argument(help="A replay's ID, its first characters, or a .replay file.")
]


@app.command()
@command
def export(
    context: CommandContext,
    run: Annotated[
        str, typer.Argument(help="A run's ID, its first or last characters, or `last`.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Output file. Default: <run>.replay.")
    ] = None,
) -> Answer:
    """Export a finished run as one file: graph, events, curves, log tails and small previews."""
    from pipelines.replay import library
    from pipelines.replay.archive import write_file

    runs = context.refreshed_runs
    record = runs.find(run)
    path = output or Path(f"{record.id}.replay")
    content = library.export(runs, record.id)
    write_file(content, path)
    return Answer(
        {"run_id": record.id, "file": str(path), "num_bytes": len(content)},
        _(
            "Saved {path} ({size}).\nTo play it: designer replay open {path}",
            path=path,
            size=format_bytes(len(content)),
        ),
    )


@app.command("open")
@command
def open_(
    context: CommandContext, file: Annotated[Path, typer.Argument(help="A .replay file.")]
) -> Answer:
    """Check a replay file and add it to the workspace. Its run is not added."""
    shelf = _shelf(context)
    replay_id = shelf.add_file(file)
    opened = shelf.open(replay_id)
    return Answer(
        {"replay_id": replay_id, **_summary(opened)},
        _(
            "Added {replay}: {name}\nTo play it, start `designer app` and choose it on Home "
            "under Replays.",
            replay=replay_id,
            name=opened.replay.run.name,
        ),
    )


@app.command("list")
@command
def list_replays(context: CommandContext) -> Answer:
    """List the replays of the workspace and of the lessons."""
    entries = _shelf(context).all()
    return Answer(
        {"replays": [asdict(entry) for entry in entries]}, partial(_print_replays, entries)
    )


def _print_replays(entries: Sequence[ReplayEntry]) -> None:
    columns = (_("Replay"), _("Name"), _("Status"), _("Recorded"), _("Time"), _("Size"))
    rows = (
        [
            entry.id,
            entry.name,
            entry.damage or status_words(entry.status),
            time_text(entry.created),
            seconds_text(entry.seconds),
            format_bytes(entry.num_bytes),
        ]
        for entry in entries
    )
    print_table(columns, rows, _("No replays yet. Add one with `designer replay open FILE`."))


@app.command()
@command
def show(context: CommandContext, replay: ReplayArgument) -> Answer:
    """Show the run of a replay, its machine, and the status and output of each node."""
    opened = _opened(context, replay)
    summary = _summary(opened)
    return Answer(
        lambda: {**summary, **opened.replay.model_dump(mode="json")},
        partial(_print_summary, summary),
    )


def _opened(context: CommandContext, replay: str) -> OpenReplay:
    from pipelines.replay.archive import read_file, unpack

    path = Path(replay)
    if path.suffix == ".replay" or path.is_file():
        return unpack(read_file(path))
    shelf = _shelf(context)
    return shelf.open(shelf.find(replay))


def _print_summary(summary: Mapping[str, Any]) -> None:
    print_facts(
        [
            (_("Name"), summary["name"]),
            (_("Run"), summary["run_id"]),
            (_("Status"), status_words(summary["status"])),
            (_("Recorded on"), summary["made_on"]),
        ]
    )
    rows = (
        [node, status_words(step["status"]), seconds_text(step["seconds"]), step["summary"]]
        for node, step in summary["nodes"].items()
    )
    print_table((_("Node"), _("Status"), _("Time"), _("Result")), rows, _("The run has no nodes."))


@app.command()
@command
def record(
    context: CommandContext,
    lesson: Annotated[
        list[str] | None,
        typer.Argument(help="Names of lessons, for example 01-digits. Default: all."),
    ] = None,
) -> Answer:
    """Run lessons and store their replays for the gallery on Home."""
    from pipelines.replay.lesson_recordings import chosen, record_lesson

    context.workspace.make()
    done: dict[str, str] = {}
    for chosen_lesson in chosen(lesson or []):
        try:
            path = record_lesson(context.runs, chosen_lesson)
            size = format_bytes(path.stat().st_size)
            done[chosen_lesson.slug] = _("recorded ({size})", size=size)
        except ValueError as error:
            done[chosen_lesson.slug] = _("not recorded: {error}", error=error)
    return Answer(done, partial(print_facts, done.items()))


def _shelf(context: CommandContext) -> ReplayShelf:
    from pipelines.replay.library import ReplayShelf

    return ReplayShelf(context.workspace)


def _summary(opened: OpenReplay) -> Mapping[str, Any]:
    state = opened.state()
    environment = opened.replay.environment
    return {
        "name": opened.replay.run.name,
        "run_id": opened.replay.run.id,
        "status": state.status,
        "seconds": state.seconds,
        "made_on": _(
            "{platform}, {cores} cores, Python {python}, torch {torch}",
            platform=environment.platform,
            cores=environment.cores,
            python=environment.python,
            torch=environment.libraries.get("torch", _("unknown")),
        ),
        "nodes": {
            node: {"status": step.status, "seconds": step.seconds, "summary": step.summary}
            for node, step in state.steps.items()
        },
    }
