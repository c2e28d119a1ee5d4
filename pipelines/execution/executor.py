"""Executor: admits runs, starts steps and processes their results.

One executor serves all runs of a workspace, in one thread of the runner's process. Every change is
an event. The decisions of one round of ``advance`` are written in one transaction before anything
follows from them: steps are submitted only afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from pipelines.environments.workspace_environments import WorkspaceEnvironments
from pipelines.errors import (
    DatabaseAwayError,
    ObjectDamagedError,
    ObjectStoreAwayError,
    ObjectStoreError,
)
from pipelines.events import Event
from pipelines.execution.active_run import ActiveRun, StepOutput
from pipelines.execution.adoption import Adoption
from pipelines.execution.artifact_uploads import ArtifactUploads
from pipelines.execution.environment import describe_environment
from pipelines.execution.event_writer import EventWriter
from pipelines.execution.plan import Plan, Step
from pipelines.execution.planner import Planner
from pipelines.execution.resources import Need, Rooms, Slots, is_light
from pipelines.execution.reusable_outputs import ReusableOutputs
from pipelines.execution.running_step import RunningStep
from pipelines.execution.stalled_steps import STALLED_SECONDS
from pipelines.execution.step_endings import StepEndings
from pipelines.execution.step_events import (
    disk_full,
    facts_of_wait,
    not_planned,
    planning_problem,
    problem_of_system,
    skipped,
    step_started,
    waits_for,
    waits_for_output,
    warning_of,
)
from pipelines.execution.step_preparation import StepPreparation
from pipelines.execution.stored_inputs import StoredInputs, input_problem, store_waits
from pipelines.problems import RUN_CANCELLED, Problem
from pipelines.sentences import steps
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.artifacts import ArtifactRecord
from pipelines.store.database.connections import Database
from pipelines.store.database.leadership import Leadership
from pipelines.store.database.runs import RunStore
from pipelines.store.database.told_events import count_reported_events
from pipelines.targets.base import Target
from pipelines.validation.pins import PinnedOutput
from pipelines.workers.secret_store import SecretStore
from pipelines.workers.secrets_in_use import SecretsInUse
from pipelines.workspace import Workspace


class Executor:
    """Executor of all unfinished runs of one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        database: Database,
        targets: Mapping[str, Target],
        slots: Slots,
        wake: Callable[[], None],
        leadership: Leadership,
        stalled_seconds: float = STALLED_SECONDS,
    ) -> None:
        """Create an executor; other threads call ``wake`` when ``advance`` has work."""
        self.stalled_seconds = stalled_seconds
        self.workspace = workspace
        self.runs = RunStore(database)
        self._writer = EventWriter(database, workspace.reserve_path, leadership)
        self._journal = self._writer.journal
        self.artifacts = ArtifactStore(workspace, database)
        self._secrets = SecretStore(workspace)
        self._secrets_in_use = SecretsInUse(workspace)
        environments = WorkspaceEnvironments(workspace, database)
        self._outputs = ReusableOutputs(self.artifacts)
        self.targets = targets
        self.rooms = Rooms(slots, targets)
        self._preparation = StepPreparation(workspace, self.artifacts, self.rooms)
        self._adoption = Adoption(workspace, targets)
        self.active: dict[str, ActiveRun] = {}
        self._num_waiting: Counter[int] = Counter()
        self._planner = Planner(workspace, self.runs, self.artifacts, environments, targets, wake)
        self._uploads = ArtifactUploads(self.artifacts, wake)
        self._inputs = StoredInputs(self.artifacts, wake)
        self._endings = StepEndings(
            targets, self.artifacts, self._journal, self._outputs, self._uploads
        )

    @property
    def is_busy(self) -> bool:
        return bool(self.active) or not self.is_written

    @property
    def is_written(self) -> bool:
        """Return whether all decisions are in the store."""
        return self._journal.is_written

    def holds(self, run_id: str) -> bool:
        """Return whether a run is in progress or its results are not in the store yet."""
        return run_id in self.active or self._journal.holds(run_id)

    def resume_uploads(self) -> None:
        """Upload outputs that earlier runners left."""
        self._uploads.resume()

    def admit(self, run_id: str) -> None:
        """Accept a queued run: check it, and plan it in another thread."""
        record = self.runs.record(run_id)
        if record is None or run_id in self.active:
            return
        run = ActiveRun(record, self.runs.state(run_id))
        self.active[run_id] = run
        self._writer.hold_reserve()
        self._record(run, Event("RunStarted", data={"environment": describe_environment()}))
        self._record(run, *self._adoption.adopt(run))
        run.planning = self._planner.start(run)

    def cancel(self, run_id: str) -> None:
        """Cancel a run's steps; finished outputs are kept."""
        run = self.active.get(run_id)
        if run and not run.cancelled:
            run.cancelled = True
            for handle in run.handles:
                handle.cancel()

    def advance(self) -> None:
        """Do everything that can be done now."""
        # Ended steps first: they free slots and may be parents of steps that start below.
        stored = dict(self._uploads.stored())
        for artifact_id, content in stored.items():
            self._journal.add_content(artifact_id, content)
        self._num_waiting.clear()
        self.rooms.machine.start_round()
        for run in list(self.active.values()):
            self._record_planning_progress(run)
            self._poll_steps(run)
            self._start_steps(run)
            if run.is_done and (run.cancelled or not self._waits_for_store(run)):
                self._finish(run)
        # A process starts only after that is on disk: after a crash in between, the next runner
        # starts the step again, and no unknown process exists.
        if self._writer.write():
            self._endings.forget_checkpoints()
            if self._outputs.enter() or stored:
                self._inputs.look_again()
            for run in list(self.active.values()):
                self._submit_steps(run)
            self._share_cores()
        elif self._writer.is_starved:
            self._end_for_want_of_room()
        if not self.active:
            self._outputs.clear()
            self._inputs.look_again()

    def shut_down(self) -> None:
        """Leave everything to the next runner; the end of the fork servers ends the steps."""
        for run in self.active.values():
            run.cancelled = True  # ends planning; it is not recorded
        self._planner.shut_down()
        self._uploads.shut_down()
        self._inputs.shut_down()

    # planning

    def _take_plan(self, run: ActiveRun, planning: Future[Plan]) -> None:
        run.planning = None
        try:
            run.use_plan(planning.result())
        except Exception as error:  # the boundary: a user's module may raise anything here
            self._refuse_plan(run, planning_problem(error))
        # A run to one node plans only what that needs; other nodes end here, so that the run can
        # end.
        unplanned = [node for node in run.unfinished() if node not in run.steps]
        self._record(run, *(Event("StepSkipped", node) for node in unplanned))
        run.give_up_adopted(run.adopted.keys() - run.steps.keys())
        for progress in run.steps.values():
            step = progress.step
            if step.module.needs_torch and (step.forced or not progress.is_stored):
                self.targets[step.target].prepare("torch")  # while earlier steps run

    def _refuse_plan(self, run: ActiveRun, problem: Problem) -> None:
        run.problem = problem.to_json()
        run.use_plan(Plan({}))
        if problem.node in run.state.steps:
            self._record(run, Event("StepFailed", problem.node, {"problem": run.problem}))
        for node in run.unfinished():
            self._record(run, not_planned(node, run.titles(filter(None, [problem.node]))))

    def _record_planning_progress(self, run: ActiveRun) -> None:
        """Record the progress of fingerprinting, which the nodes show."""
        while run.planning_progress:
            node, progress = run.planning_progress.popitem()
            self._record(run, Event("StepLooking", node, progress))

    # starting

    def _start_steps(self, run: ActiveRun) -> None:
        if run.cancelled:
            return  # its planning may already have ended with an error that results from this
        if run.planning is not None:
            if not run.planning.done():
                return
            trouble = run.planning.exception()
            if isinstance(trouble, DatabaseAwayError | ObjectStoreAwayError):
                self._record(run, *store_waits(run, trouble))
                run.planning = self._planner.start(run)  # a transient failure: retry
                return
            self._take_plan(run, run.planning)
        for node in run.startable():
            self._start_step(run, run.steps[node].step)
        if run.plan is not None:
            run.plan.artifacts.clear()  # what was found may have changed from here on

    def _start_step(self, run: ActiveRun, step: Step) -> None:
        """Settle, start or queue one step whose parents have ended."""
        if step.pinned is not None:
            self._use(run, step, step.pinned)
            return
        if self._take_over(run, step) or run.is_held(step.node):
            return
        if run.failed_parents(step):
            run.settle(step.node)
            self._record(run, skipped(step.node, run.titles(run.failed_parents(step))))
        elif (other := self._run_computing(step)) is not None:
            self._record(run, *self._waiting_for_output(run, step, other))
        elif not self._reuse(run, step) and self._has_inputs(run, step):
            gpus = self.rooms.of(step.target).take((run.id, step.node), self._need(step))
            if gpus is None:
                self._record(run, *self._waiting(run, step))
            else:
                self._prepare(run, step, gpus)

    def _has_inputs(self, run: ActiveRun, step: Step) -> bool:
        """Return whether the step's machines have its inputs; fail it if they never will."""
        try:
            if not self.targets[step.target].shares_folder:
                return self._inputs.are_stored(run, step)
            return self._inputs.are_here(run, step)
        except DatabaseAwayError:
            raise  # a transient failure: the round is repeated
        except ObjectStoreAwayError:
            return False
        except (ObjectDamagedError, ObjectStoreError, OSError) as error:
            run.settle(step.node)
            problem = input_problem(error, step.node)
            self._record(run, Event("StepFailed", step.node, {"problem": problem}))
            return False

    def _take_over(self, run: ActiveRun, step: Step) -> bool:
        """Continue a step of an earlier runner, if it is still the same."""
        if step.node not in run.adopted:
            return False
        # The database first: if it is unavailable, all of this is repeated.
        reported = count_reported_events(self.runs.database, run.id, step.node)
        handle = run.adopted.pop(step.node)
        if handle.spec.key != step.key:
            handle.cancel()  # attempts are separate: another one may start before it has ended
            return False
        room, owner = self.rooms.of(step.target), (run.id, step.node)
        room.hold(owner, self._need(step), handle.spec.gpus)
        run.start(step.node, handle.spec)
        run.run(step.node, RunningStep(step, handle, self.stalled_seconds, reported))
        return True

    def _reuse(self, run: ActiveRun, step: Step) -> bool:
        progress = run.steps[step.node]
        if not progress.may_reuse:
            return False
        artifact = self._outputs.find(run, step)
        if artifact is None:
            progress.is_stored = False
            return False
        was_reported = run.has_reported(step.node, artifact.id)
        events = [] if was_reported else [self._reused(run, step, artifact)]
        run.settle(step.node, StepOutput(artifact.id, is_private=artifact.key != step.key))
        self._record(run, *events)
        return True

    def _use(self, run: ActiveRun, step: Step, pinned: PinnedOutput) -> None:
        """Settle a pinned step with its stored result."""
        events = []
        if not run.has_reported(step.node, pinned.record.id):
            if pinned.doubt is not None:
                events.append(warning_of(step.node, pinned.doubt))
            reused = self._reused(run, step, pinned.record)
            events.append(replace(reused, data={**reused.data, "pinned": True}))
        run.settle(step.node, StepOutput(pinned.record.id))
        self._record(run, *events)

    def _reused(self, run: ActiveRun, step: Step, artifact: ArtifactRecord) -> Event:
        data = {"artifact_id": artifact.id, "run_id": artifact.run_id, "key": step.key}
        origin = (artifact.run_id, artifact.node)
        remembered = (artifact.remembered or {}).get("summary")
        planned = run.plan.summaries.get(origin) if run.plan else None
        summary = planned or self._summary(*origin) or remembered
        return Event("StepReused", step.node, {**data, "summary": summary} if summary else data)

    def _summary(self, run_id: str, node: str) -> str | None:
        """Return a step's summary of its output, if it was unknown when the run was planned."""
        if run_id in self.active:
            return self.active[run_id].state.steps[node].summary
        return self.runs.summaries([(run_id, node)]).get((run_id, node))

    def _need(self, step: Step) -> Need:
        room = self.rooms.of(step.target)
        return Need.of(step, room.num_cores, len(room.gpus))

    def _queued(self, run: ActiveRun, step: Step) -> list[Event]:
        if run.state.steps[step.node].status == "queued":
            return []
        return [Event("StepQueued", step.node, {"key": step.key})]

    def _waiting(self, run: ActiveRun, step: Step) -> list[Event]:
        """Return events for steps that wait for resources: which ones, and the place in the queue.

        Steps are offered free resources by the age of their runs. Light steps do not wait long.
        """
        queued = self._queued(run, step)
        known = facts_of_wait(run.state.steps[step.node])
        # facts of the same phase are merged: those of an earlier reason are cleared
        changed: dict[str, Any] = {
            name: "" for name in ("computed_by", "run_id") if known.get(name)
        }
        room = self.rooms.of(step.target)
        if not is_light(step):
            ahead = self._num_waiting[id(room)]
            self._num_waiting[id(room)] += 1
            if known.get("ahead", 0) != ahead:
                changed["ahead"] = ahead
        if changed or (queued and not is_light(step)):
            queued.append(waits_for(step.node, room.lacks(self._need(step)), **changed))
        return queued

    def _run_computing(self, step: Step) -> ActiveRun | None:
        """Return the run that computes the step's output at present, possibly its own."""
        return next((run for run in self.active.values() if step.key in run.running_keys), None)

    def _waiting_for_output(self, run: ActiveRun, step: Step, other: ActiveRun) -> list[Event]:
        """Return events, once, for a step whose output is being computed: that one will do."""
        title = ", ".join(other.titles(other.computing(step.key)))
        other_run = None if other is run else (other.id, other.record.name or other.id)
        event = waits_for_output(step.node, title, other_run)
        waits = facts_of_wait(run.state.steps[step.node])
        if all(waits.get(name) == event.data[name] for name in ("computed_by", "run_id")):
            return []
        return [*self._queued(run, step), event]

    def _prepare(self, run: ActiveRun, step: Step, gpus: tuple[str, ...]) -> None:
        """Decide that a step starts; it is submitted when that is on disk."""
        attempt = run.state.steps[step.node].attempt + 1
        started = step_started(step, attempt, self.targets[step.target].offer)
        self._record(run, *self._queued(run, step), started)
        run.start(step.node, self._preparation.spec(run, step, attempt, gpus))

    def _submit_steps(self, run: ActiveRun) -> None:
        for progress in run.starting:
            step, spec = progress.step, progress.spec
            assert spec is not None
            if run.cancelled:  # in the round that decided to start it
                self._free(run, step)
                run.put_back(step.node)
                continue
            try:
                secrets = self._secrets.values(step.secrets)
                self._secrets_in_use.keep(spec.attempt_dir, secrets)
                handle = self.targets[step.target].submit(spec, step.module.preload, secrets)
            except OSError as error:
                self._free(run, step)
                run.settle(step.node)
                problem = problem_of_system(error)
                self._record(run, Event("StepFailed", step.node, {"problem": problem}))
            else:
                run.run(step.node, RunningStep(step, handle, self.stalled_seconds))

    def _share_cores(self) -> None:
        """Update the number of threads of each step after others have started or ended."""
        for run in self.active.values():
            for running in run.running:
                room = self.rooms.of(running.step.target)
                running.give_threads(room.share_of((run.id, running.step.node)))

    def _free(self, run: ActiveRun, step: Step) -> None:
        self.rooms.of(step.target).give_back((run.id, step.node))

    # taking in

    def _poll_steps(self, run: ActiveRun) -> None:
        for running in run.running:
            events = running.new_events() if running.is_due() else []
            end = running.handle.poll()
            if end is None:
                if running.is_to_end:
                    running.handle.cancel()
                self._record(run, *events)
                continue
            events += running.last_events()
            if running.tail.is_behind:  # the rest of its events precede its end
                self._record(run, *events)
                continue
            self._free(run, running.step)
            attempt_dir, has_secrets = running.handle.spec.attempt_dir, bool(running.step.secrets)
            # Before its logs are read for its problem, and forgotten when that is redacted too.
            is_redacted = has_secrets and self._secrets_in_use.redact(attempt_dir)
            self._record(run, *events, *self._endings.conclude(run, running, end))
            if run.is_paused:  # nothing else of it is to start
                self.cancel(run.id)
            if is_redacted:
                self._secrets_in_use.release(attempt_dir)

    # finishing

    def _waits_for_store(self, run: ActiveRun) -> bool:
        """Return whether an output is not in the object store yet; report the reason once."""
        self._record(run, *self._uploads.troubles(run.id))
        return self._uploads.holds(run.id)

    def _finish(self, run: ActiveRun) -> None:
        events = [Event("StepCancelled", node) for node in run.unfinished()]
        status, problem = run.verdict()
        if run.cancelled and status == "cancelled":
            problem = Problem.of(RUN_CANCELLED, steps.RUN_CANCELLED).to_json()
        events.append(Event("RunFinished", data={"status": status, "problem": problem}))
        self._record(run, *events)
        self._secrets_in_use.settle(lambda run_id, *_: run_id == run.id)
        del self.active[run.id]

    def _record(self, run: ActiveRun, *events: Event) -> None:
        """Record events, which are written at the end of the round."""
        recorded = events
        if any(event.node in run.secretive for event in events):
            redaction = self._secrets.redaction()
            recorded = tuple(replace(event, data=redaction.json(event.data)) for event in events)
        self._journal.add(run.id, run.state, *recorded)

    def _end_for_want_of_room(self) -> None:
        """Cancel runs whose events cannot be written any more."""
        for run in self.active.values():
            run.problem = run.problem or disk_full().to_json()
            self.cancel(run.id)
