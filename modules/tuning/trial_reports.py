"""Reports of one trial, passed on as reports of the search."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from modules.context import Context, Report
from modules.files.json_files import read_if_valid, write_whole
from modules.search.pruning import Curve

UNIT = "trials"
ITERATIONS = "iterations"
"""Unit of the progress of a training."""


class TrialReports:
    """Receiver of a trial's reports: it keeps the curve, and decides after each epoch.

    The curve is in a file, so that a resumed trial is judged by all of its epochs.
    """

    def __init__(
        self,
        context: Context,
        number: int,
        num_trials: int,
        seconds_of_others: Sequence[float],
        metric: str,
        curve_path: Path,
    ) -> None:
        """Start a trial.

        Args:
            context: Context of the search.
            number: Number of the trial, from 0.
            num_trials: Number of trials of the search.
            seconds_of_others: Seconds that the trials before it took.
            metric: Metric that trials are compared by.
            curve_path: File for the curve of this trial.
        """
        self._context = context
        self._number = number
        self._num_trials = num_trials
        self._seconds_of_others = seconds_of_others
        self._metric = metric
        self._path = curve_path
        self._started = time.monotonic()
        self.curve: dict[int, float] = _stored(curve_path) if context.is_first_rank else {}
        self.on_epoch: Callable[[Curve, int], None] | None = None
        """Called after each epoch on the first process, with the curve and the epoch."""

    def __call__(self, report: Report) -> None:
        kind = report["kind"]
        if kind == "metric":
            self._keep(str(report["name"]), int(report["step"]), float(report["value"]))
        elif kind == "progress" and report["unit"] != ITERATIONS:
            self._context.alive()  # of its images, which the trials before have opened
        elif kind == "progress":
            self._context.emit(self._progress(report))
        elif kind != "summary":
            self._context.emit(report)

    def _keep(self, name: str, epoch: int, value: float) -> None:
        if name != self._metric:
            return
        self.curve[epoch] = value
        write_whole(self._path, self.curve)
        if self.on_epoch is not None:
            self.on_epoch(self.curve, epoch)

    def _progress(self, report: Report) -> Report:
        """Return the progress of the search: trials, and the share of this one."""
        share = report["done"] / max(1, report["total"])
        done = round(self._number + share, 3)
        changed: dict[str, Any] = {**report, "done": done, "total": self._num_trials, "unit": UNIT}
        left = report.get("seconds_left")
        if left is not None:
            whole = time.monotonic() - self._started + float(left)
            usual = [*self._seconds_of_others, whole]
            after = self._num_trials - self._number - 1
            changed["seconds_left"] = round(left + after * sum(usual) / len(usual), 1)
        return changed


def _stored(path: Path) -> dict[int, float]:
    stored = read_if_valid(path) or {}
    try:
        return {int(epoch): float(value) for epoch, value in stored.items()}
    except (TypeError, ValueError):
        return {}
