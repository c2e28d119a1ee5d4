"""``designer run``: submit a pipeline, watch it, report what came of it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.documents import PipelineArgument, SetOption
from pipelines.cli.output import JsonOption, WorkspaceOption, console, print_json
from pipelines.cli.reports import EXIT_CODES, print_report, run_report, told_of_run

if TYPE_CHECKING:
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace


def run(
    pipeline: PipelineArgument,
    workspace: WorkspaceOption = None,
    set_: SetOption = None,
    to: Annotated[str | None, typer.Option("--to", help="Run only what this node needs.")] = None,
    experiment: Annotated[
        str | None, typer.Option(help="Experiment to file the run under.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run.")] = None,
    as_json: JsonOption = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Submit and return; the run goes on by itself.")
    ] = False,
) -> None:
    """Run a pipeline. Without --detach the run ends with this command (Ctrl+C cancels it)."""
    from pipelines.workspace import Workspace

    with told_of_run(as_json=as_json):
        place = Workspace.at(workspace)
        if os.path.isfile(pipeline):
            _launch_runner_early(place)
        from pipelines.runs.run_service import Runs  # it takes its time, and so does the runner

        runs = Runs(place)
        run_id = _submit(runs, pipeline, set_ or [], to, experiment, name, attached=not detach)
    if detach:
        say_queued(runs, run_id, as_json)
    else:
        watch_and_report(runs, run_id, as_json)


def _launch_runner_early(workspace: Workspace) -> None:
    """Let a runner load what it needs while this command loads what it needs itself."""
    from pipelines.execution.runner_lock import current_runner
    from pipelines.execution.runner_process import launch_runner

    if current_runner(workspace.make()) is None:
        launch_runner(workspace)


def _submit(
    runs: Runs,
    pipeline: Path,
    overrides: list[str],
    to: str | None,
    experiment: str | None,
    name: str | None,
    *,
    attached: bool,
) -> str:
    from pipelines.cli.output import print_problems
    from pipelines.documents.local_paths import read_document

    document = read_document(pipeline, overrides, runs.catalog)
    print_problems(each for each in runs.problems(document, to) if each.severity == "warning")
    return runs.submit(document, name=name, experiment=experiment, to_node=to, attached=attached)


def watch_and_report(runs: Runs, run_id: str, as_json: bool) -> None:
    """Show a run until it ends; Ctrl+C or SIGTERM cancels it. Exits with its exit code."""
    from pipelines.cli.watching import watch

    was_interrupted = _interruptions()
    with told_of_run(as_json=as_json, run_id=run_id):
        if not watch(runs, run_id, quiet=as_json, leave=was_interrupted):
            _cancel(runs, run_id)
            console(error=True).print("Cancelling: what is finished is kept.", style="yellow")
            frozen = runs.wait_for_end(run_id)
            if frozen is not None:
                raise OSError(frozen)
        report = run_report(runs, run_id)
    if as_json:
        print_json(report)
    else:
        print_report(report)
    raise typer.Exit(EXIT_CODES.get(report["status"], 1))


def _cancel(runs: Runs, run_id: str) -> None:
    """Ask for the run's end; where not even that can be written, leaving this command does it."""
    from pipelines.store.database import OperationalFailure, is_disk_full

    try:
        runs.cancel(run_id)
    except OperationalFailure as error:
        if not is_disk_full(error):
            raise
        said = "The disk is full: that the run is cancelled shows once there is room again."
        console(error=True).print(said, style="yellow")
        raise typer.Exit(EXIT_CODES["cancelled"]) from None


def _interruptions() -> Callable[[], bool]:
    """Whether this process was asked to end since; the second time ends it at once.

    An exception would be lost where it is raised in what Python calls by itself, a finaliser say.
    """
    signals: list[int] = []

    def note(number: int, _frame: object) -> None:
        signals.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    return lambda: bool(signals)


def say_queued(runs: Runs, run_id: str, as_json: bool) -> None:
    """What a detached submission prints."""
    if as_json:
        print_json(run_report(runs, run_id))
    else:
        console().print(f"Run {run_id} is queued: `designer runs show {run_id}` tells how it goes.")
