"""Early stopping of poor trials by their curves: median and bandit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Literal, Protocol

from modules.search.trials import Goal

FEWEST_OTHERS = 3
"""Number of other trials from which their median counts."""
Curve = Mapping[int, float]
"""Values of a metric by epoch."""


class PruningLike(Protocol):
    """Settings of early stopping; halving pauses trials instead (``modules.search.halving``)."""

    @property
    def kind(self) -> Literal["halving", "median", "bandit"]: ...
    @property
    def first_epoch(self) -> int: ...
    @property
    def slack(self) -> float: ...


def is_behind(own: Curve, others: Sequence[Curve], pruning: PruningLike, goal: Goal) -> bool:
    """Return True if a running trial is to be stopped for its curve so far.

    Its best value is compared with the best values of others up to the same epoch: with their
    median (Golovin et al., Google Vizier, 2017), or with the best of all and some slack.
    """
    epoch = max(own, default=0)
    if epoch < pruning.first_epoch or pruning.kind == "halving":
        return False
    reached = [curve for curve in others if max(curve, default=0) >= epoch]
    sign = 1 if goal == "maximize" else -1
    values = [best for curve in reached if (best := _best(curve, epoch, sign)) is not None]
    value = _best(own, epoch, sign)
    if not values:
        return False
    if value is None:  # only NaN until here
        return True
    if pruning.kind == "median":
        return len(values) >= FEWEST_OTHERS and value < median(values)
    return value < max(values) - pruning.slack * abs(max(values))


def _best(curve: Curve, epoch: int, sign: int) -> float | None:
    """Return the best value up to an epoch, of which larger ones are better."""
    values = [sign * value for at, value in curve.items() if at <= epoch and math.isfinite(value)]
    return max(values, default=None)
