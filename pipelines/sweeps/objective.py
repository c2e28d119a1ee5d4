"""Objective of trials: the metric that they are compared by, read from their runs."""

from __future__ import annotations

from typing import NamedTuple

from modules.sentences.sentence import Statement
from pipelines.document.settings import Goal, SweepObjective
from pipelines.runs.results import ResultsReader, headline_in
from pipelines.runs.run_service import RunService
from pipelines.sentences import sweeps as sentences
from pipelines.store.database.history import RunIndex, RunRow
from pipelines.store.database.run_results import CurveSummary

MOST_NAMED = 10


class TrialOutcome(NamedTuple):
    """Objective of an ended trial, or the reason why it has none."""

    value: float | None
    fault: Statement | None = None


def outcome_of(runs: RunService, run_id: str, objective: SweepObjective) -> TrialOutcome:
    """Return the objective of a run: of the epoch that is kept, else its best value."""
    row = _row(runs, run_id)
    metrics = row.results.metrics if row is not None and row.results is not None else {}
    summary = metrics.get(objective.node, {}).get(objective.metric)
    if summary is None:
        known = [f"{node}.{name}" for node, named in metrics.items() for name in named]
        reported = ", ".join(known[:MOST_NAMED]) or "none"
        facts = {"metric": objective.metric, "node": objective.node, "reported": reported}
        return TrialOutcome(None, sentences.METRIC_MISSING.about(facts))
    value = _value(summary, objective.goal)
    if value is None:
        fault = sentences.METRIC_NOT_A_NUMBER.about({"metric": objective.metric})
        return TrialOutcome(None, fault)
    return TrialOutcome(value)


def primary_objective(runs: RunService, run_id: str) -> SweepObjective | None:
    """Return the primary metric of a run as an objective; None if it has none."""
    row = _row(runs, run_id)
    if row is None or row.results is None:
        return None
    headline = headline_in(row)
    if headline is None:
        return None
    goal: Goal = "minimize" if headline.higher_is_better is False else "maximize"
    return SweepObjective(node=headline.node, metric=headline.metric, goal=goal)


def _row(runs: RunService, run_id: str) -> RunRow | None:
    rows = ResultsReader(runs).completed(RunIndex(runs.database).rows([run_id]))
    return rows[0] if rows else None


def _value(summary: CurveSummary, goal: Goal) -> float | None:
    if summary.kept is not None:
        return summary.kept
    return summary.highest if goal == "maximize" else summary.lowest
