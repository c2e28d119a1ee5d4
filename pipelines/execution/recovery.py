"""Recovery after a crash: adopt the valid results of a dead runner and restart the rest.

A crash is not the user's fault: the run continues from its checkpoints with the next runner. A run
that loses its runner repeatedly ends with an error, since it probably causes the crashes.
"""

from __future__ import annotations

import logging
import shutil
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from modules.files.json_files import read_if_valid
from modules.operating_system.orphans import end_marked, workspace_mark
from modules.operating_system.processes import ProcessIdentity
from pipelines.events import UNFINISHED_STEP, Event, ProblemData, RunState, StepState
from pipelines.execution.running_step import WORTH_RETRYING
from pipelines.execution.step_events import KINDS, restart_events, translate, unreported
from pipelines.problems import RUN_CANCELLED, RUNNER_LOST, Problem
from pipelines.sentences import steps
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import StepResult
from pipelines.store.database.connections import UNSTORABLE, Database
from pipelines.store.database.leadership import Leadership
from pipelines.store.database.runs import RunRecord, RunStore
from pipelines.store.database.told_events import count_reported_events
from pipelines.workers.agent_files import end_agents
from pipelines.workers.event_files import EventTail
from pipelines.workers.rank_errors import first_failure
from pipelines.workers.secret_store import SecretStore
from pipelines.workers.secrets_in_use import SecretsInUse
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace, node_of

logger = logging.getLogger(__name__)

UNDER_WAY = frozenset({"preparing", "running", "finalising"})
MAX_RESTARTS = 3
"""Number of automatic restarts after the runner ended, counted from the submission."""


def recover(
    workspace: Workspace,
    database: Database,
    *,
    go_on: bool = True,
    leadership: Leadership | None = None,
) -> None:
    """Bring every run without a runner to a consistent state.

    Only for a caller that holds the runner's lock. Remaining processes are ended. A step with a
    valid result is adopted, and one that continues elsewhere is left to the next runner. Other
    steps wait to restart from their checkpoint, or fail if they must not ``go_on`` or their run has
    lost ``MAX_RESTARTS`` runners.

    A leading caller passes its ``leadership``. If that has passed to another machine meanwhile,
    nothing more is moved, removed or written, and ``LeadershipLostError`` is raised. The next
    leader waits for the current run, whose folders it would share.
    """
    # End the processes first: one that still writes could finish a step that is restarted below.
    end_marked(workspace_mark(workspace.root))
    runs = RunStore(database)
    artifacts = ArtifactStore(workspace, database)
    fence = None if leadership is None else leadership.check
    for run_id in runs.unfinished():
        record, state = runs.record(run_id), runs.state(run_id)
        if record is None:
            continue
        with nullcontext() if leadership is None else leadership.held():
            under_way = _under_way(state)
            interrupted = [
                _InterruptedStep(workspace, artifacts, run_id, *entry) for entry in under_way
            ]
            truth = _truth_of(record, state, interrupted, runs, go_on=go_on)
            try:
                runs.append(run_id, state, truth, fence)
            except UNSTORABLE:
                logger.exception("The last events of the steps of run %s cannot be stored", run_id)
                own_words = KINDS.values()
                ends = [event for event in truth if event.kind not in own_words]
                runs.append(run_id, state, ends, fence)
    SecretsInUse(workspace).settle(partial(_has_ended, runs))


def _truth_of(
    record: RunRecord,
    state: RunState,
    interrupted: list[_InterruptedStep],
    runs: RunStore,
    *,
    go_on: bool,
) -> list[Event]:
    """Return the consistent state of a run without runner; move or remove its steps' files."""
    ended = [event for step in interrupted for event in step.end()]
    going = [step for step in interrupted if not step.has_ended and step.outlives_runner]
    lost = [step for step in interrupted if not step.has_ended and not step.outlives_runner]
    times = runs.count_since_queued(record.id, "RunInterrupted")
    # Steps that ended on their own count in each case; the cases differ in the remaining ones.
    if state.cancel_requested or has_lost_owner(record, runs.database):
        _give_up(going)
        return _cancelled(state, ended)
    if state.status != "running":  # queued: it waits for a runner as before
        return ended
    if go_on and times < MAX_RESTARTS:
        again = [event for step in lost for event in restart_events(step.node, step.state)]
        return [*ended, *again, Event("RunInterrupted", data={"times": times + 1})]
    _give_up(going)
    return _failed(state, ended, [*going, *lost], times + 1)


def _under_way(state: RunState) -> list[tuple[str, StepState]]:
    return [(node, step) for node, step in state.steps.items() if step.status in UNDER_WAY]


def has_lost_owner(record: RunRecord, database: Database) -> bool:
    """Return whether the command that owned the run is gone; unknown for other machines."""
    if record.options.owner is None:
        return False
    owner = ProcessIdentity(**record.options.owner)
    is_elsewhere = not database.is_sqlite and owner.boot not in (None, ProcessIdentity.of().boot)
    return not is_elsewhere and not owner.is_alive


class _InterruptedStep:
    """Step that was running when its runner ended."""

    def __init__(
        self,
        workspace: Workspace,
        artifacts: ArtifactStore,
        run_id: str,
        node: str,
        state: StepState,
    ) -> None:
        self.node, self.state = node, state
        self.has_ended = False
        self._run_id = run_id
        self._artifacts = artifacts
        self._workspace = workspace
        self._staging = artifacts.staging_dir(run_id, node, state.attempt)
        attempt = workspace.node_dir(run_id, node) / f"attempt-{state.attempt}"
        self._spec = StepSpec.find(attempt)

    @property
    def outlives_runner(self) -> bool:
        """Return whether it probably continues at its target."""
        return self._spec is not None and bool(self._spec.target)

    def give_up(self) -> None:
        """Cancel it at its target."""
        if self._spec is not None:
            end_agents(self._spec.attempt_dir)
        shutil.rmtree(self._staging, ignore_errors=True)

    def end(self) -> list[Event]:
        """Return its last events and end; none if it ended only with its runner."""
        # The host may have written its result after the last read.
        event = self._adoption() or self._failure()
        self.has_ended = event is not None
        is_lost = event is None and not self.outlives_runner  # otherwise it still writes there
        if is_lost or (event is not None and event.kind == "StepFailed"):
            shutil.rmtree(self._staging, ignore_errors=True)
        return [*self._last_words(), event] if event is not None else []

    def _last_words(self) -> list[Event]:
        """Return its unread events: the end of its curves."""
        if self._spec is None:
            return []
        database = self._artifacts.index.database
        reported = count_reported_events(database, self._run_id, self.node)
        redaction = SecretStore(self._workspace).redaction()
        events = unreported(
            translate(self.node, EventTail(self._spec.events_paths).rest()), reported
        )
        return [replace(event, data=redaction.json(event.data)) for event in events]

    def _adoption(self) -> Event | None:
        spec = self._spec
        stored = read_if_valid(spec.result_path) if spec else None
        if spec is None or stored is None:
            return None
        result = cast("StepResult", stored)
        origin = (spec.key_of(result), self._run_id, self.node, result["fingerprint"])
        if self._staging.is_dir():
            artifact_id: str | None = self._artifacts.commit(
                self._staging, *origin, spec.artifact_path
            )
        else:  # its runner may have moved it without recording that
            artifact_id = self._artifacts.enter_noted(spec.artifact_path, *origin)
        if artifact_id is None:
            return None
        facts = {"artifact_id": artifact_id, "seconds": result["seconds"]}
        return Event("StepFinished", self.node, facts)

    def _failure(self) -> Event | None:
        """Return its failure, unless that may result from the end of other processes."""
        problem = self._spec and first_failure(self._spec)
        if not problem or problem["code"] in WORTH_RETRYING:
            return None
        return Event("StepFailed", self.node, {"problem": problem})


def _has_ended(runs: RunStore, run_id: str, folder: str, attempt: str) -> bool:
    """Return whether no process of an attempt runs here; at a target it may continue."""
    if runs.record(run_id) is None:
        return True
    step = runs.state(run_id).steps.get(node_of(Path(folder)))
    return step is None or step.status not in UNDER_WAY or f"attempt-{step.attempt}" != attempt


def _give_up(steps_left: list[_InterruptedStep]) -> None:
    """Cancel steps that continue elsewhere."""
    for step in steps_left:
        step.give_up()


def _cancelled(state: RunState, ended: list[Event]) -> list[Event]:
    problem = Problem.of(RUN_CANCELLED, steps.RUN_CANCELLED)
    facts = {"status": "cancelled", "problem": problem.to_json()}
    return [*ended, *_abandoned(state, ended), Event("RunFinished", data=facts)]


def _failed(
    state: RunState, ended: list[Event], lost: list[_InterruptedStep], times: int
) -> list[Event]:
    ended = [
        *ended,
        *(Event("StepFailed", step.node, {"problem": _lost(times, step.node)}) for step in lost),
    ]
    failures = [event.data["problem"] for event in ended if event.kind == "StepFailed"]
    facts = {"status": "failed", "problem": (failures or [_lost(times)])[0]}
    return [*ended, *_abandoned(state, ended), Event("RunFinished", data=facts)]


def _abandoned(state: RunState, ended: list[Event]) -> list[Event]:
    """Return the end events of the steps that have none."""
    ended_nodes = {event.node for event in ended}
    nodes = [node for node, step in state.steps.items() if step.status in UNFINISHED_STEP]
    return [Event("StepCancelled", node) for node in nodes if node not in ended_nodes]


def _lost(times: int, node: str | None = None) -> ProblemData:
    statement = (steps.RUNNER_LOST_STEP if node else steps.RUNNER_LOST_RUN).about({})
    if times > MAX_RESTARTS:
        sentence = steps.RUNNERS_LOST_STEP if node else steps.RUNNERS_LOST_RUN
        statement = sentence.about({"count": times})
    return Problem.of(RUNNER_LOST, statement, node=node).to_json()
