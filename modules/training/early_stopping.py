"""Conditions that end a training early: no improvement, time limit, or the user's request."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from modules.context import Context


@dataclass
class Patience:
    """The best validation loss, and the number of epochs since."""

    limit: int
    best_loss: float = float("inf")
    best_epoch: int = 0
    """Counted from 1; 0 before the first epoch."""
    num_stale_epochs: int = 0

    def observe(self, epoch: int, loss: float) -> bool:
        """Return True if ``loss`` of ``epoch`` is the lowest yet (a NaN never is)."""
        if self.improves(loss):
            self.best_loss, self.best_epoch, self.num_stale_epochs = loss, epoch, 0
            return True
        self.num_stale_epochs += 1
        return False

    def improves(self, loss: float) -> bool:
        """Return True if ``loss`` is lower than all before; a NaN never is."""
        return loss < self.best_loss

    @property
    def is_over(self) -> bool:
        """Return True after ``limit`` epochs in a row without a new lowest loss."""
        return self.num_stale_epochs >= self.limit

    def to_json(self) -> dict[str, Any]:
        return {
            "best_loss": self.best_loss,
            "best_epoch": self.best_epoch,
            "num_stale_epochs": self.num_stale_epochs,
        }


class Deadline:
    """The time limit and the user's *Finish early*, checked after every iteration."""

    LOOK_EVERY_SECONDS = 0.25

    def __init__(self, context: Context, limit_minutes: float, spent_seconds: float) -> None:
        """Start the clock; ``spent_seconds`` were used by earlier attempts of the same training."""
        self._context = context
        self._limit_seconds = limit_minutes * 60 if limit_minutes else float("inf")
        self._start = time.monotonic() - spent_seconds
        self._looked_at = -float("inf")
        self._reason: str | None = None

    @property
    def spent_seconds(self) -> float:
        """Return the seconds of training, including earlier attempts."""
        return time.monotonic() - self._start

    def reason_to_stop(self) -> str | None:
        """Return why training should end now, or None."""
        now = time.monotonic()
        is_over = now - self._start >= self._limit_seconds or now >= self._context.end_time
        if self._reason is None and is_over:
            self._reason = "time limit reached"
        if self._reason is None and now - self._looked_at >= self.LOOK_EVERY_SECONDS:
            self._looked_at = now
            if self._context.stop_requested:
                self._reason = "finished early on request"
                self._context.cut_short = True
        return self._reason
