"""Time of a training or a scoring, by activity."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from modules.compute.thread_count import FreeCores
from modules.operating_system.machine import num_cores

T = TypeVar("T")

WAITING = "waiting for data"
COMMUNICATING = "communicating"
VALIDATING = "validating"
SAVING = "saving"
COMPUTING = "computing"
ACTIVITIES = (WAITING, COMPUTING, COMMUNICATING, VALIDATING, SAVING)


class Stopwatch:
    """Clock of one process that counts each second once; time without activity is computing.

    An activity inside another one counts to the outer one: reading during validation is validating.
    It also measures the load of other processes from its start to its stop.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds = dict.fromkeys(ACTIVITIES, 0.0)
        self._lock = threading.Lock()
        self._outer: str | None = None
        self._started = clock()
        self._stopped: float | None = None
        self._free_cores = FreeCores()
        self.busy_share = 0.0
        """Share of the cores that other processes used, 0 to 1; known when it has stopped."""

    def start(self, waited: float = 0.0) -> None:
        """Start, with these seconds already counted as waiting for data."""
        self._seconds = {**dict.fromkeys(ACTIVITIES, 0.0), WAITING: waited}
        self._started, self._stopped = self._clock() - waited, None
        self._free_cores = FreeCores()

    def stop(self) -> None:
        """Stop the clock."""
        self._stopped = self._clock()
        self.busy_share = 1 - self._free_cores.look() / num_cores()

    @contextmanager
    def during(self, activity: str) -> Iterator[None]:
        """Count the block's seconds to ``activity``, unless another one is active."""
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
        """Yield the same items, counting the time until each is available as waiting for data."""
        iterator = iter(items)
        while True:
            with self.during(WAITING):
                try:
                    item = next(iterator)
                except StopIteration:
                    return
            yield item

    def add(self, activity: str, seconds: float) -> None:
        """Add seconds that another thread has measured."""
        with self._lock:
            self._seconds[activity] += seconds

    @property
    def total_seconds(self) -> float:
        return (self._clock() if self._stopped is None else self._stopped) - self._started

    def shares(self) -> dict[str, float]:
        """Return the fraction of the time of each activity; together they are 1."""
        total = max(self.total_seconds, 1e-9)
        shares = {name: min(1.0, seconds / total) for name, seconds in self._seconds.items()}
        shares[COMPUTING] = max(0.0, 1.0 - sum(shares.values()))
        return shares
