"""Selection between two ways to compute the same result, by timing both in use."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

ROUNDS = 4
"""Number of alternating runs of both ways; the shortest time of each counts."""
CLEARLY = 0.9
"""Maximum ratio of times at which the second way is preferred."""


class Autotuner:
    """Runner that alternates between a usual way and another one, then keeps the faster."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds: tuple[list[float], list[float]] = ([], [])
        self.prefers_other: bool | None = None
        """None until both ways are timed."""

    def run(self, usual: Callable[[], Result], other: Callable[[], Result]) -> Result:
        """Compute the result in the way whose turn it is, or in the faster one."""
        if self.prefers_other is not None:
            return other() if self.prefers_other else usual()
        times, others = self._seconds
        is_others_turn = len(others) < len(times)
        began = self._clock()
        result = other() if is_others_turn else usual()
        (others if is_others_turn else times).append(self._clock() - began)
        if len(others) == ROUNDS:
            self.prefers_other = min(others) <= CLEARLY * min(times)
        return result
