"""Progress of a search, from the progress of the training that runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise

from modules.context import Report
from modules.search.halving import HalvingLike, num_promoted, rungs

Progress = Callable[[Report], Report]
"""Returns the progress of the search for that of a training."""


class TrialsProgress:
    """Progress in trials, of which each is one training."""

    def __init__(self, number: int, num_trials: int, seconds_of_others: Sequence[float]) -> None:
        """Start a trial.

        Args:
            number: Number of the trial, from 0.
            num_trials: Number of trials of the search.
            seconds_of_others: Seconds that the trials before it took.
        """
        self._number = number
        self._num_trials = num_trials
        self._seconds_of_others = seconds_of_others
        self._started = time.monotonic()

    def __call__(self, report: Report) -> Report:
        share = report["done"] / max(1, report["total"])
        done = round(self._number + share, 3)
        changed: Report = {
            **report,
            "done": done,
            "total": self._num_trials,
            "unit": "trials",
        }
        left = report.get("seconds_left")
        if left is not None:
            whole = time.monotonic() - self._started + float(left)
            usual = [*self._seconds_of_others, whole]
            after = self._num_trials - self._number - 1
            changed["seconds_left"] = round(left + after * sum(usual) / len(usual), 1)
        return changed


class EpochsProgress:
    """Progress of successive halving in epochs of all trials, which continue several times."""

    def __init__(self, num_trials: int, halving: HalvingLike, epochs: int, trained: int) -> None:
        """Start, or resume after ``trained`` epochs; a training has ``epochs``."""
        self._epochs = epochs
        self._total = planned_epochs(num_trials, halving, epochs)
        self._before = trained
        """Epochs of other trials than the current one."""
        self._first = self._last = float(trained)
        self._started = time.monotonic()

    def start_trial(self, trained_by_others: int) -> None:
        """Start or continue a trial, while the other ones have this number of epochs."""
        self._before = trained_by_others

    def __call__(self, report: Report) -> Report:
        share = report["done"] / max(1, report["total"])
        own = share * float(report.get("epochs") or self._epochs)
        # a trial whose checkpoint is gone starts again; progress does not go back
        self._last = min(float(self._total), max(self._last, self._before + own))
        done, total = round(self._last, 3), self._total
        changed: Report = {**report, "done": done, "total": total, "unit": "epochs"}
        if report.get("seconds_left") is not None and self._last > self._first:
            pace = (time.monotonic() - self._started) / (self._last - self._first)
            changed["seconds_left"] = round(pace * (total - self._last), 1)
        return changed


def planned_epochs(num_trials: int, halving: HalvingLike, epochs: int) -> int:
    """Return the epochs of all trials of a search by successive halving, if none fails."""
    at = rungs(halving, epochs)
    planned, left = num_trials * at[0], num_trials
    for rung, following in pairwise(at):
        left = num_promoted(left, halving)
        planned += left * (following - rung)
    return planned
