"""Reports of one trial, passed on as reports of the search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from modules.context import Context, Report
from modules.files.json_files import read_if_valid, write_whole
from modules.search.pruning import Curve
from modules.tuning.trial_progress import Progress

ITERATIONS = "iterations"
"""Unit of the progress of a training."""


class TrialReports:
    """Receiver of a trial's reports: it keeps the curve, and decides after each epoch.

    The curve is in a file, so that a resumed trial is judged by all of its epochs.
    """

    def __init__(self, context: Context, metric: str, curve_path: Path, progress: Progress) -> None:
        """Start a trial.

        Args:
            context: Context of the search.
            metric: Metric that trials are compared by.
            curve_path: File for the curve of this trial.
            progress: Function from the progress of the trial to that of the search.
        """
        self._context = context
        self._metric = metric
        self._path = curve_path
        self._progress = progress
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


def _stored(path: Path) -> dict[int, float]:
    stored = read_if_valid(path) or {}
    try:
        return {int(epoch): float(value) for epoch, value in stored.items()}
    except (TypeError, ValueError):
        return {}
