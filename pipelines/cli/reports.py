"""Reports of runs, for programs (``run --json``) and for people."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from modules.formatting import format_bytes, format_cost
from pipelines.cli.command import Answer
from pipelines.cli.output import console, print_json, print_problems, problems_of, seconds_text

if TYPE_CHECKING:
    from pipelines.problems import Problem
    from pipelines.runs.run_service import RunService

__all__ = ["EXIT_CODES", "print_report", "refused_as_report", "report_of", "run_report"]

EXIT_CODES = {"completed": 0, "failed": 1, "cancelled": 130}
STYLES = {
    "completed": "green",
    "reused": "cyan",
    "failed": "red",
    "cancelled": "yellow",
    "skipped": "dim",
}


def run_report(runs: RunService, run_id: str) -> dict[str, Any]:
    """Return the report of a run with its estimate."""
    from pipelines.forecasting.run_forecast import forecast_past_run  # SQL is slow to import
    from pipelines.runs import report as run_reports

    foreseen = forecast_past_run(runs, run_id)
    return run_reports.run_report(runs, run_id, forecast=foreseen.to_json() if foreseen else None)


def report_of(runs: RunService, run_id: str) -> Answer:
    """Return the answer of a command that waited for a run; its exit code is the run's."""
    report = run_report(runs, run_id)
    exit_code = EXIT_CODES.get(report["status"], 1)
    return Answer(report, partial(print_report, report), exit_code)


def print_report(report: dict[str, Any], *, with_ranks: bool = False) -> None:
    """Print a line per node and one for the run; ``with_ranks`` adds secondary errors."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("Node", "Status", "Time", "Result", box=None, pad_edge=False, header_style="bold")
    for node, facts in report["nodes"].items():
        problem = facts["problem"]
        text = f"{problem['message']} {problem['cure']}" if problem else facts["summary"] or ""
        text = stalled_text(facts["stalled"]) if facts["stalled"] else text
        ranks = ranks_text(problem, with_each=with_ranks)
        text = "\n".join(filter(None, (text, ranks, phases_text(facts["phases"]))))
        status = f"[{STYLES.get(facts['status'], 'default')}]{facts['status']}[/]"
        table.add_row(node, status, seconds_text(facts["seconds"]), escape(text))
    terminal = console()
    terminal.print(table)
    style = STYLES.get(report["status"], "default")
    took = f" in {_took(report)}" if report["seconds"] is not None else ""
    headline = report["headline"]
    result = f": {headline['label']} {headline['text']}" if headline else ""
    cost = "" if report["cost"] is None else f", cost {format_cost(report['cost'])}"
    terminal.print(
        f"Run {report['run_id']} [{style}]{report['status']}[/]{took}{cost}{escape(result)}."
    )
    if report["status"] in ("failed", "cancelled"):
        terminal.print(f"To continue it: designer runs resume {report['run_id']}")


def ranks_text(problem: dict[str, Any] | None, *, with_each: bool) -> str:
    """Return ``3 other ranks ended as a result``, or the message of each rank."""
    echoes = ((problem or {}).get("details") or {}).get("echoes")
    if not echoes:
        return ""
    if not with_each:
        return f"{echoes['title']} (--ranks shows them)."
    rest = echoes["num_rows"] - len(echoes["rows"])
    more = [f"  and {rest} more"] if rest > 0 else []
    return "\n".join(
        [
            f"{echoes['title']}:",
            *(f"  {rank}: {message}" for rank, message in echoes["rows"]),
            *more,
        ]
    )


def phases_text(phases: Sequence[dict[str, Any]]) -> str:
    """Return ``Scaling 3 s (waits for cores), preparing 1.2 s (tiny@1, built), running 9 s.``

    Empty for steps that reported no phases.
    """
    if not any(phase["facts"] for phase in phases):
        return ""
    text = ", ".join(filter(None, map(_phase_text, phases)))
    return f"{text[:1].upper()}{text[1:]}."


def _phase_text(phase: dict[str, Any]) -> str:
    seconds, facts = phase["seconds"], phase["facts"]
    about = [
        facts.get("environment"),
        {True: "cached", False: "built"}.get(facts.get("is_cached")),
        format_bytes(facts["num_bytes"]) if "num_bytes" in facts else None,
        f"on {facts['hosts']}" if facts.get("hosts") else None,
        f"waits for {facts['waits_for']}" if facts.get("waits_for") else None,
    ]
    words = ", ".join(filter(None, about))
    took = "" if seconds is None else f" {seconds_text(seconds)}"
    return f"{phase['phase']}{took}{f' ({words})' if words else ''}"


def stalled_text(stalled: dict[str, Any]) -> str:
    """Return ``stalled: no progress for 75 s. Rank 0: epoch 2/6 ...``."""
    words = (f" Rank {rank}: {line}" for rank, line in stalled["ranks"].items() if line)
    silent = seconds_text(max(0.0, time.time() - stalled["since"]))
    return f"stalled: no progress for {silent}.{''.join(words)}"


def _took(report: dict[str, Any]) -> str:
    """Return ``35 s; forecast 31 s (11 % less)``; without the forecast if there was none."""
    from pipelines.forecasting.run_forecast import error_text

    took, foreseen = seconds_text(report["seconds"]), report["forecast"]
    if foreseen is None:
        return took
    return f"{took}; forecast {seconds_text(foreseen['seconds'])} ({error_text(foreseen['error'])})"


def refused_report(problems: Sequence[Problem], run_id: str | None = None) -> dict[str, Any]:
    """Return the JSON of ``run --json`` for a pipeline that cannot be run or followed."""
    from pipelines.runs.report import short_problem

    first = problems[0].to_json() if problems else None
    return {
        "run_id": run_id,
        "status": "failed",
        "seconds": 0.0,
        "headline": None,
        "forecast": None,
        "cost": None,
        "problem": short_problem(first),
        "nodes": {},
        "problems": [problem.to_json() for problem in problems],
    }


@contextmanager
def refused_as_report(*, as_json: bool, run_id: str | None = None) -> Iterator[None]:
    """Report a pipeline that cannot be run, or a full disk, as a failed run with exit code 1."""
    try:
        yield
    except Exception as error:
        problems = problems_of(error)
        if problems is None:
            raise
        print_problems(problems)
        if as_json:
            print_json(refused_report(problems, run_id))
        raise typer.Exit(1) from None
