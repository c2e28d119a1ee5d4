"""Choosing between two ways to compute the same by timing both where they are used."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

ROUNDS = 4
"""Both ways run by turns so often; the shortest time of each counts."""
CLEARLY = 0.9
"""The second way must take at most so much of the time to be preferred."""


class Autotuner:
    """Runs a usual way and another one by turns, then whichever was faster."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seconds: tuple[list[float], list[float]] = ([], [])
        self.prefers_other: bool | None = None
        """None until both ways were timed."""

    def run(self, usual: Callable[[], Result], other: Callable[[], Result]) -> Result:
        """What both give, computed in the way whose turn it is, or that has won."""
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
