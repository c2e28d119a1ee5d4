"""``designer run``: run a pipeline, follow it and report the result."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.documents import ParamOption, PipelineArgument, SetOption
from pipelines.cli.output import console, print_problems
from pipelines.cli.reports import EXIT_CODES, refused_as_report, report_of, run_report
from pipelines.errors import RunnerFrozenError
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService
    from pipelines.workspace import Workspace

PinOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="NODE=RUN",
        help="Use the result of the node in a run instead of computing it. Repeatable.",
    ),
]
UnpinOption = Annotated[
    list[str] | None,
    typer.Option("--unpin", metavar="NODE", help="Compute a pinned node. Repeatable."),
]
DetachOption = Annotated[
    bool, typer.Option("--detach", help="Return immediately. The run continues in the background.")
]


@command
def run(
    context: CommandContext,
    pipeline: PipelineArgument,
    set_: SetOption = None,
    param: ParamOption = None,
    to: Annotated[
        str | None,
        typer.Option("--to", help="Run only this node and the nodes that it depends on."),
    ] = None,
    experiment: Annotated[str | None, typer.Option(help="Experiment of the run.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run.")] = None,
    pin: PinOption = None,
    unpin: UnpinOption = None,
    allow_code: Annotated[
        bool,
        typer.Option(
            "--allow-code",
            help="Approve the pipeline's code on this machine, now and for later runs.",
        ),
    ] = False,
    detach: Annotated[
        bool,
        typer.Option("--detach", help="Return immediately. The run continues in the background."),
    ] = False,
) -> Answer:
    """Run a pipeline. Without --detach, Ctrl+C cancels the run."""
    from pipelines.lessons.pipeline_files import is_pipeline_file

    if is_pipeline_file(pipeline):
        _launch_runner_early(context.workspace)
    with refused_as_report(as_json=context.as_json):
        from pipelines.lessons.pipeline_files import (
            changed_document,
            load_pipeline,
            pipeline_file,
        )
        from pipelines.runs.run_request import RunRequest, this_process

        runs = context.runs
        source = load_pipeline(pipeline_file(pipeline), runs.catalog)
        document = changed_document(source, set_ or [], runs.catalog, param or ())
        if pin or unpin:
            from pipelines.runs.pinning import pins_without_effect, with_pins

            document = with_pins(runs, document, pin or (), unpin or ())
            print_problems(pins_without_effect(document, pin or ()))
        if allow_code:
            runs.checks.allow_code_of(document)
        elif set_ or param:
            runs.checks.allow_edits(changed_document(source, [], runs.catalog), document)
        problems = runs.checks.problems(document, to)
        print_problems(problem for problem in problems if problem.severity == "warning")
        owner = None if detach else this_process()
        run_id = runs.submit(
            RunRequest(document, name=name, experiment=experiment, to_node=to, owner=owner)
        )
    return followed(context, run_id, detach=detach)


def _launch_runner_early(workspace: Workspace) -> None:
    """Start a runner while this command is still loading."""
    from pipelines.execution.runner_lock import current_runner
    from pipelines.execution.runner_process import launch_runner

    if current_runner(workspace.make()) is None:
        launch_runner(workspace)


def followed(context: CommandContext, run_id: str, *, detach: bool) -> Answer:
    """Return the answer about a run: its result, or with ``detach`` that it is queued."""
    if detach:
        text = _(
            "Run {run} is queued. Show its status with `designer runs show {run}`.", run=run_id
        )
        return Answer(partial(run_report, context.runs, run_id), text)
    return watched(context, run_id)


def watched(context: CommandContext, run_id: str) -> Answer:
    """Show a run until it ends; Ctrl+C or SIGTERM cancels it."""
    from pipelines.cli.watching import watch

    runs, was_interrupted = context.runs, interruptions()
    with refused_as_report(as_json=context.as_json, run_id=run_id):
        if not watch(runs, run_id, quiet=context.as_json, leave=was_interrupted):
            _cancel(runs, run_id)
            console(error=True).print(
                _("Cancelling. Outputs of finished steps are kept."), style="yellow"
            )
            frozen = runs.wait_for_end(run_id)
            if frozen is not None:
                raise RunnerFrozenError(frozen)
        return report_of(runs, run_id)


def _cancel(runs: RunService, run_id: str) -> None:
    """Request cancellation; on a full disk, the end of this command cancels the run."""
    from pipelines.store.database.connections import OperationalFailure, is_disk_full

    try:
        runs.cancel(run_id)
    except OperationalFailure as error:
        if not is_disk_full(error):
            raise
        message = _(
            "The disk is full. The run will be shown as cancelled when disk space is available."
        )
        console(error=True).print(message, style="yellow")
        raise typer.Exit(EXIT_CODES["cancelled"]) from None


def interruptions() -> Callable[[], bool]:
    """Return a function that reports an interruption; a second one ends the process immediately.

    An exception could be lost, for example if it is raised in a finalizer.
    """
    signals: list[int] = []

    def note(number: int, _frame: object) -> None:
        signals.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    return lambda: bool(signals)
