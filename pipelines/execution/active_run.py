"""State of a run in progress: its plan and the progress of each step."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from modules.catalog import builtin_catalog
from modules.context import Context, Report
from pipelines.document.document import parse_document
from pipelines.document.expansion import expanded
from pipelines.document.node_titles import node_title, numbered
from pipelines.events import SUCCEEDED_STEP, UNFINISHED_STEP, ProblemData, RunState
from pipelines.execution.plan import Plan, Step
from pipelines.execution.running_step import RunningStep
from pipelines.store.artifacts.cache_keys import key_within
from pipelines.store.database.runs import RunRecord
from pipelines.targets.base import StepHandle
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace

ENDED_WITHOUT_OUTPUT = frozenset({"failed", "skipped", "cancelled", "paused"})
LOSS_WAIT_SECONDS = 10.0
"""First delay after a machine was lost: its engine may still assign it again."""
LOSS_WAIT_GROWTH = 3.0
LONGEST_WAIT_SECONDS = 300.0
"""Longest delay: by then Slurm marks silent machines as down, with its default timeout."""


def wait_after_loss(losses: int) -> float:
    """Return the seconds that a step waits after it has lost machines this many times."""
    return min(LOSS_WAIT_SECONDS * LOSS_WAIT_GROWTH**losses, LONGEST_WAIT_SECONDS)


@dataclass(frozen=True)
class StepOutput:
    """Output of a step, computed in this run or found in the store."""

    artifact_id: str
    is_private: bool = False
    """True if other runs must not reuse it: finished early, or computed from such an output."""


@dataclass
class StepProgress:
    """How far one step is, since the run was submitted last.

    ::

        waiting --> starting --> running --> settled
         |  ^          |            |           ^
         |  +----------+------------+           |   submission given up; another try
         +--------------------------------------+   reused; or skipped, as a parent has no output
    """

    step: Step
    state: Literal["waiting", "starting", "running", "settled"] = "waiting"
    """Waiting for parents or a slot; starting until the decision is on disk; then running."""
    output: StepOutput | None = None
    """Output of a settled step; None if it has none and never will."""
    tries: int = 0
    may_reuse: bool = True
    """True if an output in the store may be used.

    Not if the cache is ignored, unless an earlier submission of this run has computed it.
    """
    is_stored: bool = True
    """False after the store was searched for its output without success."""
    losses: int = 0
    """Number of machines that it has lost."""
    held_until: float = 0.0
    """Monotonic time before which it is not started again."""
    spec: StepSpec | None = None
    """Specification of a starting step."""
    attempt: RunningStep | None = None
    """Attempt of a running step."""


@dataclass
class ActiveRun:
    """One run and its state."""

    record: RunRecord
    state: RunState
    """State according to its events, including those not written yet."""
    planning: Future[Plan] | None = None
    plan: Plan | None = None
    steps: dict[str, StepProgress] = field(default_factory=dict)
    """Steps by node, parents first."""
    planning_progress: dict[str, Report] = field(default_factory=dict)
    """Progress of fingerprinting by node: set by the planning thread, recorded by the executor."""
    cancelled: bool = False
    problem: ProblemData | None = None
    models: Mapping[str, Path] = field(default_factory=dict)
    """Folders of the registered models by reference, as of planning."""
    adopted: dict[str, StepHandle] = field(default_factory=dict)
    """Steps by node that an earlier runner has submitted and the plan has not reached yet."""
    _under_way: dict[str, StepProgress] = field(default_factory=dict)
    """Starting and running steps: few, while the run may have thousands."""
    _unsettled: list[str] = field(default_factory=list)
    """Nodes that were not settled at the last check, parents first."""

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def starting(self) -> list[StepProgress]:
        """Steps that will be submitted when that decision is on disk."""
        return [progress for progress in self._under_way.values() if progress.state == "starting"]

    @property
    def running(self) -> list[RunningStep]:
        """Attempts that targets have accepted."""
        return [
            progress.attempt
            for progress in self._under_way.values()
            if progress.attempt is not None
        ]

    @property
    def handles(self) -> list[StepHandle]:
        """Handles of all steps at a target."""
        return [*(attempt.handle for attempt in self.running), *self.adopted.values()]

    def give_up_adopted(self, nodes: Iterable[str]) -> None:
        """Cancel steps of an earlier runner that are no longer wanted."""
        for node in list(nodes):
            self.adopted.pop(node).cancel()

    @property
    def running_keys(self) -> set[str]:
        """Return the keys of the outputs being computed."""
        return {progress.step.key for progress in self._under_way.values()}

    def computing(self, key: str) -> list[str]:
        """Return the nodes that compute the output with this key."""
        return [node for node, progress in self._under_way.items() if progress.step.key == key]

    @property
    def secretive(self) -> set[str]:
        """Nodes that receive secrets: their reports are redacted."""
        return {node for node, progress in self.steps.items() if progress.step.secrets}

    def titles(self, nodes: Iterable[str]) -> list[str]:
        """Titles of the nodes on the canvas, in alphabetical order."""
        return sorted(self._titles.get(node, node) for node in nodes)

    @cached_property
    def _titles(self) -> dict[str, str]:
        nodes = expanded(parse_document(self.record.document)).nodes
        planned = {node: progress.step.module.title for node, progress in self.steps.items()}
        return numbered(
            {
                node.id: node.title or planned.get(node.id) or node_title(node, builtin_catalog())
                for node in nodes
            }
        )

    # planning

    def folder(self, workspace: Workspace) -> Path:
        """The run's folder, created on demand unless the workspace was removed."""
        folder = workspace.runs_dir / self.id
        folder.mkdir(exist_ok=True)
        return folder

    def planning_context(self, workspace: Workspace, node: str) -> Context:
        """Context for fingerprinting a node's source; cancelling the run ends it."""

        def receive(report: Report) -> None:
            if self.cancelled:
                raise CancelledError
            if report["kind"] == "progress":
                facts = {name: fact for name, fact in report.items() if name != "kind"}
                self.planning_progress[node] = facts

        roots = self.record.options.allowed_roots
        return Context(
            staging_dir=workspace.artifacts_dir,
            cache_dir=workspace.cache_dir,
            weights_dir=workspace.weights_dir,
            datasets_dir=workspace.datasets_dir,
            models=self.models,
            allowed_roots=None if roots is None else tuple(Path(root) for root in roots),
            emit=receive,
        )

    def use_plan(self, plan: Plan) -> None:
        """Start with a plan; outputs that an earlier submission computed count as computed."""
        self.plan = plan
        self.steps = {node: self._first_progress(step, plan) for node, step in plan.steps.items()}
        self._unsettled = list(plan.steps)

    def _first_progress(self, step: Step, plan: Plan) -> StepProgress:
        recorded = self.state.steps[step.node]
        progress = StepProgress(step)
        if recorded.status in ENDED_WITHOUT_OUTPUT:  # as recovery after a crash found it
            progress.state = "settled"
        was_made = recorded.status == "completed" and recorded.key == step.key
        progress.may_reuse = was_made or not step.forced
        progress.is_stored = step.pinned is not None or any(
            key in plan.artifacts for key in self.keys_of(step)
        )
        return progress

    # the transitions of a step

    def start(self, node: str, spec: StepSpec) -> None:
        """Change from waiting to starting: the step has its slot."""
        progress = self.steps[node]
        progress.state, progress.spec = "starting", spec
        progress.tries += 1
        self._under_way[node] = progress

    def run(self, node: str, attempt: RunningStep) -> None:
        """Change from starting to running: a target has accepted the step."""
        progress = self.steps[node]
        progress.state, progress.spec, progress.attempt = "running", None, attempt

    def put_back(self, node: str) -> None:
        """Change from starting or running to waiting: the step will start again."""
        self._leave(node).state = "waiting"

    def hold_after_loss(self, node: str) -> float:
        """Delay the next start of a step that lost a machine; return the seconds."""
        progress = self.steps[node]
        seconds = wait_after_loss(progress.losses)
        progress.losses += 1
        progress.held_until = time.monotonic() + seconds
        return seconds

    def settle(self, node: str, output: StepOutput | None = None) -> None:
        """Change to settled: the step has its output or never will."""
        progress = self._leave(node)
        progress.state, progress.output = "settled", output

    def _leave(self, node: str) -> StepProgress:
        self._under_way.pop(node, None)
        progress = self.steps[node]
        progress.spec = progress.attempt = None
        return progress

    # questions

    def artifact_id(self, node: str) -> str:
        """Return the output of a step that has one."""
        output = self.steps[node].output
        assert output is not None
        return output.artifact_id

    def has_reported(self, node: str, artifact_id: str) -> bool:
        """Return whether an earlier submission reported this output, as computed or as reused."""
        state = self.state.steps[node]
        return state.status in SUCCEEDED_STEP and state.artifact_id == artifact_id

    def has_private_input(self, step: Step) -> bool:
        """Return whether other runs must not reuse what is computed from its parents' outputs."""
        outputs = (self.steps[parent].output for parent in step.parents if parent in self.steps)
        return any(output is not None and output.is_private for output in outputs)

    def keys_of(self, step: Step) -> tuple[str, ...]:
        """Return the keys that a step's output may have in this run, in order of preference."""
        within = key_within(step.key, self.id)
        return (within,) if self.has_private_input(step) else (within, step.key)

    def startable(self) -> Iterator[str]:
        """Yield the unsettled nodes whose parents have all ended, parents first.

        Steps settled during the iteration count: one pass settles a chain of reused steps.
        """
        self._unsettled = [node for node in self._unsettled if not self._is_settled(node)]
        for node in self._unsettled:
            progress = self.steps[node]
            if progress.state == "waiting" and all(map(self._is_settled, progress.step.parents)):
                yield node

    def _is_settled(self, node: str) -> bool:
        return self.steps[node].state == "settled"

    def is_held(self, node: str) -> bool:
        """Return whether it has to wait before it starts again."""
        return time.monotonic() < self.steps[node].held_until

    def failed_parents(self, step: Step) -> set[str]:
        """Return the parents without an output."""
        return {parent for parent in step.parents if self.steps[parent].output is None}

    def unfinished(self) -> list[str]:
        """Return the nodes without an end event, including those in no plan."""
        return [n for n, state in self.state.steps.items() if state.status in UNFINISHED_STEP]

    @property
    def is_done(self) -> bool:
        """Return True when nothing runs and nothing more can start."""
        if self._under_way:
            return False
        return self.cancelled or (self.planning is None and next(self.startable(), None) is None)

    @property
    def is_paused(self) -> bool:
        """Return True if a step has paused: the run ends, and can be resumed."""
        return any(step.status == "paused" for step in self.state.steps.values())

    def verdict(self) -> tuple[str, ProblemData | None]:
        """Return the final status and the problem of the run or of its first failed step."""
        if self.problem is not None:
            return "failed", self.problem
        failed = [step for step in self.state.steps.values() if step.status == "failed"]
        if failed:
            return "failed", min(failed, key=lambda step: step.finished or 0.0).problem
        if self.is_paused:
            return "paused", None
        is_complete = self.plan is not None and all(
            progress.output for progress in self.steps.values()
        )
        return ("completed", None) if is_complete else ("cancelled", None)
