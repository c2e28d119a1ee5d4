"""A trial of a sweep: one run with its own values, and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from pipelines.document.settings import Goal

OPEN = frozenset({"planned", "running", "interrupted", "paused"})
"""States of trials that have not ended for good."""


@dataclass(frozen=True)
class Trial:
    """Trial as its strategy sees it; ``objective`` is None without a comparable result."""

    number: int
    values: Mapping[str, JsonValue]
    state: str
    objective: float | None = None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN


def best_of(trials: Sequence[Any], goal: Goal) -> Any | None:
    """Return the completed trial with the best objective, of equal ones the first."""
    ended = [
        trial for trial in trials if trial.state == "completed" and trial.objective is not None
    ]
    sign = -1 if goal == "maximize" else 1
    return min(ended, key=lambda trial: (sign * trial.objective, trial.number), default=None)
