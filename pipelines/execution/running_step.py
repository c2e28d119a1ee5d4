"""One attempt of one step while a target runs it: its events, its limits, what came of it."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from modules.files.json_files import read_if_valid, write_whole
from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.events import Event
from pipelines.execution.plan import Step
from pipelines.execution.stalled_steps import StallDetector, last_words
from pipelines.execution.step_events import translate, untold, warning_of
from pipelines.problems import (
    NODE_LOST,
    PROCESS_LOST,
    RANK_LOST,
    STALL_LIMIT_REACHED,
    TIME_LIMIT_REACHED,
    UNEXPECTED,
    Problem,
)
from pipelines.sentences import steps
from pipelines.store.artifacts import ArtifactRecord
from pipelines.targets.base import PREPARING, StepEnd, StepHandle, TargetPhase
from pipelines.targets.offer import TargetOffer
from pipelines.workers.event_files import EventTail
from pipelines.workers.failures import lost_problem
from pipelines.workers.rank_errors import first_failure

TAIL_INTERVAL_SECONDS = 0.1
SIGNS_OF_RUNNING = frozenset({"running", "progress", "phase", "finalising"})
CRASHES = frozenset({PROCESS_LOST.code, RANK_LOST.code, NODE_LOST.code, UNEXPECTED.code})
PREEMPTIONS = frozenset({PROCESS_LOST.code, RANK_LOST.code, NODE_LOST.code})
"""As what it is seen that a machine was taken away: all of it, or a signal to its processes."""
MAX_PREEMPTIONS = 5
"""Attempts after the first where machines may be taken away, if the settings allow no more."""
WORTH_RETRYING = CRASHES | {STALL_LIMIT_REACHED.code, "0072", "0085", "0138", "0162"}


@dataclass
class RunningStep:
    """One attempt of one step."""

    step: Step
    handle: StepHandle
    stalled_seconds: float
    told: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Of a step that was taken over: how much of each kind a rank had told before."""
    _began: float | None = None
    """When its nodes were there: what it waits for them is none of its time."""
    _phase: TargetPhase = PREPARING
    _is_running: bool = False
    _threads: int | None = None
    """Those that each of its processes was last given."""
    _tailed: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._note_beginning()
        self.tail = EventTail(self.handle.spec.events_paths)
        limit = self.step.settings.stall_limit_minutes
        self.stall = StallDetector(self.handle.spec, self.stalled_seconds, limit)

    def give_threads(self, count: int | None) -> None:
        """Set the number of threads of each process; None leaves it unchanged."""
        if count in (None, self._threads):
            return
        self._threads = count
        with suppress(OSError):  # a full disk: it goes on with those that it has
            write_whole(self.handle.spec.cores_path, count)

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
        self._is_running |= any(report["kind"] in SIGNS_OF_RUNNING for report in reports)
        warnings = [warning_of(self.step.node, said) for said in self.handle.new_warnings()]
        told = (*self._phase_events(), *warnings, *self.stall.observe(reports))
        return [*told, *self._events(reports)]

    def last_events(self) -> list[Event]:
        """What it has reported since, once it has ended."""
        return self._events(self.tail.read())

    def _events(self, reports: list[dict[str, Any]]) -> list[Event]:
        return untold(translate(self.step.node, reports), self.told)

    def _phase_events(self) -> list[Event]:
        """How far its target is with it, where that has changed."""
        phase = self.handle.phase
        if phase is None or phase == self._phase:
            return []
        # Its ranks tell sooner than an engine that they run.
        if self._is_running and phase.name != "running":
            return []
        self._phase = phase
        return [Event("StepPhase", self.step.node, phase.to_json())]

    def _note_beginning(self) -> None:
        phase = self.handle.phase
        if self._began is None and phase is not None and phase.name != "scaling":
            self._began = time.monotonic()

    @property
    def is_to_end(self) -> bool:
        """True where it has passed a limit of its settings, of time or of standing still."""
        return self.is_overdue or self.stall.is_too_long

    @property
    def is_overdue(self) -> bool:
        self._note_beginning()
        limit, began = self.step.settings.time_limit_minutes, self._began
        return limit > 0 and began is not None and time.monotonic() - began > limit * 60

    def result(self) -> dict[str, Any] | None:
        """What the first rank left; None when it is missing or its outputs are."""
        result = read_if_valid(self.handle.spec.result_path)
        is_there = "content" in (result or {}) or Path(self.handle.spec.staging_dir).is_dir()
        return result if is_there else None

    def adopt_outputs(self, artifacts: ArtifactStore, result: dict[str, Any]) -> ArtifactRecord:
        """Move the outputs to their place."""
        spec = self.handle.spec
        place = (spec.key_of(result), spec.run_id, spec.node)
        return artifacts.take_in(Path(spec.staging_dir), *place, result, spec.artifact_path)

    def discard(self) -> None:
        """Remove what a failed attempt made."""
        shutil.rmtree(self.handle.spec.staging_dir, ignore_errors=True)

    def problem(self, end: StepEnd) -> dict[str, Any]:
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
                last=last_words(self.handle.spec),
                node=self.step.node,
            ).to_json()
        if end.problem is not None:
            return {**end.problem, "node": self.step.node}
        # The first error of all ranks tells why, else how the process ended.
        return first_failure(self.handle.spec) or lost_problem(self.handle.spec, end.worst)

    def may_retry(self, problem: dict[str, Any], tries: int, *, is_preempted: bool) -> bool:
        """True for failures that need not happen again, as often as the settings allow."""
        retries = self.step.settings.retries
        if is_preempted:
            retries = max(MAX_PREEMPTIONS, retries)
        if problem["code"] == STALL_LIMIT_REACHED.code:
            retries = max(1, retries)  # who sets a stall limit wants it tried again
        return problem["code"] in WORTH_RETRYING and tries <= retries


def is_preemption(problem: dict[str, Any], offer: TargetOffer) -> bool:
    """True for what is seen of a machine that its target has taken away."""
    return offer.is_preemptible and problem["code"] in PREEMPTIONS
