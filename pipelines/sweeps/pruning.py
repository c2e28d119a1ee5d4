"""Early stopping of poor trials by successive halving (``modules.search.pruning`` has others).

All trials keep their number of epochs, so that their learning-rate schedules and curves can be
compared: halving pauses them at *rungs* instead of starting short ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from pipelines.document.settings import Goal, SweepPruning
from pipelines.store.database.sweeps import TrialRow


class Decision(NamedTuple):
    """Decision on the trials that are paused at a rung."""

    promoted: list[TrialRow]
    next_epoch: int
    """Epoch at which the promoted ones pause again; the last one for those that run to the end."""
    stopped: list[TrialRow]


def rungs(pruning: SweepPruning, epochs: int) -> list[int]:
    """Return the epochs at which successive halving pauses trials, and the last epoch.

    With a factor of 3 and 9 epochs: 1, 3, 9.
    """
    at, result = float(pruning.first_epoch), list[int]()
    while at < epochs:
        result.append(math.floor(at))
        at = max(at * pruning.factor, at + 1)
    return [*result, epochs]


def halved(
    trials: Sequence[TrialRow], pruning: SweepPruning, epochs: int, goal: Goal
) -> Decision | None:
    """Return the decision about the lowest rung that all trials have reached; None while they run.

    Of those that reached it, one of ``factor`` is promoted, at least one. Promotions that were
    recorded before count, so that a decision can be made again after a crash.
    """
    for rung, following in pairwise(rungs(pruning, epochs)):
        at_rung = [trial for trial in trials if trial.epoch == rung]
        if any(trial.state in ("planned", "running", "interrupted") for trial in at_rung):
            return None
        paused = [trial for trial in at_rung if trial.state == "paused"]
        if not paused:
            continue
        beyond = [trial for trial in trials if trial.epoch is not None and trial.epoch > rung]
        reached = len(paused) + len(beyond) + sum(trial.state == "stopped" for trial in at_rung)
        quota = max(1, math.floor(reached / pruning.factor)) - len(beyond)
        sign = -1 if goal == "maximize" else 1
        ranked = sorted(paused, key=lambda trial: (sign * (trial.objective or 0.0), trial.number))
        return Decision(ranked[: max(0, quota)], following, ranked[max(0, quota) :])
    return None
