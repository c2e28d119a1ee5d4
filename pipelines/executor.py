"""The executor: admits runs, starts the steps that can start, takes in what comes of them.

One executor serves all runs of a workspace, in the runner's process, in one thread. Every change
is an event that is on disk before anything follows from it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from modules.errors import ModuleError
from modules.parameters import Parameters
from modules.spec import Module
from pipelines.active_run import ActiveRun, RunningStep
from pipelines.artifacts import ArtifactStore
from pipelines.catalogs import CatalogSource
from pipelines.document import parse_document
from pipelines.events import SUCCEEDED_STEP, Event
from pipelines.outcome import outcome_of, problem_of_system, skipped, translate
from pipelines.plan import Step, make_plan
from pipelines.problems import RUN_CANCELLED, PipelineError, Problem
from pipelines.slots import Need, Slots, threads_per_rank
from pipelines.steps import StepSpec, write_durably
from pipelines.store.artifacts import ArtifactRecord
from pipelines.store.database import Database, OperationalFailure, is_disk_full
from pipelines.store.runs import RunStore
from pipelines.targets.base import Target
from pipelines.validate import validate
from pipelines.workspace import Workspace

DISK_FULL_ATTEMPTS = 120


class Executor:
    """All unfinished runs of one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        database: Database,
        targets: Mapping[str, Target],
        slots: Slots,
    ) -> None:
        self.workspace = workspace
        self.runs = RunStore(database)
        self.artifacts = ArtifactStore(workspace, database)
        self.catalogs = CatalogSource(workspace.modules_dir)
        self.targets = targets
        self.slots = slots
        self.active: dict[str, ActiveRun] = {}
        self._planners = ThreadPoolExecutor(max_workers=2, thread_name_prefix="plan")

    @property
    def is_busy(self) -> bool:
        return bool(self.active)

    def admit(self, run_id: str) -> None:
        """Take on a queued run: check it, and begin to plan it beside the loop."""
        record = self.runs.record(run_id)
        if record is None or run_id in self.active:
            return
        run = ActiveRun(record, self.runs.state(run_id))
        self.active[run_id] = run
        self._record(run, Event("RunStarted"))
        run.plan = self._planners.submit(self._plan, run)

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
            self._hear_steps(run)
            self._start_steps(run)
            if run.is_done:
                self._finish(run)

    def shut_down(self) -> None:
        """Leave everything as it is for the next runner; the zygotes' end ends the steps."""
        self._planners.shutdown(wait=False, cancel_futures=True)

    # planning

    def _plan(self, run: ActiveRun) -> dict[str, Step]:
        catalog = self.catalogs.load()
        document = parse_document(run.record.document)
        offers = {name: target.offer for name, target in self.targets.items()}
        problems = [
            each for each in validate(document, catalog, offers) if each.severity == "error"
        ]
        if problems:
            raise PipelineError(problems)
        write_durably(run.folder(self.workspace) / "document.json", run.record.document)
        context = run.planning_context(self.workspace)

        def fingerprint(node: str, module: Module, parameters: Parameters) -> str:
            assert module.fingerprint is not None
            try:
                return module.fingerprint(parameters, context)
            except ModuleError as error:
                raise PipelineError([Problem.from_error(error, node)]) from None

        options = run.record.options
        forced = options.get("forced") or ()
        return make_plan(document, catalog, fingerprint, options.get("to"), forced)

    def _take_plan(self, run: ActiveRun, plan: Future[dict[str, Step]]) -> None:
        run.plan = None
        try:
            run.take_plan(plan.result())
        except Exception as error:  # the boundary: a user's module may raise anything here
            self._refuse_plan(run, outcome_of(error))
        unplanned = [node for node in run.unsettled() if node not in run.steps]
        self._record(run, *(Event("StepSkipped", node) for node in unplanned))
        for step in run.steps.values():
            if step.module.needs_torch and (step.forced or not self.artifacts.find(step.key)):
                self.targets[step.target].prepare("torch")  # while earlier steps run

    def _refuse_plan(self, run: ActiveRun, problem: Problem) -> None:
        run.problem = problem.to_json()
        run.take_plan({})
        if problem.node in run.state.steps:
            self._record(run, Event("StepFailed", problem.node, {"problem": run.problem}))
            for node in run.unsettled():
                self._record(run, skipped(node, [problem.node or ""]))

    # starting

    def _start_steps(self, run: ActiveRun) -> None:
        if run.plan is not None:
            if not run.plan.done():
                return
            self._take_plan(run, run.plan)
        if run.cancelled:
            return
        for node in run.steps:  # parents first: one pass settles a whole chain of reused steps
            if run.can_start(node):
                self._start_step(run, run.steps[node])

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
                self._submit(run, step, gpus)

    def _reuse(self, run: ActiveRun, step: Step) -> bool:
        if step.node in run.not_reusable or (step.forced and step.node not in run.made):
            return False
        found = self.artifacts.find(step.key)
        if found is None:
            run.not_reusable.add(step.node)
            return False
        run.artifacts[step.node] = found.id
        state = run.state.steps[step.node]
        if not (state.status in SUCCEEDED_STEP and state.artifact_id == found.id):
            self._record(run, self._reused(step, found))
        return True

    def _reused(self, step: Step, found: ArtifactRecord) -> Event:
        data = {"artifact_id": found.id, "run_id": found.run_id, "key": step.key}
        origin = self.runs.state_of_step(found.run_id, found.node)
        summary = origin.summary if origin else (found.remembered or {}).get("summary")
        if summary:
            data["summary"] = summary
        return Event("StepReused", step.node, data)

    def _need(self, step: Step) -> Need:
        return Need.of(step, self.slots.num_cores, len(self.slots.gpus))

    def _queued(self, run: ActiveRun, step: Step) -> list[Event]:
        if run.state.steps[step.node].status == "queued":
            return []
        return [Event("StepQueued", step.node, {"key": step.key})]

    def _submit(self, run: ActiveRun, step: Step, gpus: tuple[int, ...]) -> None:
        attempt = run.state.steps[step.node].attempt + 1
        started = Event("StepStarted", step.node, {"attempt": attempt})
        self._record(run, *self._queued(run, step), started)
        run.tries[step.node] = run.tries.get(step.node, 0) + 1
        spec = self._spec(run, step, attempt, gpus)
        try:
            handle = self.targets[step.target].submit(spec, step.module.preload)
        except OSError as error:
            self.slots.give_back((run.id, step.node))
            self._record(run, Event("StepFailed", step.node, {"problem": problem_of_system(error)}))
            return
        run.running[step.node] = RunningStep(step, handle)

    def _spec(self, run: ActiveRun, step: Step, attempt: int, gpus: tuple[int, ...]) -> StepSpec:
        cores, world_size = self.slots.num_cores, step.world_size
        light = not step.module.needs_torch
        return StepSpec(
            run_id=run.id,
            node=step.node,
            attempt=attempt,
            module_id=step.module.id,
            origin=step.origin.to_json(),
            parameters=step.parameters.model_dump(mode="json"),
            inputs={
                port: str(self.artifacts.folder(run.artifacts[end.node], end.port))
                for port, end in step.inputs.items()
            },
            key=step.key,
            node_dir=str(self.workspace.node_dir(run.id, step.node)),
            staging_dir=str(self.artifacts.staging_dir(run.id, step.node, attempt)),
            datasets_dir=str(self.workspace.datasets_dir),
            weights_dir=str(self.workspace.weights_dir),
            cache_dir=str(self.workspace.cache_dir),
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
            events = translate(node, running.tail.read()) if running.is_due() else []
            end = running.handle.poll()
            if end is None:
                if running.is_overdue:
                    running.handle.cancel()
                self._record(run, *events)
                continue
            events += translate(node, running.tail.read())
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
            return [running.committed(self.artifacts, result, run)]
        running.discard()
        if run.cancelled:
            return [Event("StepCancelled", node)]
        problem = running.problem(code)
        if running.may_retry(problem) and run.tries[node] <= running.step.settings.retries:
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
        """Put events on disk; on a full one, wait a while for room: staging folders make some."""
        for _ in range(DISK_FULL_ATTEMPTS):
            try:
                return self.runs.append(run.id, run.state, events)
            except OperationalFailure as error:
                if not is_disk_full(error):
                    raise
                time.sleep(0.5)
        return self.runs.append(run.id, run.state, events)
