"""``designer replay rerun``: execute a saved pipeline again and compare the outputs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.command import Answer, CommandContext, command
from pipelines.cli.output import console, print_problems
from pipelines.cli.reports import refused_as_report
from pipelines.sentences import _
from pipelines.sentences.status_words import status_words

if TYPE_CHECKING:
    from pipelines.runs.reproduction import RerunReport

STYLES = {"identical": "green", "different": "red", "missing": "red"}


@command
def rerun(
    context: CommandContext,
    run: Annotated[str, typer.Argument(help="A run, `last`, or a .replay file.")],
) -> Answer:
    """Execute a saved pipeline again without reusing outputs, and compare all computed outputs.

    Exits with code 0 only if all of them are identical. Code in a .replay file runs with your
    permissions: review the graph of a file from someone else first.
    """
    with refused_as_report(as_json=context.as_json):
        report = _rerun_of(context, run)
    return Answer(
        report.model_dump(mode="json"),
        partial(_print, report),
        exit_code=0 if report.is_identical else 1,
    )


def _rerun_of(context: CommandContext, run: str) -> RerunReport:
    from pipelines.cli.watching import watch
    from pipelines.replay.reproduction import original_of_replay
    from pipelines.runs.reproduction import original_of_run, rerun, rerun_report
    from pipelines.runs.run_request import this_process

    runs = context.refreshed_runs
    is_file = run.endswith(".replay")
    original = (
        original_of_replay(Path(run)) if is_file else original_of_run(runs, runs.find(run).id)
    )
    problems = runs.checks.problems(original.document, original.to_node)
    print_problems(problem for problem in problems if problem.severity == "warning")
    run_id = rerun(runs, original, owner=this_process())
    watch(runs, run_id, quiet=context.as_json)
    return rerun_report(runs, original, run_id)


def _print(report: RerunReport) -> None:
    terminal = console()
    for output in report.outputs:
        verdict = f"{_verdict_text(output.verdict):9}"
        terminal.print(f"[{STYLES[output.verdict]}]{verdict}[/] ", end="")
        terminal.print(f"{output.node}.{output.port}", markup=False)
        for file in output.files:
            for detail in file.details:
                terminal.print(f"          {file.file}: {detail}", markup=False)
    for warning in report.warnings:
        terminal.print(warning, style="yellow", markup=False)
    for change in report.environment:
        terminal.print(
            _(
                "{name} changed from {was} to {now}",
                name=change.name,
                was=change.was,
                now=change.now,
            ),
            markup=False,
        )
    seeds = ", ".join(f"{node} {seed}" for node, seed in report.seeds.items())
    if seeds:
        terminal.print(_("Random seeds of both runs: {seeds}.", seeds=seeds), markup=False)
    same = sum(output.verdict == "identical" for output in report.outputs)
    terminal.print(
        _(
            "Rerun {run} {status}: {same} of {count} outputs of {original} are identical.",
            run=report.run_id,
            status=status_words(report.status),
            same=same,
            count=len(report.outputs),
            original=report.original,
        ),
        markup=False,
    )
    is_different = bool(report.outputs) and not report.is_identical
    if is_different and not report.environment and report.status == "completed":
        terminal.print(_("For bit-identical results, turn on Reproducible in Train PyTorch Model."))


def _verdict_text(verdict: str) -> str:
    texts = {
        "identical": _("identical"),
        "different": _("different"),
        "missing": _("missing"),
    }
    return texts[verdict]
