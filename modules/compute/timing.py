"""Where the seconds of a training or a scoring go."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

WAITING = "waiting for data"
COMMUNICATING = "communicating"
VALIDATING = "validating"
SAVING = "saving"
COMPUTING = "computing"
ACTIVITIES = (WAITING, COMPUTING, COMMUNICATING, VALIDATING, SAVING)


class Stopwatch:
    """Counts what one process does, each second once; what is not told is computing.

    An activity inside another one counts to the outer one: a validation's reading is validating.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds = dict.fromkeys(ACTIVITIES, 0.0)
        self._lock = threading.Lock()
        self._outer: str | None = None
        self._started = clock()
        self._stopped: float | None = None

    def start(self, waited: float = 0.0) -> None:
        """Begin anew, as if so many seconds had gone to waiting for data already."""
        self._seconds = {**dict.fromkeys(ACTIVITIES, 0.0), WAITING: waited}
        self._started, self._stopped = self._clock() - waited, None

    def stop(self) -> None:
        """What follows no longer counts."""
        self._stopped = self._clock()

    @contextmanager
    def during(self, activity: str) -> Iterator[None]:
        """Count the block's seconds to ``activity``, unless another one is under way."""
        if self._outer is not None:
            yield
            return
        self._outer, began = activity, self._clock()
        try:
            yield
        finally:
            self._outer = None
            self.add(activity, self._clock() - began)

    def waits(self, items: Iterable[T]) -> Iterator[T]:
        """The same items; the time until each is there is waiting for data."""
        iterator = iter(items)
        while True:
            with self.during(WAITING):
                try:
                    item = next(iterator)
                except StopIteration:
                    return
            yield item

    def add(self, activity: str, seconds: float) -> None:
        """Count seconds that another thread has measured."""
        with self._lock:
            self._seconds[activity] += seconds

    @property
    def total_seconds(self) -> float:
        return (self._clock() if self._stopped is None else self._stopped) - self._started

    def shares(self) -> dict[str, float]:
        """The part of the time that went to each activity; together they are 1."""
        total = max(self.total_seconds, 1e-9)
        shares = {name: min(1.0, seconds / total) for name, seconds in self._seconds.items()}
        shares[COMPUTING] = max(0.0, 1.0 - sum(shares.values()))
        return shares
