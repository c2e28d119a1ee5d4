"""Progress reports at a readable pace."""

from __future__ import annotations

import time
from collections import deque

from modules.context import Context

PROGRESS_SECONDS = 0.25
RATE_SECONDS = 5.0
"""Seconds over which a rate is averaged."""


class ProgressReporter:
    """Reporter of progress, at most a few times a second; ``with_rate`` adds the rate."""

    def __init__(self, context: Context, unit: str, *, with_rate: bool = False) -> None:
        self._context = context
        self._unit = unit
        self._next = time.monotonic() + PROGRESS_SECONDS
        self._told: deque[tuple[float, int]] | None = deque() if with_rate else None

    def tell(self, done: int, total: int, *, last: bool = False) -> None:
        """Report progress; ``total`` is 0 if it is unknown."""
        if last or time.monotonic() >= self._next:
            self._context.progress(done, total, self._unit, **self._rate(done))
            self._next = time.monotonic() + PROGRESS_SECONDS

    def _rate(self, done: int) -> dict[str, float]:
        if self._told is None:
            return {}
        now = time.monotonic()
        self._told.append((now, done))
        while now - self._told[0][0] > RATE_SECONDS:
            self._told.popleft()
        then, before = self._told[0]
        return {"per_second": (done - before) / (now - then)} if now > then else {}
