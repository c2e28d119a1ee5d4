"""A trial of a search as strategies see it: its values and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

Goal = Literal["maximize", "minimize"]
OPEN = frozenset({"planned", "running", "interrupted", "paused"})
"""States of trials that have not ended for good."""


@dataclass(frozen=True)
class Trial:
    """Trial as its strategy sees it; ``objective`` is None without a comparable result."""

    number: int
    values: Mapping[str, Any]
    state: str
    objective: float | None = None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN


class Ended(Protocol):
    """A trial that may be the best one."""

    @property
    def number(self) -> int: ...
    @property
    def state(self) -> str: ...
    @property
    def objective(self) -> float | None: ...


AnyTrial = TypeVar("AnyTrial", bound=Ended)


def ranked(trials: Sequence[AnyTrial], goal: Goal) -> list[AnyTrial]:
    """Return the completed trials with an objective, best first, of equal ones the earlier."""
    sign = -1 if goal == "maximize" else 1
    ended = [
        (sign * trial.objective, trial.number, trial)
        for trial in trials
        if trial.state == "completed" and trial.objective is not None
    ]
    return [trial for _, _, trial in sorted(ended, key=lambda entry: entry[:2])]


def best_of(trials: Sequence[AnyTrial], goal: Goal) -> AnyTrial | None:
    """Return the completed trial with the best objective, of equal ones the first."""
    return next(iter(ranked(trials, goal)), None)
