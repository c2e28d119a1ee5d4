"""Events of a run, its single source of truth: state, live view and replay are folded from them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, cast

from modules.context import Phase
from modules.errors import Evidence
from modules.schema_reference import SchemaReference
from modules.sentences.sentence import Facts

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:  # pydantic describes only this one
    from typing_extensions import TypedDict

UNFINISHED_STEP = frozenset({"not started", "queued", "preparing", "running", "finalising"})
UNFINISHED_RUN = frozenset({"queued", "running"})
SUCCEEDED_STEP = frozenset({"completed", "reused"})
STATUS_OF_PHASE = {
    "preparing": "preparing",
    "running": "running",
    "post-processing": "finalising",
}
"""Statuses by phase: a step that waits for resources, in phase "scaling", stays queued."""
LANE = ("done", "total", "own_seconds", "own_images_per_second")
"""Fields kept of the progress of ranks other than the first."""
EventData = dict[str, Any]
"""Values of an event by name; its kind determines the names."""
Progress = dict[str, Any]
"""Last ``StepProgress`` of a step: of its first rank, with those of others in ``ranks``."""
RunEnvironment = Mapping[str, Any]
"""Program, libraries and machine of a run by name, as in ``RunStarted``."""
Remedy = dict[str, Any]
"""Fix of a problem for a button, see ``pipelines.problems.Problem``."""


@dataclass(frozen=True)
class Event:
    """Event of a run; ``time`` is seconds since the epoch."""

    kind: str
    node: str | None = None
    data: EventData = field(default_factory=dict)
    time: float = field(default_factory=time.time)
    id: int | None = None


class ProblemData(TypedDict):
    """Problem (``pipelines.problems.Problem``) as stored in events and files."""

    code: str
    name: str
    severity: str
    node: str | None
    port: str | None
    parameter: str | None
    message: str
    cure: str
    remedy: Remedy | None
    details: Evidence | None
    reason: str
    facts: Facts


StoredProblem = Annotated[ProblemData, SchemaReference("Problem")]


class PhaseData(TypedDict):
    """Phase of a step; ``facts``: the reason for waiting, or what was built and its size."""

    phase: Phase
    started: float
    finished: float | None
    facts: Facts


@dataclass
class StepState:
    """State of one node."""

    status: str = "not started"
    attempt: int = 0
    key: str | None = None
    artifact_id: str | None = None
    reused_from: str | None = None
    started: float | None = None
    finished: float | None = None
    problem: StoredProblem | None = None
    progress: Progress | None = None
    summary: str | None = None
    warnings: list[str] = field(default_factory=list)
    phases: list[PhaseData] = field(default_factory=list)
    """Consecutive phases."""

    def __post_init__(self) -> None:
        """Complete the values of rows of earlier versions."""
        self.problem = complete_problem(self.problem)
        self.warnings, self.phases = self.warnings or [], self.phases or []

    @property
    def stalled(self) -> Progress | None:
        """Return the stall: its start ``since``, and the last line of each of the ``ranks``."""
        return (self.progress or {}).get("stalled") if self.status == "running" else None

    @property
    def seconds(self) -> float | None:
        """Return its duration in seconds; None while it runs or if it never did."""
        if self.started is None or self.finished is None:
            return None
        return self.finished - self.started


@dataclass
class RunState:
    """State of a run and each of its nodes."""

    status: str = "queued"
    started: float | None = None
    finished: float | None = None
    cancel_requested: bool = False
    problem: StoredProblem | None = None
    steps: dict[str, StepState] = field(default_factory=dict)

    @property
    def seconds(self) -> float | None:
        """Return its duration in seconds; None while it runs."""
        if self.started is None or self.finished is None:
            return None
        return self.finished - self.started

    def __post_init__(self) -> None:
        """Complete the problem of a row of an earlier version."""
        self.problem = complete_problem(self.problem)

    @property
    def is_finished(self) -> bool:
        return self.status not in UNFINISHED_RUN


def complete_problem(problem: Mapping[str, Any] | None) -> ProblemData | None:
    """Return a stored problem with all fields; older ones have neither reason nor facts."""
    if problem is None:
        return None
    complete: Any = {"details": None, "reason": "", "facts": {}, **problem}
    return cast("ProblemData", complete)


def fold(events: Iterable[Event]) -> RunState:
    """Return the state from a run's events in order."""
    state = RunState()
    for event in events:
        apply(state, event)
    return state


def apply(state: RunState, event: Event) -> None:
    """Apply one event to the state; an event of an unknown kind changes nothing."""
    if event.node is None:
        _apply_to_run(state, event)
    else:
        _apply_to_step(state.steps.setdefault(event.node, StepState()), event)


def _apply_to_run(state: RunState, event: Event) -> None:
    match event.kind:
        case "RunQueued":
            state.status, state.finished, state.problem = "queued", None, None
            state.cancel_requested = False
            for node in event.data["nodes"]:
                _requeue(state, node)
        case "RunStarted":
            state.status = "running"
            state.started = state.started or event.time
        case "RunInterrupted":
            state.status = "queued"
        case "RunCancelRequested":
            state.cancel_requested = True
        case "RunFinished":
            state.status, state.finished = event.data["status"], event.time
            state.problem = complete_problem(event.data.get("problem"))


def _requeue(state: RunState, node: str) -> None:
    """Reset all nodes except finished outputs of an earlier submission."""
    step = state.steps.get(node, StepState())
    if step.status not in SUCCEEDED_STEP:
        state.steps[node] = StepState(attempt=step.attempt)


def _apply_to_step(step: StepState, event: Event) -> None:
    data = event.data
    match event.kind:
        case "StepQueued":
            queued = StepState("queued", step.attempt, data.get("key"), warnings=step.warnings)
            step.__dict__.update(queued.__dict__)
        case "StepStarted":
            step.status, step.attempt, step.started = "preparing", data["attempt"], event.time
            _enter(step, "preparing", event.time)
        case "StepLooking":
            step.progress = data
        case "StepPhase":
            step.status = STATUS_OF_PHASE.get(data["phase"], step.status)
            # waiting for machines is not part of its duration
            waits = data["phase"] == "scaling" and "rank" not in data
            step.started = None if waits else step.started or event.time
            _enter(step, data["phase"], event.time, _facts_of_phase(data))
        case "StepRunning":
            step.status = "running"
            _enter(step, "running", event.time)
        case "StepProgress":
            step.status, step.progress = "running", _progress(step.progress, data)
        case "StepStalled":
            step.progress = {**(step.progress or {}), "stalled": data}
        case "StepWentOn":
            step.progress = _moving(step.progress)
        case "StepWarning":
            step.warnings = [*step.warnings, data["message"]]
        case "StepSummary":
            step.summary = data["text"]
        case "StepFinalising":
            step.status = "finalising"
            _enter(step, "post-processing", event.time)
        case "StepFinished" | "StepReused":
            step.status = "completed" if event.kind == "StepFinished" else "reused"
            step.artifact_id, step.finished = data["artifact_id"], event.time
            step.started = step.started or event.time
            step.reused_from = data.get("run_id")
            step.key = data.get("key", step.key)
            step.summary = data.get("summary", step.summary)
            step.phases = _ended(step.phases, event.time)
        case "StepFailed" | "StepCancelled" | "StepSkipped" | "StepPaused":
            step.status = event.kind.removeprefix("Step").lower()
            step.problem = complete_problem(data.get("problem"))
            step.finished = event.time if step.started else None
            step.phases = _ended(step.phases, event.time)


def _enter(
    step: StepState, phase: Phase, at: float, facts: Mapping[str, Any] | None = None
) -> None:
    """Add facts to the current phase, or start another one."""
    last = step.phases[-1] if step.phases else None
    if last is not None and last["phase"] == phase and last["finished"] is None:
        same: PhaseData = {**last, "facts": {**last["facts"], **(facts or {})}}
        step.phases = [*step.phases[:-1], same]
    else:
        entered: PhaseData = {
            "phase": phase,
            "started": at,
            "finished": None,
            "facts": dict(facts or {}),
        }
        step.phases = [*_ended(step.phases, at), entered]


def _ended(phases: list[PhaseData], at: float) -> list[PhaseData]:
    """End the last phase."""
    if not phases or phases[-1]["finished"] is not None:
        return phases
    ended: PhaseData = {**phases[-1], "finished": at}
    return [*phases[:-1], ended]


def _facts_of_phase(data: Mapping[str, Any]) -> EventData:
    return {name: fact for name, fact in data.items() if name not in ("phase", "rank")}


def _moving(progress: Progress | None) -> Progress | None:
    remaining = {name: fact for name, fact in (progress or {}).items() if name != "stalled"}
    return remaining or None


def _progress(before: Progress | None, data: EventData) -> Progress:
    """Store progress: the first rank's is the node's; those of others are in ``ranks``."""
    before = _moving(before)
    others = (before or {}).get("ranks", {})
    rank = data.get("rank", 0)
    if rank == 0:
        return {**data, "ranks": others} if others else data
    lane = {name: data[name] for name in LANE if name in data}
    first = before or {"done": 0, "total": data["total"], "unit": data["unit"], "rank": 0}
    return {**first, "ranks": {**others, str(rank): lane}}
