"""``designer runs``: what ran, what it said, ending it and going on with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.output import (
    JsonOption,
    WorkspaceOption,
    console,
    fail,
    print_json,
    print_table,
    told,
)
from pipelines.cli.reports import EXIT_CODES, print_report, run_report

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.runs.run_service import Runs

app = typer.Typer(help="Look at runs, end them, go on with them.", no_args_is_help=True)
RunArgument = Annotated[str, typer.Argument(help="A run's id, the beginning of one, or `last`.")]


def opened(workspace: Path | None) -> Runs:
    """The runs of a workspace as they truly stand."""
    from pipelines.runs.run_service import Runs
    from pipelines.workspace import Workspace

    runs = Runs(Workspace.at(workspace))
    runs.refresh()
    return runs


@app.command()
def show(run: RunArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """How a run stands: each node's status, time and result; and whether its runner is frozen."""
    from pipelines.execution.heartbeat import frozen_runner

    with told(as_json=as_json):
        runs = opened(workspace)
        report = run_report(runs, runs.find(run).id)
        is_over = report["status"] in EXIT_CODES
        frozen = None if is_over else frozen_runner(runs.workspace)
    if as_json:
        print_json({**report, "runner_problem": frozen})
        return
    print_report(report)
    if frozen is not None:
        console().print(frozen, style="yellow", markup=False)


@app.command()
def follow(
    run: RunArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False
) -> None:
    """Watch a run until it ends. Ctrl+C ends the watching, not the run."""
    from pipelines.cli.watching import watch

    with told(as_json=as_json):
        runs = opened(workspace)
        run_id = runs.find(run).id
        watch(runs, run_id, quiet=as_json)
        report = run_report(runs, run_id)
    print_json(report) if as_json else print_report(report)
    raise typer.Exit(EXIT_CODES.get(report["status"], 1))


@app.command()
def logs(
    run: RunArgument,
    node: Annotated[str | None, typer.Argument(help="One node; all when not given.")] = None,
    rank: Annotated[int | None, typer.Option(help="One rank; all when not given.")] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the logs of a run: one a rank, and the launcher's."""
    with told(as_json=as_json):
        runs = opened(workspace)
        record = runs.find(run)
        if node is not None and all(each["id"] != node for each in record.document["nodes"]):
            raise LookupError(f"Run {record.id} has no node {node!r}: see `runs show`.")
        folder = runs.workspace.runs_dir / record.id / (node or "*")
        pattern = "70_*_log*.txt" if rank is None else f"70_driver_log_{rank}.txt"
        paths = sorted(folder.parent.glob(f"{folder.name}/{pattern}"))
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in paths}
    if as_json:
        print_json({f"{path.parent.name}/{path.name}": text for path, text in texts.items()})
        return
    for path, text in texts.items():
        console().print(f"--- {path.parent.name}/{path.name}", style="bold", markup=False)
        typer.echo(text, nl=False)
    if not texts:
        console().print("No logs yet: nothing of this run has been executed.")


@app.command()
def cancel(
    run: RunArgument,
    keep: Annotated[
        bool, typer.Option("--keep", help="End trainings early but keep their best model.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """End a run. What is finished is kept, and `runs resume` goes on with the rest."""
    with told(as_json=as_json):
        runs = opened(workspace)
        record = runs.find(run)
        if runs.store.state(record.id).is_finished:
            raise ValueError(f"Run {record.id} has already ended: see `runs show`.")
    if keep:
        nodes = runs.stop_and_keep(record.id)
        if as_json:
            print_json({"run_id": record.id, "stopping": nodes})
        else:
            console().print(f"Asked to stop early and keep the best: {', '.join(nodes) or 'none'}.")
        return
    runs.cancel(record.id)
    frozen = runs.wait_for_end(record.id)
    if frozen is not None:
        fail(f"Run {record.id} is to be cancelled, but nobody does it. {frozen}", as_json=as_json)
    report = run_report(runs, record.id)
    print_json(report) if as_json else print_report(report)


@app.command()
def resume(
    run: RunArgument,
    workspace: WorkspaceOption = None,
    detach: Annotated[
        bool, typer.Option("--detach", help="Return at once; the run goes on by itself.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Go on with a run that failed or was cancelled: finished steps are kept."""
    from pipelines.cli.run import say_queued, watch_and_report

    with told(as_json=as_json):
        runs = opened(workspace)
        record = runs.find(run)
        status = runs.store.state(record.id).status
        if status in ("queued", "running"):
            fail(f"Run {record.id} is {status}: wait, or cancel it first.", as_json=as_json)
        runs.resume(record.id, attached=not detach)
    if detach:
        say_queued(runs, record.id, as_json)
    else:
        watch_and_report(runs, record.id, as_json)


@app.command()
def metrics(
    run: RunArgument,
    node: Annotated[str | None, typer.Argument(help="One node; all when not given.")] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every curve of a run, point by point."""
    with told(as_json=as_json):
        runs = opened(workspace)
        record = runs.find(run)
        points = runs.store.metrics(record.id, node)
    if as_json:
        curves: dict[str, dict[str, list[dict[str, float | None]]]] = {}
        for point in points:
            curve = curves.setdefault(point.node, {}).setdefault(point.name, [])
            curve.append({"step": point.step, "value": point.value, "time": point.time})
        print_json({"run_id": record.id, "metrics": curves})
        return
    rows = ((point.node, point.name, point.step, f"{point.value:.6g}") for point in points)
    print_table(("Node", "Metric", "Step", "Value"), rows, "No metrics: nothing was measured yet.")
