"""Attempt of a step while a target runs it: its events, limits and result."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from modules.context import Report
from modules.files.json_files import read_if_valid, write_whole
from pipelines.document.target_offer import TargetOffer
from pipelines.events import Event, ProblemData
from pipelines.execution.plan import Step
from pipelines.execution.stalled_steps import StallDetector, last_words
from pipelines.execution.step_events import translate, unreported, warning_of
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
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import StepResult
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.targets.base import PREPARING, StepEnd, StepHandle, TargetPhase
from pipelines.workers.event_files import EventTail
from pipelines.workers.failures import lost_problem
from pipelines.workers.rank_errors import first_failure

TAIL_INTERVAL_SECONDS = 0.1
SIGNS_OF_RUNNING = frozenset({"running", "progress", "phase", "finalising"})
CRASHES = frozenset({PROCESS_LOST.code, RANK_LOST.code, NODE_LOST.code, UNEXPECTED.code})
PREEMPTIONS = frozenset({PROCESS_LOST.code, RANK_LOST.code, NODE_LOST.code})
"""Failures that indicate a preempted machine: a lost machine or a signal to its processes."""
MAX_PREEMPTIONS = 5
"""Limit of attempts after the first on preemptible machines, if the settings allow no more."""
WORTH_RETRYING = CRASHES | {STALL_LIMIT_REACHED.code, "0072", "0085", "0138", "0162"}


@dataclass
class RunningStep:
    """One attempt of one step."""

    step: Step
    handle: StepHandle
    stalled_seconds: float
    reported: Counter[tuple[str, int]] = field(default_factory=Counter)
    """For an adopted step: number of events of each kind that each rank had reported before."""
    _began: float | None = None
    """Time when its nodes were ready: waiting for them does not count."""
    _phase: TargetPhase = PREPARING
    _is_running: bool = False
    _threads: int | None = None
    """Number of threads last assigned to each of its processes."""
    _tailed: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._note_start()
        self.tail = EventTail(self.handle.spec.events_paths)
        limit = self.step.settings.stall_limit_minutes
        self.stall = StallDetector(self.handle.spec, self.stalled_seconds, limit)

    def give_threads(self, count: int | None) -> None:
        """Set the number of threads of each process; None leaves it unchanged."""
        if count in (None, self._threads):
            return
        self._threads = count
        with suppress(OSError):  # a full disk: it continues with the previous number
            write_whole(self.handle.spec.cores_path, count)

    def is_due(self) -> bool:
        """Return True when its events should be read again."""
        now = time.monotonic()
        if now - self._tailed < TAIL_INTERVAL_SECONDS:
            return False
        self._tailed = now
        return True

    def new_events(self) -> list[Event]:
        """Return the events since the last call, including the start and end of a stall."""
        reports = self.tail.read()
        self._is_running |= any(report["kind"] in SIGNS_OF_RUNNING for report in reports)
        warnings = [
            warning_of(self.step.node, statement) for statement in self.handle.new_warnings()
        ]
        events = (*self._phase_events(), *warnings, *self.stall.observe(reports))
        return [*events, *self._events(reports)]

    def last_events(self) -> list[Event]:
        """Return the remaining events after it has ended."""
        return self._events(self.tail.read())

    def _events(self, reports: list[Report]) -> list[Event]:
        return unreported(translate(self.step.node, reports), self.reported)

    def _phase_events(self) -> list[Event]:
        """Return an event if its target's state has changed."""
        phase = self.handle.phase
        if phase is None or phase == self._phase:
            return []
        # Its ranks report sooner than an engine that they run.
        if self._is_running and phase.name != "running":
            return []
        self._phase = phase
        hosts = ", ".join(phase.hosts)
        data = {"phase": phase.name, "waits_for": phase.waits_for, "hosts": hosts}
        return [Event("StepPhase", self.step.node, data)]

    def _note_start(self) -> None:
        phase = self.handle.phase
        if self._began is None and phase is not None and phase.name != "scaling":
            self._began = time.monotonic()

    @property
    def is_to_end(self) -> bool:
        """Return True if it has exceeded its time or stall limit."""
        return self.is_overdue or self.stall.is_too_long

    @property
    def is_overdue(self) -> bool:
        self._note_start()
        limit, began = self.step.settings.time_limit_minutes, self._began
        return limit > 0 and began is not None and time.monotonic() - began > limit * 60

    def result(self) -> StepResult | None:
        """Return the result of the first rank; None if it or its outputs are missing."""
        result = read_if_valid(self.handle.spec.result_path)
        is_there = "content" in (result or {}) or Path(self.handle.spec.staging_dir).is_dir()
        return cast("StepResult", result) if is_there else None

    def paused_after(self) -> int | None:
        """Return the epoch after which it has paused; None if it has not."""
        paused = read_if_valid(self.handle.spec.paused_path)
        return None if paused is None else int(paused.get("epoch", 0))

    def adopt_outputs(self, artifacts: ArtifactStore, result: StepResult) -> ArtifactRecord:
        """Move the outputs to their final place."""
        spec = self.handle.spec
        origin = (spec.key_of(result), spec.run_id, spec.node)
        return artifacts.take_in(Path(spec.staging_dir), *origin, result, spec.artifact_path)

    def discard(self) -> None:
        """Remove the files of a failed attempt."""
        shutil.rmtree(self.handle.spec.staging_dir, ignore_errors=True)

    def problem(self, end: StepEnd) -> ProblemData:
        """Return why it failed."""
        # It was ended for a limit: its processes' last errors are consequences.
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
        # The first error of all ranks is the reason, otherwise how the process ended.
        return first_failure(self.handle.spec) or lost_problem(self.handle.spec, end.worst)

    def may_retry(self, problem: ProblemData, tries: int, *, is_preempted: bool) -> bool:
        """Return True for transient failures, as often as the settings allow retries."""
        retries = self.step.settings.retries
        if is_preempted:
            retries = max(MAX_PREEMPTIONS, retries)
        if problem["code"] == STALL_LIMIT_REACHED.code:
            retries = max(1, retries)  # a stall limit implies retries
        return problem["code"] in WORTH_RETRYING and tries <= retries


def is_preemption(problem: ProblemData, offer: TargetOffer) -> bool:
    """Return True for failures that indicate a preempted machine."""
    return offer.is_preemptible and problem["code"] in PREEMPTIONS
