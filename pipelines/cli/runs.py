"""``designer runs``: status, logs and metrics of runs; cancel and resume."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_table
from pipelines.cli.reports import EXIT_CODES, print_report, report_of, run_report
from pipelines.cli.run import DetachOption, followed
from pipelines.errors import NotFoundError, RefusedError, RunnerFrozenError, RunUnderWayError
from pipelines.sentences import _, refusals

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.runs.report import RunReport
    from pipelines.store.database.runs import MetricPoint, RunRecord

app = typer.Typer(help="Show, cancel and resume runs.", no_args_is_help=True)
RunArgument = Annotated[
    str, typer.Argument(help="A run's ID, its first or last characters, or `last`.")
]
NodeArgument = Annotated[str | None, typer.Argument(help="One node. Default: all.")]


@app.command()
@command
def show(
    context: CommandContext,
    run: RunArgument,
    ranks: Annotated[
        bool,
        typer.Option("--ranks", help="Also show ranks that ended because another rank failed."),
    ] = False,
) -> Answer:
    """Show the status, time and result of each node, and whether the runner is responding."""
    from pipelines.execution.heartbeat import runner_problem

    runs = context.refreshed_runs
    report = run_report(runs, runs.find(run).id)
    is_over = report.status in EXIT_CODES
    problem = None if is_over else runner_problem(runs.workspace)
    show_state = partial(_print_state, report, problem, with_ranks=ranks)
    return Answer({**dict(report), "runner_problem": problem}, show_state)


def _print_state(report: RunReport, frozen: str | None, *, with_ranks: bool) -> None:
    print_report(report, with_ranks=with_ranks)
    if frozen is not None:
        console().print(frozen, style="yellow", markup=False)


@app.command()
@command
def follow(context: CommandContext, run: RunArgument) -> Answer:
    """Follow a run until it ends. Ctrl+C does not cancel the run."""
    from pipelines.cli.watching import watch

    runs = context.refreshed_runs
    run_id = runs.find(run).id
    watch(runs, run_id, quiet=context.as_json)
    return report_of(runs, run_id)


@app.command()
@command
def logs(
    context: CommandContext,
    run: RunArgument,
    node: NodeArgument = None,
    rank: Annotated[int | None, typer.Option(help="One rank. Default: all.")] = None,
) -> Answer:
    """Print the logs of a run: one per rank and the launcher's."""
    record = context.refreshed_runs.find(run)
    if node is not None and node not in context.session.runs.store.state(record.id).steps:
        raise NotFoundError(refusals.NO_NODE_OF_RUN, run=record.id, node=node)
    redaction = context.session.secrets.redaction()
    unredacted = _logs(context.workspace.runs_dir / record.id, node, rank)
    texts = {name: redaction.text(text) for name, text in unredacted.items()}
    return Answer(texts, partial(_print_logs, texts))


def _logs(run_dir: Path, node: str | None, rank: int | None) -> dict[str, str]:
    """Return the logs of a run by node and file."""
    from pipelines.workspace import folder_name, node_of

    pattern = "70_*_log*.txt" if rank is None else f"70_driver_log_{rank}.txt"
    return {
        f"{node_of(path.parent)}/{path.name}": path.read_text(encoding="utf-8", errors="replace")
        for path in sorted(run_dir.glob(f"{folder_name(node) if node else '*'}/{pattern}"))
    }


def _print_logs(texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        console().print(f"--- {name}", style="bold", markup=False)
        typer.echo(text, nl=False)
    if not texts:
        console().print(_("No logs yet."))


@app.command()
@command
def cancel(
    context: CommandContext,
    run: RunArgument,
    keep: Annotated[
        bool, typer.Option("--keep", help="Stop trainings early and keep their best model.")
    ] = False,
) -> Answer:
    """Cancel a run. Finished steps are kept, and `runs resume` continues with the rest."""
    runs = context.refreshed_runs
    record = runs.find(run)
    if runs.store.state(record.id).is_finished:
        raise RefusedError(refusals.RUN_ENDED, run=record.id)
    return _stop_and_keep(context, record) if keep else _cancel(context, record)


def _stop_and_keep(context: CommandContext, record: RunRecord) -> Answer:
    nodes = context.runs.stop_and_keep(record.id)
    return Answer(
        {"run_id": record.id, "stopping": nodes},
        _("Stopping early and keeping the best model: {nodes}.", nodes=nodes or _("none")),
    )


def _cancel(context: CommandContext, record: RunRecord) -> Answer:
    context.runs.cancel(record.id)
    frozen = context.runs.wait_for_end(record.id)
    if frozen is not None:
        raise RunnerFrozenError(refusals.NOT_CANCELLED, run=record.id, why=frozen)
    report = run_report(context.runs, record.id)
    return Answer(report, partial(print_report, report))


@app.command()
@command
def resume(context: CommandContext, run: RunArgument, detach: DetachOption = False) -> Answer:
    """Resume a run that failed or was cancelled. Finished steps are kept."""
    from pipelines.runs.run_request import this_process

    runs = context.refreshed_runs
    record = runs.find(run)
    status = runs.store.state(record.id).status
    if status in ("queued", "running"):
        raise RunUnderWayError(record.id)
    runs.resume(record.id, owner=None if detach else this_process())
    return followed(context, record.id, detach=detach)


@app.command()
@command
def metrics(context: CommandContext, run: RunArgument, node: NodeArgument = None) -> Answer:
    """Print all metrics of a run, point by point."""
    runs = context.refreshed_runs
    record = runs.find(run)
    points = runs.store.metrics(record.id, node)
    rows = ((point.node, point.name, point.step, _shown(point.value)) for point in points)
    empty = _("No metrics yet.")
    return Answer(
        {"run_id": record.id, "metrics": _curves(points)},
        partial(print_table, (_("Node"), _("Metric"), _("Step"), _("Value")), rows, empty),
    )


def _shown(value: float | None) -> str:
    """Return a metric's value as text; NaN is stored as None."""
    return _("not a number") if value is None else f"{value:.6g}"


def _curves(points: Iterable[MetricPoint]) -> dict[str, dict[str, list[dict[str, float | None]]]]:
    """Return the points of each metric by node."""
    curves: defaultdict[str, defaultdict[str, list[dict[str, float | None]]]]
    curves = defaultdict(lambda: defaultdict(list))
    for point in points:
        content = {"step": point.step, "value": point.value, "time": point.time}
        curves[point.node][point.name].append(content)
    return {node: dict(by_name) for node, by_name in curves.items()}
