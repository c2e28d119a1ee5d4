"""Progress reports of a training: driver log, progress of the node, and metric rows."""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from modules.training.metrics import NUM_TOP, Averages, Sums

if TYPE_CHECKING:
    from modules.training.session import Session

PROGRESS_SECONDS = 0.2
"""Minimum seconds between two progress reports of the first process,"""
LANE_SECONDS = 1.0
"""and of each other process, which is only a lane of the node."""


@dataclass
class Report:
    """Reporter of one process; only the first one reports metrics, loss and speed."""

    session: Session
    first_iteration: int
    """First iteration of this attempt, counted over all epochs."""
    started: float = field(default_factory=time.monotonic)
    _told: float = 0.0

    def start(self, finished_epochs: int) -> None:
        """Print the device and settings of this training."""
        session, settings, group = self.session, self.session.settings, self.session.group
        data, optimisation = session.data, session.optimisation
        height, width = data.spec.input_size
        names = ("torch", "torchvision", "numpy", "pillow")
        libraries = ", ".join(f"{name} {version(name)}" for name in names)
        _print(f"Python {platform.python_version()}, {libraries}")
        _print(
            f"process {group.rank} of {group.world_size} on {group.device}, "
            f"{session.networks.precision.name}, {_layout(session)}"
        )
        num_training = len(data.training) // data.training.num_views
        _print(
            f"{session.networks.recipe.architecture}, {num_training:,} training and "
            f"{len(data.validation):,} validation images, {len(data.classes)} classes, "
            f"{width} x {height} pixels"
        )
        _print(
            f"effective learning rate {optimisation.schedule.peak:g} = "
            f"{settings.learning_rate:g} x {group.world_size}, effective batch size "
            f"{settings.batch_size * group.world_size} = {settings.batch_size} x "
            f"{group.world_size}, {optimisation.iterations_per_epoch} iterations an epoch"
        )
        if finished_epochs:
            _print(f"resumed after epoch {finished_epochs}")

    def line(self, epoch: int, iteration: int, averages: Averages, seconds: float) -> None:
        """Print the state of the epoch; ``iteration`` counts from 1."""
        rate = averages.num_images / max(seconds, 1e-9)
        num_iterations = self.session.optimisation.iterations_per_epoch
        _print(
            f"epoch {epoch}/{self.session.settings.epochs}  "
            f"iteration {iteration}/{num_iterations}  {seconds:.1f} s  "
            f"{rate:.1f} images/s  loss {averages.loss:.4f}  error {averages.error:.4f}"
        )

    def progress(
        self, epoch: int, iteration: int, sums: Sums, seconds: float, own_seconds: float
    ) -> None:
        """Report progress to the node, unless it was reported recently.

        Only this process's sums are read. ``own_seconds`` is the time of an iteration before it
        waits for the other processes. All of them progress equally; this shows which one they wait
        for.
        """
        now, is_first = time.monotonic(), self.session.group.is_first
        if now - self._told < (PROGRESS_SECONDS if is_first else LANE_SECONDS):
            return
        self._told = now
        done = (epoch - 1) * self.session.optimisation.iterations_per_epoch + iteration
        facts = self._facts(epoch, done, sums, seconds) if is_first else {}
        if not self.session.group.is_alone:
            facts["own_seconds"] = round(own_seconds, 4)
            pace = self.session.settings.batch_size / max(own_seconds, 1e-9)
            facts["own_images_per_second"] = round(pace, 1)
        self.session.group.context.progress(done, self._total, "iterations", **facts)

    @property
    def _total(self) -> int:
        return self.session.settings.epochs * self.session.optimisation.iterations_per_epoch

    def _facts(
        self, epoch: int, done: int, sums: Sums, seconds: float
    ) -> dict[str, float | str | None]:
        averages = sums.read(self.session, everywhere=False)
        num_images = averages.num_images * self.session.group.world_size
        per_iteration = (self._told - self.started) / max(1, done - self.first_iteration)
        return {
            "epoch": epoch,
            "epochs": self.session.settings.epochs,
            "images_per_second": round(num_images / max(seconds, 1e-9), 1),
            "loss": averages.loss if averages.is_finite else None,
            "seconds_left": round(per_iteration * (self._total - done), 1),
        }

    def epoch(self, epoch: int, row: dict[str, float]) -> None:
        """Record the metrics of an epoch."""
        if not self.session.group.is_first:
            return
        for name, value in row.items():
            self.session.group.context.metric(name, value, step=epoch)
        _print(
            f"epoch {epoch}/{self.session.settings.epochs}  "
            + "  ".join(f"{name} {value:.6g}" for name, value in row.items())
        )

    def end(self, epoch: int, reason: str | None) -> None:
        """Print why training ended before its last epoch, if it did."""
        if reason is not None:
            _print(f"ended after epoch {epoch} of {self.session.settings.epochs}: {reason}")


def metric_row(
    rate: float, seconds: float, training: Averages, validation: Averages, num_classes: int
) -> dict[str, float]:
    """Return the metrics of an epoch; of five classes every image is in the top 5."""
    row = {
        "learning rate": rate,
        "Train images per second": training.num_images / max(seconds, 1e-9),
        "Train loss": training.loss,
        "Train error": training.error,
        "Valid loss": validation.loss,
        "Top-1 validation accuracy": 1 - validation.error,
    }
    if num_classes > NUM_TOP:
        row[f"Top-{NUM_TOP} validation accuracy"] = 1 - validation.error_top
    return row


def _layout(session: Session) -> str:
    return "channels last" if session.networks.precision.channels_last else "channels first"


def _print(text: str) -> None:
    # Standard output is the driver log of this process, read while it grows.
    print(text, flush=True)
