"""Progress told at a readable pace."""

from __future__ import annotations

import time

from modules.context import Context

PROGRESS_SECONDS = 0.25


class Pace:
    """Tells progress a few times a second at most."""

    def __init__(self, context: Context, unit: str) -> None:
        self._context = context
        self._unit = unit
        self._next = time.monotonic() + PROGRESS_SECONDS

    def tell(self, done: int, total: int, *, last: bool = False) -> None:
        if last or time.monotonic() >= self._next:
            self._context.progress(done, total, self._unit)
            self._next = time.monotonic() + PROGRESS_SECONDS
