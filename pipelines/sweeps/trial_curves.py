"""Curves of trials, by which poor ones are stopped early."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from modules.search.pruning import Curve, is_behind
from pipelines.document.settings import SweepObjective, SweepPruning
from pipelines.runs.inherited_metrics import curve_of
from pipelines.runs.run_service import RunService
from pipelines.store.database.sweeps import TrialRow

COMPARED = ("running", "completed", "stopped")


class TrialCurves:
    """Curves of the trials of one sweep; those of ended trials are read once."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs
        self._ended: dict[str, Curve] = {}
        """By run."""

    def behind(
        self, trials: Sequence[TrialRow], objective: SweepObjective, pruning: SweepPruning
    ) -> Iterator[tuple[TrialRow, int]]:
        """Yield the running trials that are behind others, with their last epoch."""
        compared = [trial for trial in trials if trial.state in COMPARED]
        curves = {trial.number: self._curve(trial, objective) for trial in compared}
        for trial in compared:
            own = curves[trial.number]
            others = [curve for number, curve in curves.items() if number != trial.number]
            if trial.state == "running" and is_behind(own, others, pruning, objective.goal):
                yield trial, max(own)

    def _curve(self, trial: TrialRow, objective: SweepObjective) -> Curve:
        if trial.run_id is None:
            return {}
        known = self._ended.get(trial.run_id)
        if known is not None:
            return known
        points = curve_of(self._runs, trial.run_id, objective.node, objective.metric)
        curve = {point.step: math.nan if point.value is None else point.value for point in points}
        if trial.state != "running":
            self._ended[trial.run_id] = curve
        return curve
