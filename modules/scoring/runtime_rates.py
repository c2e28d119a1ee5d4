"""Comparison of the speed of runtimes by turns, also on a busy machine.

Shape letters: N images of a batch, C channels, H height, W width.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modules.operating_system.kernel import waiting_seconds
from modules.scoring.backends import Runtime

if TYPE_CHECKING:
    import torch

TURNS, TURN_SECONDS = 7, 20.0
"""Turns of each runtime after the first one, and the time after which there are no more."""
DISTURBED = 0.2
"""Seconds per second that the threads of a turn waited for a core, together, because of others."""


class _Turn(NamedTuple):
    """One call of a runtime."""

    seconds: float
    cpu_seconds: float
    waited_seconds: float


@dataclass(frozen=True)
class RuntimeRates:
    """Speed of runtimes by name, for one number of images."""

    images_per_second: dict[str, float]
    """Rate of the fastest turn."""
    cpu_seconds: dict[str, float]
    """Least CPU time of a turn."""
    is_disturbed: bool
    """True if other work delayed even the fastest turns."""

    def gain(self, name: str, other: str) -> float:
        """Return how many times faster a runtime is than another one.

        On a busy machine by CPU time, which other work hardly changes.
        """
        if self.is_disturbed:
            return self.cpu_seconds[other] / max(self.cpu_seconds[name], 1e-9)
        return self.images_per_second[name] / max(self.images_per_second[other], 1e-9)


def compared_rates(runtimes: Mapping[str, Runtime], images_NCHW: torch.Tensor) -> RuntimeRates:
    """Measure runtimes by turns on a batch."""
    turns: dict[str, list[_Turn]] = {name: [] for name in runtimes}
    started = time.monotonic()
    for number in range(1 + TURNS):
        for name, runtime in runtimes.items():
            turns[name].append(_turn(runtime, images_NCHW))
        if number and time.monotonic() - started > TURN_SECONDS:
            break
    fastest = {name: min(taken[1:]) for name, taken in turns.items()}
    return RuntimeRates(
        {name: len(images_NCHW) / max(turn.seconds, 1e-9) for name, turn in fastest.items()},
        {name: _least_cpu(taken[1:]) for name, taken in turns.items()},
        any(turn.waited_seconds > DISTURBED * turn.seconds for turn in fastest.values()),
    )


def _turn(runtime: Runtime, images_NCHW: torch.Tensor) -> _Turn:
    waited = sum(waiting_seconds().values())
    began, cpu = time.perf_counter(), time.process_time()
    runtime(images_NCHW)
    seconds, cpu_seconds = time.perf_counter() - began, time.process_time() - cpu
    return _Turn(seconds, cpu_seconds, sum(waiting_seconds().values()) - waited)


def _least_cpu(turns: Sequence[_Turn]) -> float:
    return min(turn.cpu_seconds for turn in turns)
