"""One attempt of one step while a target runs it: its events, its limits, what came of it."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.files.json_files import read_if_valid
from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.events import Event
from pipelines.execution.plan import Step
from pipelines.execution.stalled_steps import StallDetector
from pipelines.execution.step_events import translate
from pipelines.problems import (
    PROCESS_LOST,
    RANK_LOST,
    STALL_LIMIT_REACHED,
    TIME_LIMIT_REACHED,
    UNEXPECTED,
    Problem,
)
from pipelines.sentences import steps
from pipelines.store.artifacts import ArtifactRecord
from pipelines.targets.base import StepHandle
from pipelines.workers.event_files import EventTail
from pipelines.workers.failures import first_failure, lost_problem

TAIL_INTERVAL_SECONDS = 0.1
CRASHES = frozenset({PROCESS_LOST.code, RANK_LOST.code, UNEXPECTED.code})
WORTH_RETRYING = CRASHES | {STALL_LIMIT_REACHED.code, "0072", "0085", "0138", "0162"}


@dataclass
class RunningStep:
    """One attempt of one step."""

    step: Step
    handle: StepHandle
    stalled_seconds: float
    started: float = field(default_factory=time.monotonic)
    _tailed: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.tail = EventTail(self.handle.spec.events_paths)
        limit = self.step.settings.stall_limit_minutes
        self.stall = StallDetector(self.handle.spec, self.stalled_seconds, limit)

    def is_due(self) -> bool:
        """True when its events should be read again."""
        now = time.monotonic()
        if now - self._tailed < TAIL_INTERVAL_SECONDS:
            return False
        self._tailed = now
        return True

    def new_events(self) -> list[Event]:
        """What it has reported since the last call, and whether it stalls or goes on again."""
        reports = self.tail.read()
        return [*self.stall.observe(reports), *translate(self.step.node, reports)]

    @property
    def is_to_end(self) -> bool:
        """True where it has passed a limit of its settings, of time or of standing still."""
        return self.is_overdue or self.stall.is_too_long

    @property
    def is_overdue(self) -> bool:
        limit = self.step.settings.time_limit_minutes
        return limit > 0 and time.monotonic() - self.started > limit * 60

    def result(self) -> dict[str, Any] | None:
        """What the first rank left; None when it is missing or its outputs are."""
        result = read_if_valid(self.handle.spec.result_path)
        return result if result and Path(self.handle.spec.staging_dir).is_dir() else None

    def adopt_outputs(self, artifacts: ArtifactStore, result: dict[str, Any]) -> ArtifactRecord:
        """Move the outputs to their place and forget the checkpoint."""
        spec = self.handle.spec
        key = spec.key_of(result)
        record = artifacts.take_in(Path(spec.staging_dir), key, spec.run_id, spec.node, result)
        shutil.rmtree(Path(spec.node_dir) / "checkpoint", ignore_errors=True)
        return record

    def discard(self) -> None:
        """Remove what a failed attempt made."""
        shutil.rmtree(self.handle.spec.staging_dir, ignore_errors=True)

    def problem(self, code: int | None) -> dict[str, Any]:
        """Why it failed."""
        # It was ended from here for a limit; what its processes left to say follows from that.
        if self.stall.is_too_long:
            return self.stall.problem()
        if self.is_overdue:
            minutes = self.step.settings.time_limit_minutes
            return Problem.of(
                TIME_LIMIT_REACHED,
                steps.TIME_LIMIT,
                minutes=minutes,
                node=self.step.node,
            ).to_json()
        # The first error of all ranks tells why, else how the process ended.
        return first_failure(self.handle.spec) or lost_problem(self.handle.spec, code)

    def may_retry(self, problem: dict[str, Any], tries: int) -> bool:
        """True for failures that need not happen again, as often as the settings allow."""
        retries = self.step.settings.retries
        if problem["code"] == STALL_LIMIT_REACHED.code:
            retries = max(1, retries)  # who sets a stall limit wants it tried again
        return problem["code"] in WORTH_RETRYING and tries <= retries
