"""``designer runner`` and ``designer doctor``: the runner process and this machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console
from pipelines.sentences import _

if TYPE_CHECKING:
    from pipelines.doctor import DoctorCheck

runner_app = typer.Typer(
    help="Manage the runner, the process that executes runs.", no_args_is_help=True
)


@runner_app.command()
@command
def start(context: CommandContext) -> Answer:
    """Start the runner and load torch, so that the next run starts immediately."""
    context.session.runner.ensure(warm=True)
    return _runner_status(context)


@runner_app.command()
@command
def stop(context: CommandContext) -> Answer:
    """Stop the runner and its active runs. The runs can be resumed."""
    stopped = context.session.runner.stop(for_good=True)
    context.session.runner.refresh_without_starting()
    return Answer(
        {"stopped": stopped}, _("Stopped the runner.") if stopped else _("No runner was running.")
    )


@runner_app.command()
@command
def status(context: CommandContext) -> Answer:
    """Show whether a runner is running, and its unfinished runs."""
    return _runner_status(context)


def _runner_status(context: CommandContext) -> Answer:
    from pipelines.execution.heartbeat import runner_problem
    from pipelines.execution.runner_lock import current_runner

    runs = context.runs
    info = current_runner(runs.workspace)
    unfinished = runs.store.unfinished()
    frozen = runner_problem(runs.workspace)
    pid = info.pid if info else None
    content = {"running": info is not None, "pid": pid, "unfinished_runs": unfinished}
    return Answer(
        {**content, "problem": frozen}, partial(_print_runner, pid, len(unfinished), frozen)
    )


def _print_runner(pid: int | None, num_unfinished: int, frozen: str | None) -> None:
    if pid is None:
        console().print(_("No runner is running. The next run starts one."))
        return
    console().print(_("Runner {pid} has {count} unfinished runs.", pid=pid, count=num_unfinished))
    if frozen is not None:
        console().print(frozen, style="yellow", markup=False)


@command
def doctor(context: CommandContext) -> Answer:
    """Check this machine and show what is missing and how to install it."""
    from pipelines.doctor import examine

    findings = examine(context.workspace)
    healthy = all(finding.ok for finding in findings)
    return Answer(
        {"healthy": healthy, "findings": findings},
        partial(_print_findings, findings),
        exit_code=0 if healthy else 1,
    )


def _print_findings(findings: Sequence[DoctorCheck]) -> None:
    for finding in findings:
        word, style = (_("ok"), "green") if finding.ok else (_("missing"), "red")
        mark = f"[{style}]{word:7}[/]"
        console().print(f"{mark} {finding.name:<14} ", end="")
        console().print(finding.found, markup=False)
        if finding.cure:
            console().print(f"{'':23}{finding.cure}", markup=False)
