"""A run under way: its plan, its steps' outputs so far, what runs of it now."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from modules.context import Context
from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.artifacts.cache_keys import key_within
from pipelines.events import UNFINISHED_STEP, Event, RunState
from pipelines.execution.plan import Step
from pipelines.execution.stalled_steps import Silence
from pipelines.execution.step_events import translate
from pipelines.problems import (
    PROCESS_LOST,
    RANK_LOST,
    STALL_LIMIT_REACHED,
    TIME_LIMIT_REACHED,
    UNEXPECTED,
    Problem,
)
from pipelines.store.artifacts import ArtifactRecord
from pipelines.store.runs import RunRecord
from pipelines.targets.base import StepHandle
from pipelines.workers.event_files import EventTail
from pipelines.workers.failures import first_failure, lost_problem
from pipelines.workers.step_spec import StepSpec, read_if_valid
from pipelines.workspace import Workspace

TAIL_INTERVAL_SECONDS = 0.1
CRASHES = frozenset({PROCESS_LOST.code, RANK_LOST.code, UNEXPECTED.code})
WORTH_RETRYING = CRASHES | {STALL_LIMIT_REACHED.code, "0072", "0085", "0138", "0162"}


class StartingStep(NamedTuple):
    """A step that has been given its place and is not yet submitted."""

    step: Step
    spec: StepSpec


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
        self.silence = Silence(self.handle.spec, self.stalled_seconds, limit)

    def is_due(self) -> bool:
        """True when its events should be looked at again."""
        now = time.monotonic()
        if now - self._tailed < TAIL_INTERVAL_SECONDS:
            return False
        self._tailed = now
        return True

    def listen(self) -> list[Event]:
        """What it has told since the last look, and whether it stands still or goes on again."""
        said = self.tail.read()
        return [*self.silence.listen(said), *translate(self.step.node, said)]

    @property
    def is_overdue(self) -> bool:
        limit = self.step.settings.time_limit_minutes
        return limit > 0 and time.monotonic() - self.started > limit * 60

    def result(self) -> dict[str, Any] | None:
        """What the first rank left; None when it is missing or its outputs are."""
        result = read_if_valid(self.handle.spec.result_path)
        return result if result and Path(self.handle.spec.staging_dir).is_dir() else None

    def take_in(
        self, artifacts: ArtifactStore, result: dict[str, Any], run: ActiveRun
    ) -> tuple[ArtifactRecord, Event]:
        """Move the outputs to their place and forget the checkpoint."""
        spec = self.handle.spec
        key = spec.key_of(result)
        if key != spec.key:
            run.own.add(spec.node)
        record = artifacts.take_in(Path(spec.staging_dir), key, run.id, spec.node, result)
        run.artifacts[spec.node] = record.id
        run.made.add(spec.node)
        shutil.rmtree(Path(spec.node_dir) / "checkpoint", ignore_errors=True)
        facts = {"artifact_id": record.id, "seconds": result["seconds"]}
        return record, Event("StepFinished", spec.node, facts)

    def discard(self) -> None:
        """Remove what a failed attempt made."""
        shutil.rmtree(self.handle.spec.staging_dir, ignore_errors=True)

    def problem(self, code: int | None) -> dict[str, Any]:
        """Why it failed."""
        if self.silence.is_too_long:
            return self.silence.problem()
        if self.is_overdue:
            minutes = self.step.settings.time_limit_minutes
            return Problem.of(
                TIME_LIMIT_REACHED,
                f"The step ran longer than its limit of {minutes:g} minutes.",
                "Raise the time limit, then resume the run: it goes on from the last checkpoint.",
                node=self.step.node,
            ).to_json()
        return first_failure(self.handle.spec) or lost_problem(self.handle.spec, code)

    def may_retry(self, problem: dict[str, Any], tries: int) -> bool:
        """True for failures that need not happen again, as often as the settings allow."""
        retries = self.step.settings.retries
        if problem["code"] == STALL_LIMIT_REACHED.code:
            retries = max(1, retries)  # who sets a stall limit wants it tried again
        return problem["code"] in WORTH_RETRYING and tries <= retries


@dataclass(frozen=True)
class Plan:
    """A run's steps, and which of their outputs were in the store when it was made."""

    steps: dict[str, Step]
    found: dict[str, ArtifactRecord] = field(default_factory=dict)
    """Key to intact artifact."""
    summaries: dict[tuple[str, str], str] = field(default_factory=dict)
    """What was said of them, by the run and node that made them."""


@dataclass
class ActiveRun:
    """One run and where it stands."""

    record: RunRecord
    state: RunState
    plan: Future[Plan] | None = None
    steps: dict[str, Step] = field(default_factory=dict)
    artifacts: dict[str, str] = field(default_factory=dict)
    """Node to artifact id, for steps whose output is there."""
    made: set[str] = field(default_factory=set)
    """Nodes whose output this run made itself, in an earlier submission too."""
    own: set[str] = field(default_factory=set)
    """Nodes whose output no other run may take: cut short by hand, or made from such a one."""
    found: dict[str, ArtifactRecord] = field(default_factory=dict)
    """Outputs by key as they were when the plan was made, until its first use is over."""
    summaries: dict[tuple[str, str], str] = field(default_factory=dict)
    starting: dict[str, StartingStep] = field(default_factory=dict)
    """Steps that will be submitted as soon as that is on disk."""
    running: dict[str, RunningStep] = field(default_factory=dict)
    tries: dict[str, int] = field(default_factory=dict)
    looked: dict[str, dict[str, Any]] = field(default_factory=dict)
    """How far planning is with a node's data, told from its thread and not yet recorded."""
    not_reusable: set[str] = field(default_factory=set)
    """Nodes known to have no output in the store."""
    cancelled: bool = False
    problem: dict[str, Any] | None = None
    models: dict[str, Path] = field(default_factory=dict)
    """The registered models' folders by what means them, as they were when it was planned."""
    _is_planned: bool = False
    _unsettled: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def running_keys(self) -> set[str]:
        """The keys of what is being made."""
        starting = {each.step.key for each in self.starting.values()}
        return starting | {each.step.key for each in self.running.values()}

    def folder(self, workspace: Workspace) -> Path:
        """The run's own folder, made; not so a workspace that is gone."""
        folder = workspace.runs_dir / self.id
        folder.mkdir(exist_ok=True)
        return folder

    def planning_context(self, workspace: Workspace, node: str) -> Context:
        """What the fingerprint of a node's source may see; a cancelled run ends it."""

        def hear(said: dict[str, Any]) -> None:
            if self.cancelled:
                raise CancelledError
            if said["kind"] == "progress":
                self.looked[node] = {name: each for name, each in said.items() if name != "kind"}

        roots = self.record.options.get("allowed_roots")
        return Context(
            staging_dir=workspace.artifacts_dir,
            cache_dir=workspace.cache_dir,
            weights_dir=workspace.weights_dir,
            datasets_dir=workspace.datasets_dir,
            models=self.models,
            allowed_roots=None if roots is None else tuple(Path(root) for root in roots),
            emit=hear,
        )

    def take_plan(self, plan: Plan) -> None:
        """Begin with a plan; outputs that an earlier submission made itself count as made."""
        steps = plan.steps
        self.steps, self._is_planned = steps, True
        self._unsettled = list(steps)
        self.found, self.summaries = dict(plan.found), plan.summaries
        self.not_reusable = {
            node
            for node, step in steps.items()
            if not any(key in plan.found for key in self.keys_of(step))
        }
        self.made = {
            node
            for node, state in self.state.steps.items()
            if state.status == "completed" and node in steps and state.key == steps[node].key
        }

    def keys_of(self, step: Step) -> tuple[str, ...]:
        """The keys that a step's output may have in this run, the first to be preferred."""
        within = key_within(step.key, self.id)
        return (within,) if self.own & step.parents else (within, step.key)

    def startable(self) -> Iterator[str]:
        """Nodes not yet dealt with whose parents have all ended one way or another, parents first.

        What is settled while this is read counts: one reading settles a chain of reused steps.
        """
        self._unsettled = [node for node in self._unsettled if not self._is_settled(node)]
        for node in self._unsettled:
            if self._can_start(node):
                yield node

    def _can_start(self, node: str) -> bool:
        if node in self.running or node in self.starting:
            return False
        return all(self._is_settled(parent) for parent in self.steps[node].parents)

    def failed_parents(self, step: Step) -> set[str]:
        """The parents that gave no output."""
        return {parent for parent in step.parents if parent not in self.artifacts}

    def unsettled(self) -> list[str]:
        """Nodes that never came to an end."""
        return [n for n, state in self.state.steps.items() if state.status in UNFINISHED_STEP]

    @property
    def is_done(self) -> bool:
        """True when nothing runs and nothing more can start."""
        if self.running or self.starting:
            return False
        return self.cancelled or (self.plan is None and next(self.startable(), None) is None)

    def verdict(self) -> tuple[str, dict[str, Any] | None]:
        """The run's final status, and its problem: its own or that of its first failed step."""
        if self.problem is not None:
            return "failed", self.problem
        failed = [each for each in self.state.steps.values() if each.status == "failed"]
        if failed:
            return "failed", min(failed, key=lambda each: each.finished or 0.0).problem
        complete = self._is_planned and all(node in self.artifacts for node in self.steps)
        return ("completed", None) if complete else ("cancelled", None)

    def _is_settled(self, node: str) -> bool:
        over = self.state.steps[node].status in ("failed", "skipped", "cancelled")
        return over or node in self.artifacts
