"""Reports of runs, for programs (``run --json``) and for people."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from modules.formatting import format_bytes, format_cost
from pipelines.cli.command import Answer
from pipelines.cli.output import console, print_json, print_problems, problems_of, seconds_text
from pipelines.sentences import _
from pipelines.sentences.status_words import status_words

if TYPE_CHECKING:
    from pipelines.problems import Problem
    from pipelines.runs.report import (
        NodeReport,
        PastRunForecast,
        PhaseReport,
        RunReport,
        ShortProblem,
    )
    from pipelines.runs.run_service import RunService

__all__ = ["EXIT_CODES", "print_report", "refused_as_report", "report_of", "run_report"]

EXIT_CODES = {"completed": 0, "failed": 1, "cancelled": 130}
STYLES = {
    "completed": "green",
    "reused": "cyan",
    "failed": "red",
    "cancelled": "yellow",
    "paused": "yellow",
    "skipped": "dim",
}


def run_report(runs: RunService, run_id: str) -> RunReport:
    """Return the report of a run with its estimate."""
    from pipelines.forecasting.run_forecast import forecast_past_run  # SQL is slow to import
    from pipelines.runs import report as run_reports

    return run_reports.run_report(runs, run_id, forecast=forecast_past_run(runs, run_id))


def report_of(runs: RunService, run_id: str) -> Answer:
    """Return the answer of a command that waited for a run; its exit code is the run's."""
    report = run_report(runs, run_id)
    exit_code = EXIT_CODES.get(report.status, 1)
    return Answer(report, partial(print_report, report), exit_code)


def print_report(report: RunReport, *, with_ranks: bool = False) -> None:
    """Print a line per node and one for the run; ``with_ranks`` adds secondary errors."""
    from rich.markup import escape
    from rich.table import Table

    columns = (_("Node"), _("Status"), _("Time"), _("Result"))
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for node_id, node in report.nodes.items():
        problem = node.problem
        text = f"{problem.message} {problem.cure}" if problem else _result_text(node)
        text = stalled_text(node.stalled.since, node.stalled.ranks) if node.stalled else text
        ranks = ranks_text(problem, with_each=with_ranks)
        text = "\n".join(filter(None, (text, ranks, phases_text(node.phases))))
        words = status_words("pinned" if node.pinned else node.status)
        status = f"[{STYLES.get(node.status, 'default')}]{words}[/]"
        table.add_row(node_id, status, seconds_text(node.seconds), escape(text))
    terminal = console()
    terminal.print(table)
    style = STYLES.get(report.status, "default")
    headline = report.headline
    result = ""
    if headline:
        value = f"{headline.label} {headline.text}"
        result = ": " + ", ".join(filter(None, (value, headline.details)))
    text = _(
        "Run {run} {status}{took}{cost}{result}.",
        run=report.run_id,
        status=f"[{style}]{status_words(report.status)}[/]",
        took="" if report.seconds is None else _took(report.seconds, report.forecast),
        cost="" if report.cost is None else _(", cost {cost}", cost=format_cost(report.cost)),
        result=escape(result),
    )
    terminal.print(text)
    if report.status in ("failed", "cancelled", "paused"):
        terminal.print(_("To continue it: designer runs resume {run}", run=report.run_id))


def _result_text(node: NodeReport) -> str:
    """Return a node's summary and its warnings; of a pinned one also the run that it comes from."""
    if not node.pinned:
        warnings = [_("Warning: {message}", message=message) for message in node.warnings]
        return "\n".join(filter(None, (node.summary, *warnings)))
    origin = _("Pinned: from run {run}.", run=node.reused_from)
    return " ".join(filter(None, (origin, node.summary, *node.warnings)))


def ranks_text(problem: ShortProblem | None, *, with_each: bool) -> str:
    """Return ``3 other ranks ended as a result``, or the message of each rank."""
    details: Mapping[str, Any] = (problem.details if problem else None) or {}
    echoes = details.get("echoes")
    if not echoes:
        return ""
    if not with_each:
        return _("{title} (--ranks shows them).", title=echoes["title"])
    rest = echoes["num_rows"] - len(echoes["rows"])
    more = [f"  {_('and {count} more', count=rest)}"] if rest > 0 else []
    return "\n".join(
        [
            f"{echoes['title']}:",
            *(f"  {rank}: {message}" for rank, message in echoes["rows"]),
            *more,
        ]
    )


def phases_text(phases: Sequence[PhaseReport]) -> str:
    """Return ``Scaling 3 s (waits for cores), preparing 1.2 s (tiny@1, built), running 9 s.``

    Empty for steps that reported no phases.
    """
    if not any(phase.facts for phase in phases):
        return ""
    text = ", ".join(filter(None, map(_phase_text, phases)))
    return f"{text[:1].upper()}{text[1:]}."


def _phase_text(phase: PhaseReport) -> str:
    facts: Mapping[str, Any] = phase.facts
    about = [
        facts.get("environment"),
        {True: _("cached"), False: _("built"), None: None}[facts.get("is_cached")],
        format_bytes(facts["num_bytes"]) if "num_bytes" in facts else None,
        _("on {hosts}", hosts=facts["hosts"]) if facts.get("hosts") else None,
        _("waits for {waits}", waits=facts["waits_for"]) if facts.get("waits_for") else None,
        _("{ahead:,} {ahead:node|nodes} before it", ahead=facts["ahead"])
        if facts.get("ahead") and phase.seconds is None
        else None,
    ]
    words = ", ".join(filter(None, about))
    took = "" if phase.seconds is None else f" {seconds_text(phase.seconds)}"
    return f"{status_words(phase.phase)}{took}{f' ({words})' if words else ''}"


def stalled_text(since: float, ranks: Mapping[str, str]) -> str:
    """Return ``stalled: no progress for 75 s. Rank 0: epoch 2/6 ...``."""
    texts = [
        _(" Rank {rank}: {line}", rank=rank, line=line) for rank, line in ranks.items() if line
    ]
    silent = seconds_text(max(0.0, time.time() - since))
    return _("stalled: no progress for {silent}.", silent=silent) + "".join(texts)


def _took(seconds: float, forecast: PastRunForecast | None) -> str:
    """Return `` in 35 s; forecast 31 s (11 % less)``; without the forecast if there was none."""
    from pipelines.forecasting.run_forecast import error_text

    took = seconds_text(seconds)
    if forecast is None:
        return _(" in {time}", time=took)
    return _(
        " in {time}; forecast {forecast} ({error})",
        time=took,
        forecast=seconds_text(forecast.seconds),
        error=error_text(forecast.error),
    )


def refused_report(problems: Sequence[Problem], run_id: str | None = None) -> Mapping[str, object]:
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
        "problems": problems,
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
