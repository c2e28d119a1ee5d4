"""Successive halving: trials pause at *rungs*, and only the best of each rung continue.

All trials keep their number of epochs, so that their learning-rate schedules and curves can be
compared: halving pauses them instead of starting short ones. Jamieson and Talwalkar, Non-stochastic
Best Arm Identification and Hyperparameter Optimization, 2016.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, Protocol, TypeVar

from modules.search.trials import OPEN, Ended, Goal


class HalvingLike(Protocol):
    """Settings of successive halving."""

    @property
    def first_epoch(self) -> int: ...
    @property
    def factor(self) -> float: ...


class Halved(Ended, Protocol):
    """A trial that pauses at an epoch; None if it has none."""

    @property
    def epoch(self) -> int | None: ...


HalvedTrial = TypeVar("HalvedTrial", bound=Halved)


class Decision(NamedTuple, Generic[HalvedTrial]):
    """Decision on the trials that are paused at a rung."""

    promoted: list[HalvedTrial]
    """The best one first."""
    next_epoch: int
    """Epoch at which the promoted ones pause again; the last one for those that run to the end."""
    stopped: list[HalvedTrial]


def rungs(halving: HalvingLike, epochs: int) -> list[int]:
    """Return the epochs at which successive halving pauses trials, and the last epoch.

    With a factor of 3 and 9 epochs: 1, 3, 9.
    """
    at, result = float(halving.first_epoch), list[int]()
    while at < epochs:
        result.append(math.floor(at))
        at = max(at * halving.factor, at + 1)
    return [*result, epochs]


def num_promoted(reached: int, halving: HalvingLike) -> int:
    """Return how many of the trials that reached a rung continue: at least one."""
    return max(1, math.floor(reached / halving.factor))


def halved(
    trials: Sequence[HalvedTrial], halving: HalvingLike, epochs: int, goal: Goal
) -> Decision[HalvedTrial] | None:
    """Return the decision about the lowest rung that all trials have reached; None while they run.

    Of those that reached it, one of ``factor`` is promoted, at least one. Promotions that were
    recorded before count, so that a decision can be made again after a crash.
    """
    for rung, following in pairwise(rungs(halving, epochs)):
        at_rung = [trial for trial in trials if trial.epoch == rung]
        if any(trial.state in OPEN and trial.state != "paused" for trial in at_rung):
            return None
        paused = [trial for trial in at_rung if trial.state == "paused"]
        if not paused:
            continue
        beyond = [trial for trial in trials if trial.epoch is not None and trial.epoch > rung]
        reached = len(paused) + len(beyond) + sum(trial.state == "stopped" for trial in at_rung)
        quota = max(0, num_promoted(reached, halving) - len(beyond))
        best = best_first(paused, goal)
        return Decision(best[:quota], following, best[quota:])
    return None


def best_first(trials: Sequence[HalvedTrial], goal: Goal) -> list[HalvedTrial]:
    """Return trials by their value so far, the best first, those without one last."""
    sign = -1 if goal == "maximize" else 1
    return sorted(
        trials,
        key=lambda trial: (trial.objective is None, sign * (trial.objective or 0.0), trial.number),
    )
