"""A step that stands still: noticed, shown with the last words of each rank, ended where wanted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from pipelines.events import Event
from pipelines.problems import STALL_LIMIT_REACHED, Problem
from pipelines.sentences import steps
from pipelines.workers.failures import last_line
from pipelines.workers.step_spec import StepSpec

STALLED_SECONDS = 60.0
"""A step that told how far it is, or that it is at work, and then nothing for so long, counts as
stalled."""
LONGEST_INTERVAL_SECONDS = 2.0
"""Of the time between two observations no more counts: a runner or a machine that was held up
itself received nothing because of that."""
SIGNS = frozenset({"progress", "alive"})
"""What a step says that will go on saying it; most light ones say neither."""
MAX_RANKS = 64
"""Whose last words are told."""


@dataclass
class StallDetector:
    """How long a step has reported nothing while somebody was there to read it."""

    spec: StepSpec
    stalled_seconds: float = STALLED_SECONDS
    limit_minutes: float | None = None
    seconds: float = 0.0
    is_stalled: bool = False
    is_too_long: bool = False
    """True once the step is to be ended for it."""
    _observed: float = field(default_factory=time.monotonic)
    _has_reported: bool = False

    def observe(self, reports: list[dict[str, Any]]) -> list[Event]:
        """Take in what the step reported since the last call; gives the events that follow."""
        now = time.monotonic()
        self.seconds += min(now - self._observed, LONGEST_INTERVAL_SECONDS)
        self._observed = now
        self._has_reported |= any(report["kind"] in SIGNS for report in reports)
        if reports:
            self.seconds = 0.0
        # Only who has said that it would go on saying so can fall silent; the limit is the user's.
        limit = self.limit_minutes
        self.is_too_long |= self._has_reported and limit is not None and self.seconds > limit * 60
        is_stalled = self._has_reported and self.seconds >= self.stalled_seconds
        # Outputs are hashed and synced without a word, which may take minutes.
        if any(each["kind"] == "finalising" for each in reports):
            is_stalled = self._has_reported = False
        if is_stalled == self.is_stalled:
            return []
        self.is_stalled = is_stalled
        kind = "StepStalled" if is_stalled else "StepWentOn"
        return [Event(kind, self.spec.node, self._facts() if is_stalled else {})]

    def _facts(self) -> dict[str, Any]:
        return {"since": time.time() - self.seconds, "ranks": _last_lines(self.spec)}

    def problem(self) -> dict[str, Any]:
        """Why a step was ended that stood still for too long."""
        return Problem.of(
            STALL_LIMIT_REACHED,
            steps.STALL_LIMIT,
            minutes=self.limit_minutes,
            last=last_words(self.spec),
            node=self.spec.node,
        ).to_json()


def last_words(spec: StepSpec) -> str:
    """What the first ranks printed last, for the end of a sentence."""
    words = [f" Rank {rank}: {line}" for rank, line in _last_lines(spec).items() if line]
    return "".join(words[:4])


def _last_lines(spec: StepSpec) -> dict[str, str]:
    ranks = range(min(spec.num_processes, MAX_RANKS))
    return {str(rank): last_line(spec.log_path(rank)) for rank in ranks}
