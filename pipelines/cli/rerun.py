"""``designer replay rerun``: execute a saved pipeline again and say what came out otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.output import JsonOption, WorkspaceOption, console, print_json
from pipelines.cli.reports import told_of_run
from pipelines.cli.runs import opened

if TYPE_CHECKING:
    from pipelines.runs.reproduction import RerunReport

WORDS = {"identical": "green", "different": "red", "missing": "red"}


def rerun(
    run: Annotated[str, typer.Argument(help="A run, `last`, or a .replay file.")],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Execute a saved pipeline again, all of it, and compare every output with what it was.

    Exit code 0 only where everything came out identical. A .replay file of somebody else is
    executed with your rights: look at its graph first.
    """
    from pipelines.cli.watching import watch
    from pipelines.runs.reproduction import original_of_replay, original_of_run, rerun_report
    from pipelines.runs.reproduction import rerun as submitted

    with told_of_run(as_json=as_json):
        runs = opened(workspace)
        is_file = run.endswith(".replay")
        original = (
            original_of_replay(Path(run)) if is_file else original_of_run(runs, runs.find(run).id)
        )
        run_id = submitted(runs, original, attached=True)
        watch(runs, run_id, quiet=as_json)
        report = rerun_report(runs, original, run_id)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print(report)
    raise typer.Exit(0 if report.is_identical else 1)


def _print(report: RerunReport) -> None:
    terminal = console()
    for output in report.outputs:
        terminal.print(f"[{WORDS[output.verdict]}]{output.verdict:9}[/] ", end="")
        terminal.print(f"{output.node}.{output.port}", markup=False)
        for file in output.files:
            for detail in file.details:
                terminal.print(f"          {file.file}: {detail}", markup=False)
    for change in report.environment:
        terminal.print(f"{change.name} was {change.was} and is {change.now}", markup=False)
    seeds = ", ".join(f"{node} {seed}" for node, seed in report.seeds.items())
    if seeds:
        terminal.print(f"Random seeds, both times: {seeds}.", markup=False)
    same = sum(output.verdict == "identical" for output in report.outputs)
    terminal.print(
        f"Rerun {report.run_id} {report.status}: {same} of {len(report.outputs)} outputs of "
        f"{report.original} came out identical.",
        markup=False,
    )
    if not report.is_identical and not report.environment and report.status == "completed":
        terminal.print("For equal bits set Reproducible to on in Train PyTorch Model.")
