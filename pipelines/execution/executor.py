"""The executor: admits runs, starts the steps that can start, takes in what comes of them.

One executor serves all runs of a workspace, in the runner's process, in one thread. Every change
is an event. What one round of ``advance`` decides is written in one transaction, and is on disk
before anything follows from it: steps are submitted only then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future

from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.events import SUCCEEDED_STEP, Event
from pipelines.execution.active_run import ActiveRun, Plan, RunningStep, StartingStep
from pipelines.execution.environment import surroundings
from pipelines.execution.event_writer import Recorder
from pipelines.execution.plan import Step
from pipelines.execution.planner import Planner
from pipelines.execution.resources import Need, Slots, threads_per_rank
from pipelines.execution.stalled_steps import STALLED_SECONDS
from pipelines.execution.step_events import (
    disk_full,
    outcome_of,
    problem_of_system,
    skipped,
    translate,
)
from pipelines.problems import RUN_CANCELLED, Problem
from pipelines.store.artifacts import ArtifactRecord
from pipelines.store.database import Database
from pipelines.store.runs import RunStore
from pipelines.targets.base import Target
from pipelines.workers.step_spec import StepSpec
from pipelines.workspace import Workspace


class Executor:
    """All unfinished runs of one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        database: Database,
        targets: Mapping[str, Target],
        slots: Slots,
        wake: Callable[[], None],
        stalled_seconds: float = STALLED_SECONDS,
    ) -> None:
        """``wake`` is called from another thread when ``advance`` has something to do."""
        self.stalled_seconds = stalled_seconds
        self.workspace = workspace
        self.runs = RunStore(database)
        self._recorder = Recorder(database, workspace.reserve_path)
        self._journal = self._recorder.journal
        self._made: dict[str, ArtifactRecord] = {}
        self.artifacts = ArtifactStore(workspace, database)
        self.targets = targets
        self.slots = slots
        self.active: dict[str, ActiveRun] = {}
        self._planner = Planner(workspace, self.runs, self.artifacts, targets, wake)

    @property
    def is_busy(self) -> bool:
        return bool(self.active) or not self._journal.is_written

    def admit(self, run_id: str) -> None:
        """Take on a queued run: check it, and begin to plan it beside the loop."""
        record = self.runs.record(run_id)
        if record is None or run_id in self.active:
            return
        run = ActiveRun(record, self.runs.state(run_id))
        self.active[run_id] = run
        self._recorder.hold_reserve()
        self._record(run, Event("RunStarted", data={"environment": surroundings()}))
        run.plan = self._planner.begin(run)

    def cancel(self, run_id: str) -> None:
        """End a run's steps; what is finished is kept."""
        run = self.active.get(run_id)
        if run and not run.cancelled:
            run.cancelled = True
            for running in run.running.values():
                running.handle.cancel()

    def advance(self) -> None:
        """Do everything that can be done now."""
        for run in list(self.active.values()):
            self._hear_planning(run)
            self._hear_steps(run)
            self._start_steps(run)
            if run.is_done:
                self._finish(run)
        if self._recorder.write():
            for run in list(self.active.values()):
                self._submit_steps(run)
        elif self._recorder.is_starved:
            self._end_for_want_of_room()
        if not self.active:
            self._made.clear()

    def shut_down(self) -> None:
        """Leave everything as it is for the next runner; the fork servers' end ends the steps."""
        for run in self.active.values():
            run.cancelled = True  # so that planning ends; it is written nowhere
        self._planner.shut_down()

    # planning

    def _take_plan(self, run: ActiveRun, plan: Future[Plan]) -> None:
        run.plan = None
        try:
            run.take_plan(plan.result())
        except Exception as error:  # the boundary: a user's module may raise anything here
            self._refuse_plan(run, outcome_of(error))
        unplanned = [node for node in run.unsettled() if node not in run.steps]
        self._record(run, *(Event("StepSkipped", node) for node in unplanned))
        for step in run.steps.values():
            if step.module.needs_torch and (step.forced or step.node in run.not_reusable):
                self.targets[step.target].prepare("torch")  # while earlier steps run

    def _refuse_plan(self, run: ActiveRun, problem: Problem) -> None:
        run.problem = problem.to_json()
        run.take_plan(Plan({}))
        if problem.node in run.state.steps:
            self._record(run, Event("StepFailed", problem.node, {"problem": run.problem}))
        for node in run.unsettled():
            self._record(run, skipped(node, filter(None, [problem.node])))

    def _hear_planning(self, run: ActiveRun) -> None:
        """How far the look at the sources' files is, told on their nodes."""
        while run.looked:
            node, progress = run.looked.popitem()
            self._record(run, Event("StepLooking", node, progress))

    # starting

    def _start_steps(self, run: ActiveRun) -> None:
        if run.plan is not None:
            if not run.plan.done():
                return
            self._take_plan(run, run.plan)
        if run.cancelled:
            return
        for node in run.startable():
            self._start_step(run, run.steps[node])
        run.found.clear()  # from here on what was found may have changed

    def _start_step(self, run: ActiveRun, step: Step) -> None:
        """Settle, start or queue one step whose parents have ended."""
        if run.failed_parents(step):
            self._record(run, skipped(step.node, run.failed_parents(step)))
        elif any(step.key in other.running_keys for other in self.active.values()):
            return  # the same step is under way in another run: its output will do
        elif not self._reuse(run, step):
            gpus = self.slots.take((run.id, step.node), self._need(step))
            if gpus is None:
                self._record(run, *self._queued(run, step))
            else:
                self._prepare(run, step, gpus)

    def _reuse(self, run: ActiveRun, step: Step) -> bool:
        if step.forced and step.node not in run.made:
            return False
        found = self._find(run, step)
        if found is None:
            run.not_reusable.add(step.node)
            return False
        run.artifacts[step.node] = found.id
        if found.key != step.key:
            run.own.add(step.node)
        state = run.state.steps[step.node]
        if not (state.status in SUCCEEDED_STEP and state.artifact_id == found.id):
            self._record(run, self._reused(run, step, found))
        return True

    def _find(self, run: ActiveRun, step: Step) -> ArtifactRecord | None:
        """The output of a step: made a moment ago, found with the plan, or in the store by now."""
        keys = run.keys_of(step)
        made = next((self._made[key] for key in keys if key in self._made), None)
        if made is not None and self.artifacts.is_intact(made):
            return made
        if step.node in run.not_reusable:
            return None
        there = run.found if run.found.keys() & keys else self.artifacts.find_all(keys)
        return next((there[key] for key in keys if key in there), None)

    def _reused(self, run: ActiveRun, step: Step, found: ArtifactRecord) -> Event:
        data = {"artifact_id": found.id, "run_id": found.run_id, "key": step.key}
        origin = (found.run_id, found.node)
        remembered = (found.remembered or {}).get("summary")
        summary = run.summaries.get(origin) or self._summary(*origin) or remembered
        return Event("StepReused", step.node, {**data, "summary": summary} if summary else data)

    def _summary(self, run_id: str, node: str) -> str | None:
        """What a step said of its output, where that was not known when the run was planned."""
        if run_id in self.active:
            return self.active[run_id].state.steps[node].summary
        return self.runs.summaries([(run_id, node)]).get((run_id, node))

    def _need(self, step: Step) -> Need:
        return Need.of(step, self.slots.num_cores, len(self.slots.gpus))

    def _queued(self, run: ActiveRun, step: Step) -> list[Event]:
        if run.state.steps[step.node].status == "queued":
            return []
        return [Event("StepQueued", step.node, {"key": step.key})]

    def _prepare(self, run: ActiveRun, step: Step, gpus: tuple[int, ...]) -> None:
        """Decide that a step starts; it is submitted once that is on disk."""
        attempt = run.state.steps[step.node].attempt + 1
        started = Event("StepStarted", step.node, {"attempt": attempt})
        self._record(run, *self._queued(run, step), started)
        run.tries[step.node] = run.tries.get(step.node, 0) + 1
        run.starting[step.node] = StartingStep(step, self._spec(run, step, attempt, gpus))

    def _submit_steps(self, run: ActiveRun) -> None:
        for node, (step, spec) in list(run.starting.items()):
            del run.starting[node]
            if run.cancelled:
                self.slots.give_back((run.id, node))
                continue
            try:
                handle = self.targets[step.target].submit(spec, step.module.preload)
            except OSError as error:
                self.slots.give_back((run.id, node))
                self._record(run, Event("StepFailed", node, {"problem": problem_of_system(error)}))
            else:
                run.running[node] = RunningStep(step, handle, self.stalled_seconds)

    def _spec(self, run: ActiveRun, step: Step, attempt: int, gpus: tuple[int, ...]) -> StepSpec:
        cores, world_size = self.slots.num_cores, step.world_size
        parameters = step.parameters.model_dump(mode="json")
        named = {each for each in parameters.values() if isinstance(each, str)}
        light = not step.module.needs_torch
        return StepSpec(
            run_id=run.id,
            node=step.node,
            attempt=attempt,
            module_id=step.module.id,
            origin=step.origin.to_json(),
            parameters=parameters,
            inputs={
                port: str(self.artifacts.folder(run.artifacts[end.node], end.port))
                for port, end in step.inputs.items()
            },
            key=step.key,
            cut_short=bool(run.own & step.parents),
            node_dir=str(self.workspace.node_dir(run.id, step.node)),
            staging_dir=str(self.artifacts.staging_dir(run.id, step.node, attempt)),
            datasets_dir=str(self.workspace.datasets_dir),
            weights_dir=str(self.workspace.weights_dir),
            cache_dir=str(self.workspace.cache_dir),
            models={each: str(run.models[each]) for each in named if each in run.models},
            allowed_roots=run.record.options.get("allowed_roots"),
            node_count=step.settings.node_count,
            process_count_per_node=step.settings.process_count_per_node,
            threads=threads_per_rank(world_size, cores),
            gpus=list(gpus),
            niceness=10 if light and self.slots.is_training else 0,
        )

    # taking in

    def _hear_steps(self, run: ActiveRun) -> None:
        for node, running in list(run.running.items()):
            events = running.listen() if running.is_due() else []
            end = running.handle.poll()
            if end is None:
                if running.is_overdue or running.silence.is_too_long:
                    running.handle.cancel()
                self._record(run, *events)
                continue
            events += translate(node, running.tail.read())
            if running.tail.is_behind:  # the rest of its words come before its end
                self._record(run, *events)
                continue
            self.slots.give_back((run.id, node))
            del run.running[node]
            self._record(run, *events, *self._conclude(run, running, end.ok, end.worst))

    def _conclude(
        self, run: ActiveRun, running: RunningStep, ok: bool, code: int | None
    ) -> list[Event]:
        """The events of a step's end."""
        spec, node = running.handle.spec, running.step.node
        result = running.result() if ok else None
        if result is not None:
            record, finished = running.take_in(self.artifacts, result, run)
            self._journal.add_artifact(record)
            self._made[record.key] = record
            return [finished]
        running.discard()
        if run.cancelled:
            return [Event("StepCancelled", node)]
        problem = running.problem(code)
        if running.may_retry(problem, run.tries[node]):
            message = f"Attempt {spec.attempt} failed: {problem['message']} Trying again."
            return [
                Event("StepWarning", node, {"message": message}),
                Event("StepQueued", node, {"key": spec.key}),
            ]
        return [Event("StepFailed", node, {"problem": problem})]

    # finishing

    def _finish(self, run: ActiveRun) -> None:
        events = [Event("StepCancelled", node) for node in run.unsettled()]
        status, problem = run.verdict()
        if run.cancelled and status == "cancelled":
            problem = Problem.of(
                RUN_CANCELLED, "The run was cancelled.", "Resume it to go on where it stopped."
            ).to_json()
        events.append(Event("RunFinished", data={"status": status, "problem": problem}))
        self._record(run, *events)
        del self.active[run.id]

    def _record(self, run: ActiveRun, *events: Event) -> None:
        """Note events that hold from now on; they are written at the end of the round."""
        self._journal.add(run.id, run.state, *events)

    def _end_for_want_of_room(self) -> None:
        """Cancel what cannot be written down any more."""
        for run in self.active.values():
            run.problem = run.problem or disk_full().to_json()
            self.cancel(run.id)
