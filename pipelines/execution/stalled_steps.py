"""Stalled steps: detected, shown with the last output of each rank, ended on request."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from modules.context import Report
from pipelines.events import Event, ProblemData
from pipelines.problems import STALL_LIMIT_REACHED, Problem
from pipelines.sentences import steps
from pipelines.workers.failures import last_line
from pipelines.workers.step_spec import StepSpec

STALLED_SECONDS = 60.0
"""A step that has reported progress or activity and then nothing for this long is stalled."""
LONGEST_INTERVAL_SECONDS = 2.0
"""Upper limit of the silence counted between two observations, as runners can be delayed."""
SIGNS = frozenset({"progress", "alive"})
"""Events after which a step is expected to report regularly; most light steps send neither."""
MAX_RANKS = 64
"""Number of ranks whose last output is shown."""


@dataclass
class StallDetector:
    """Time that a step has reported nothing while the runner was reading."""

    spec: StepSpec
    stalled_seconds: float = STALLED_SECONDS
    limit_minutes: float | None = None
    seconds: float = 0.0
    is_stalled: bool = False
    is_too_long: bool = False
    """True when the step must be ended for it."""
    _observed: float = field(default_factory=time.monotonic)
    _has_reported: bool = False

    def observe(self, reports: list[Report]) -> list[Event]:
        """Process the reports since the last call; return the resulting events."""
        now = time.monotonic()
        self.seconds += min(now - self._observed, LONGEST_INTERVAL_SECONDS)
        self._observed = now
        self._has_reported |= any(report["kind"] in SIGNS for report in reports)
        if reports:
            self.seconds = 0.0
        # Only a step that reports regularly can stall; the limit is the user's.
        limit = self.limit_minutes
        self.is_too_long |= self._has_reported and limit is not None and self.seconds > limit * 60
        is_stalled = self._has_reported and self.seconds >= self.stalled_seconds
        # Outputs are hashed and synced silently, which may take minutes.
        if any(report["kind"] == "finalising" for report in reports):
            is_stalled = self._has_reported = False
        if is_stalled == self.is_stalled:
            return []
        self.is_stalled = is_stalled
        kind = "StepStalled" if is_stalled else "StepWentOn"
        return [Event(kind, self.spec.node, self._facts() if is_stalled else {})]

    def _facts(self) -> dict[str, object]:
        return {"since": time.time() - self.seconds, "ranks": _last_lines(self.spec)}

    def problem(self) -> ProblemData:
        """Return the problem of a step that was ended for a stall."""
        return Problem.of(
            STALL_LIMIT_REACHED,
            steps.STALL_LIMIT,
            minutes=self.limit_minutes,
            last=last_words(self.spec),
            node=self.spec.node,
        ).to_json()


def last_words(spec: StepSpec) -> str:
    """Return the last output of the first ranks, for the end of a sentence."""
    words = [f" Rank {rank}: {line}" for rank, line in _last_lines(spec).items() if line]
    return "".join(words[:4])


def _last_lines(spec: StepSpec) -> dict[str, str]:
    ranks = range(min(spec.num_processes, MAX_RANKS))
    return {str(rank): last_line(spec.log_path(rank)) for rank in ranks}
