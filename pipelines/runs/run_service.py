"""What commands and the app do with runs: submit, follow, cancel, resume."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from modules.catalog import Catalog
from modules.context import Context
from modules.operating_system.processes import ProcessIdentity
from modules.operating_system.signals import GIVE_UP, KILL
from pipelines.artifacts.artifact_store import ArtifactStore
from pipelines.documents.document import PipelineDocument, parse_document
from pipelines.events import SUCCEEDED_STEP, Event, StepState
from pipelines.execution.disk_exhaustion import STARVED_SECONDS, DiskExhaustion, is_scarce
from pipelines.execution.heartbeat import frozen_runner
from pipelines.execution.recovery import recover
from pipelines.execution.runner_lock import code_version, current_runner, try_lock, without_runner
from pipelines.execution.runner_process import launch_runner
from pipelines.execution.step_events import disk_full
from pipelines.problems import EMPTY_PIPELINE, UNKNOWN_NODE, PipelineError, Problem, errors_in
from pipelines.registry.models import gone_models, model_folders
from pipelines.runs.history import RunHistory
from pipelines.store.database import Database
from pipelines.store.runs import RunRecord, RunStore
from pipelines.store.targets import TargetStore
from pipelines.targets import target_offers
from pipelines.targets.offer import TargetOffer
from pipelines.user_modules.workspace_catalog import CatalogSource
from pipelines.validation.augmentation import idle_augmentation
from pipelines.validation.checks import validate
from pipelines.validation.graph import part_to
from pipelines.validation.resources import absent_weights, gone_datasets
from pipelines.workers.step_spec import STOP
from pipelines.workspace import Workspace

START_SECONDS = 20.0
STOP_SECONDS = 15.0
UNLOCK_SECONDS = 5.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.01, 0.2
"""Seconds between two looks at a run's events: after one has come, and after long silence."""


class RunnerNotStartedError(RuntimeError):
    """The runner did not come up; the message ends in where to look."""


class Runs:
    """The runs of a workspace, as anyone but the runner sees them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.database = Database.open(workspace)
        self.store = RunStore(self.database)
        self.artifacts = ArtifactStore(workspace, self.database)
        self.history = RunHistory(self)
        self._catalogs = CatalogSource(workspace)

    @property
    def catalog(self) -> Catalog:
        """The modules there are for this workspace."""
        return self._catalogs.load()

    def offers(self) -> dict[str, TargetOffer]:
        """What each compute target offers."""
        return target_offers(TargetStore(self.database).all())

    def problems(self, document: PipelineDocument, to_node: str | None = None) -> list[Problem]:
        """Everything that is wrong with a document here, or with what a run to a node needs."""
        document, catalog = part_to(document, to_node), self.catalog
        return [
            *validate(document, catalog, self.offers()),
            *gone_models(document, self.database, self.artifacts.root),
            *gone_datasets(document, self.workspace.datasets_dir),
            *absent_weights(document, catalog, self.workspace.weights_dir),
            *idle_augmentation(document, catalog),
        ]

    def reading_context(self, allowed_roots: Sequence[Path] | None = None) -> Context:
        """What hooks that look at data without running may see."""
        return Context(
            staging_dir=self.workspace.artifacts_dir,
            cache_dir=self.workspace.cache_dir,
            weights_dir=self.workspace.weights_dir,
            datasets_dir=self.workspace.datasets_dir,
            models=model_folders(self.database, self.artifacts.root),
            allowed_roots=None if allowed_roots is None else tuple(allowed_roots),
            may_download=False,
        )

    def submit(
        self,
        document: PipelineDocument,
        *,
        name: str | None = None,
        experiment: str | None = None,
        to_node: str | None = None,
        attached: bool = False,
        allowed_roots: Sequence[Path | str] | None = None,
        description: str = "",
        pipeline_id: str | None = None,
        from_run: str | None = None,
        forced: Sequence[str] = (),
        target: str | None = None,
        only: Sequence[str] = (),
    ) -> str:
        """Queue a run and see to it that a runner is there; gives the run's id.

        An ``attached`` run ends when this process does. ``pipeline_id`` is the saved pipeline
        that the document was taken from, ``from_run`` the run that is repeated. ``forced`` nodes
        and what follows them are made anew. ``target`` and ``only`` are kept with it: how the
        document differs from the pipeline, to ask for the same again. Raises ``PipelineError``
        with every problem when what is to be run cannot be.
        """
        problems = [*errors_in(self.problems(document, to_node))]
        problems += _unrunnable(document, (to_node, *forced))
        if problems:
            raise PipelineError(problems)
        owner = asdict(ProcessIdentity.of()) if attached else None
        roots = None if allowed_roots is None else [str(root) for root in allowed_roots]
        run_id = self.store.create(
            document.to_json(),
            [node.id for node in document.nodes],
            name=name or document.name or document.id,
            experiment=experiment or document.name or document.id,
            options={
                "to": to_node,
                "owner": owner,
                "allowed_roots": roots,
                "description": description,
                "pipeline_id": pipeline_id,
                "from_run": from_run,
                "forced": list(forced),
                "target": target,
                "only": list(only),
            },
        )
        self.ensure_runner()
        return run_id

    def resume(self, run_id: str, *, attached: bool = False) -> None:
        """Queue a finished run again: finished steps are kept, broken ones go on."""
        self.refresh()
        record, state = self.store.record(run_id), self.store.state(run_id)
        if record is None or not state.is_finished:
            return
        owner = asdict(ProcessIdentity.of()) if attached else None
        self.store.set_options(run_id, {**record.options, "owner": owner})
        nodes = list(state.steps)
        for node in nodes:  # what was asked of the earlier submission is over
            (self.workspace.node_dir(run_id, node) / STOP).unlink(missing_ok=True)
        self.store.append_to(run_id, [Event("RunQueued", data={"nodes": nodes})])
        self.ensure_runner()

    def cancel(self, run_id: str) -> None:
        """Ask for the end of a run; at once where nobody executes it."""
        self.store.request_cancel(run_id)
        self.refresh_without_starting()

    def wait_for_end(self, run_id: str) -> str | None:
        """Wait until a run has ended; a sentence instead where its runner cannot end it."""
        asked = time.monotonic()
        for _ in self.follow(run_id):
            if time.monotonic() - asked > 1.0:
                asked = time.monotonic()
                frozen = frozen_runner(self.workspace)
                if frozen is not None:
                    return frozen
        return None

    def stop_and_keep(self, run_id: str) -> list[str]:
        """Ask trainings under way to end early and hand on their best model; gives the nodes.

        Steps that cannot do that go on.
        """
        record, steps = self.store.record(run_id), self.store.state(run_id).steps
        nodes = parse_document(record.document).nodes if record else ()
        able = {each.id for each in self.catalog.modules if each.stoppable}
        begun = {node for node, step in steps.items() if step.status in ("preparing", "running")}
        stopping = [node.id for node in nodes if node.id in begun and node.module in able]
        for node in stopping:
            (self.workspace.node_dir(run_id, node) / STOP).touch()
        return stopping

    def refresh(self) -> None:
        """Make what the store says true, and have a runner go on with what waits for one."""
        self.refresh_without_starting()
        if self.store.unfinished() and current_runner(self.workspace) is None:
            self.ensure_runner()

    def refresh_without_starting(self) -> None:
        """The same, but queued runs stay queued until somebody starts a runner."""
        self._recover(go_on=True)

    def _recover(self, *, go_on: bool) -> None:
        with without_runner(self.workspace) as there_is_none:
            if there_is_none:
                recover(self.workspace, self.database, go_on=go_on)

    def follow(self, run_id: str, poll_seconds: float | None = None) -> Iterator[list[Event]]:
        """The run's events in batches as they come, an empty batch while there are none.

        Ends after ``RunFinished``. When the runner dies meanwhile another one is started. The
        longer nothing happens, the less often it looks, unless ``poll_seconds`` says how often:
        a training wants the cores. Raises ``PipelineError`` (0138) where the disk is so full that
        not even its end can be written down.
        """
        last, looked, pause = 0, time.monotonic(), SHORTEST_PAUSE
        exhaustion, seen = DiskExhaustion(self.workspace), 0
        while True:
            batch = self.store.events_after(run_id, last)
            last = batch[-1].id or last if batch else last
            yield batch
            if _has_finished(batch) and self.store.state(run_id).is_finished:
                return
            pause = SHORTEST_PAUSE if batch else min(2 * pause, LONGEST_PAUSE)
            if not batch:
                time.sleep(pause if poll_seconds is None else poll_seconds)
            if time.monotonic() - looked > 1.0:
                looked = time.monotonic()
                exhaustion.check(has_news=last > seen)
                seen = last
                if current_runner(self.workspace) is None:
                    self.refresh()

    def outputs(self, step: StepState) -> dict[str, str]:
        """Port to absolute folder of a step's outputs; empty when it gave none."""
        if step.status not in SUCCEEDED_STEP or step.artifact_id is None:
            return {}
        folder = self.artifacts.root / step.artifact_id
        return {port.name: str(port) for port in sorted(folder.glob("*")) if port.is_dir()}

    def find(self, text: str) -> RunRecord:
        """The run whose id begins with ``text``; ``last`` is the newest. Else ``LookupError``."""
        if text == "last":
            newest = self.store.newest(limit=1)
            if newest:
                return newest[0]
        found = self.store.find(text) if text else []
        exact = [each for each in found if each == text] or found
        if len(exact) != 1:
            how_many = "No run" if not exact else f"{len(exact)} runs"
            raise LookupError(f"{how_many} with an id that begins with {text!r}: see `runs list`.")
        record = self.store.record(exact[0])
        if record is None:
            raise LookupError(f"Run {text!r} has just been deleted.")
        return record

    def ensure_runner(self, *, warm: bool = False) -> None:
        """Start a runner when there is none; replace an idle one of older code."""
        info = current_runner(self.workspace)
        if info is not None and info.code != code_version() and not self._is_executing():
            self.stop_runner()
            info = None
        if info is None:
            self._start_runner(warm)

    def stop_runner(self, *, for_good: bool = False) -> bool:
        """End the runner; False when there was none.

        What it executes goes on with the next runner, or, ``for_good``, fails until it is resumed.
        """
        info = current_runner(self.workspace)
        if info is None:
            return False
        info.identity.signal(GIVE_UP if for_good else signal.SIGTERM)
        _wait_until(lambda: not info.identity.is_alive, STOP_SECONDS)
        info.identity.signal(KILL)
        _wait_until(self._has_no_runner, STOP_SECONDS)  # its guardian clears up
        if for_good:
            self._recover(go_on=False)
        return True

    @contextmanager
    def sweeping(self) -> Iterator[bool]:
        """True, and no run can begin meanwhile, when none is under way."""
        self.refresh()
        lock = try_lock(self.workspace.runs_lock_path)
        deadline = time.monotonic() + UNLOCK_SECONDS
        while lock is None and not self.store.unfinished() and time.monotonic() < deadline:
            time.sleep(0.02)  # the runner lets go just after a run's end
            lock = try_lock(self.workspace.runs_lock_path)
        try:
            yield lock is not None and not self.store.unfinished()
        finally:
            if lock is not None:
                lock.close()

    def _has_no_runner(self) -> bool:
        with without_runner(self.workspace) as there_is_none:
            return there_is_none

    def _is_executing(self) -> bool:
        return any(self.store.state(each).status == "running" for each in self.store.unfinished())

    def _start_runner(self, warm: bool) -> None:
        launch_runner(self.workspace, warm=warm)
        seconds = STARVED_SECONDS if is_scarce(self.workspace) else START_SECONDS
        if not _wait_until(lambda: current_runner(self.workspace) is not None, seconds):
            if is_scarce(self.workspace):
                raise PipelineError([disk_full()])
            log_path = self.workspace.runner_log_path
            raise RunnerNotStartedError(f"The runner did not start: its log is {log_path}.")


def _unrunnable(document: PipelineDocument, named: Sequence[str | None]) -> list[Problem]:
    unknown = [each for each in named if each is not None and document.node(each) is None]
    if unknown:
        message = f"There is no node {unknown[0]!r} to run to or from."
        return [Problem.of(UNKNOWN_NODE, message, "Name one of the pipeline's nodes.")]
    if all(node.disabled for node in document.nodes):
        return [Problem.of(EMPTY_PIPELINE, "There is no node to run.", "Add a module first.")]
    return []


def _has_finished(batch: Sequence[Event]) -> bool:
    return any(event.kind == "RunFinished" for event in batch)


def _wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return False
