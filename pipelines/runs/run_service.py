"""Operations on runs for commands and the app: submit, follow, cancel, resume."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from modules.catalog import Catalog
from modules.sentences.sentence import Statement
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.expansion import expanded, members
from pipelines.errors import DatabaseAwayError, NotFoundError, RefusedError
from pipelines.events import Event
from pipelines.execution.disk_exhaustion import DiskExhaustion
from pipelines.execution.heartbeat import frozen_runner
from pipelines.execution.runner_client import RunnerClient
from pipelines.execution.runner_lock import current_runner
from pipelines.problems import EMPTY_PIPELINE, UNKNOWN_NODE, PipelineError, Problem, errors_in
from pipelines.runs.run_names import name_of_change, numbered_name
from pipelines.runs.run_request import RunRequest
from pipelines.sentences import refusals, wiring
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.history import RunIndex
from pipelines.store.database.runs import RunRecord, RunStore
from pipelines.validation.workspace_checks import WorkspaceChecks
from pipelines.workers.step_spec import STOP
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

SHORTEST_PAUSE, LONGEST_PAUSE = 0.01, 0.2
"""Polling interval of a run's events in seconds: after an event, and after a long silence."""


class RunService:
    """Runs of a workspace for clients of the runner."""

    def __init__(
        self, workspace: Workspace, artifacts: ArtifactStore, checks: WorkspaceChecks
    ) -> None:
        self.workspace = workspace
        self.database = artifacts.index.database
        self.store = RunStore(self.database)
        self.artifacts = artifacts
        self.checks = checks
        self.runner = RunnerClient(workspace, self.store)
        self._is_away = False

    @property
    def catalog(self) -> Catalog:
        """Return the modules of this workspace."""
        return self.checks.catalog

    def submit(self, request: RunRequest) -> str:
        """Queue a run and ensure that a runner lives; return the run's id.

        Raises ``PipelineError`` with all problems of a pipeline that cannot be run.
        """
        document = request.document
        problems = [*errors_in(self.checks.problems(document, request.to_node))]
        problems += _unrunnable(document, (request.to_node, *request.forced))
        problems = problems or self.checks.damaged_pins(document, request.to_node)
        if problems:
            raise PipelineError(problems)
        run_id = self.store.create(
            document.to_json(),
            [node.id for node in expanded(document).nodes],
            name=request.name or self._name_for(request),
            experiment=request.experiment_name,
            options=request.options,
        )
        self.runner.ensure()
        return run_id

    def _name_for(self, request: RunRequest) -> str:
        """Return the changes since the previous run, otherwise the run's number."""
        earlier = RunIndex(self.database).names_of(request.pipeline_id, request.experiment_name)
        newest = self.store.record(earlier[0][0]) if earlier else None
        if newest is not None and not (request.only or newest.options.only):
            with suppress(PipelineError):  # of a newer version of the program
                before = parse_document(newest.document)
                after = expanded(request.document)
                changed = name_of_change(expanded(before), after, self.catalog)
                if changed is not None:
                    return changed
        return numbered_name((name for _, name in earlier), len(earlier))

    def resume(
        self,
        run_id: str,
        *,
        owner: Mapping[str, Any] | None = None,
        pause: Mapping[str, int] | None = None,
    ) -> None:
        """Queue an ended run again: finished steps are kept, others continue.

        It ends with its ``owner``, if one is given, and pauses its nodes after the epochs of
        ``pause``. Raises ``RefusedError`` if nothing is left to do.
        """
        # A runner that has just died left its run in progress: end it first.
        self.runner.refresh()
        record, state = self.store.record(run_id), self.store.state(run_id)
        if record is None or not state.is_finished:
            return
        if state.status == "completed":
            raise RefusedError(refusals.RUN_COMPLETED, run=run_id)
        self.store.set_options(run_id, replace(record.options, owner=owner, pause=pause))
        nodes = list(state.steps)
        for node in nodes:  # requests for the earlier submission are obsolete
            (self.workspace.node_dir(run_id, node) / STOP).unlink(missing_ok=True)
        self.store.append_to(run_id, [Event("RunQueued", data={"nodes": nodes})])
        self.runner.ensure()

    def cancel(self, run_id: str) -> None:
        """Request the end of a run; it ends at once if no runner executes it."""
        self.store.request_cancel(run_id)
        # A runner sees the request; without one the run is ended here.
        self.runner.refresh_without_starting()

    def wait_for_end(self, run_id: str) -> Statement | None:
        """Wait for the end of a run; return a statement if its runner cannot end it."""
        checked_at = time.monotonic()
        for _ in self.follow(run_id):
            if time.monotonic() - checked_at > 1.0:
                checked_at = time.monotonic()
                frozen = frozen_runner(self.workspace)
                if frozen is not None:
                    return frozen
        return None

    def stop_and_keep(self, run_id: str) -> list[str]:
        """Ask running trainings to finish early with their best model; return the nodes.

        Steps that cannot do that continue.
        """
        record, steps = self.store.record(run_id), self.store.state(run_id).steps
        nodes = expanded(parse_document(record.document)).nodes if record else ()
        able = {module.id for module in self.catalog.modules if module.stoppable}
        running = {node for node, step in steps.items() if step.status in ("preparing", "running")}
        stopping = [node.id for node in nodes if node.id in running and node.module in able]
        for node in stopping:
            (self.workspace.node_dir(run_id, node) / STOP).touch()
        return stopping

    def follow(self, run_id: str, poll_seconds: float | None = None) -> Iterator[list[Event]]:
        """Yield the run's events in batches, an empty batch while there are none.

        Ends after ``RunFinished``. If the runner dies, another one is started. The polling interval
        grows during silence unless ``poll_seconds`` is given: a training needs the cores. Raises
        ``PipelineError`` (0138) if the disk is so full that not even the end can be written.
        """
        last, looked, pause = 0, time.monotonic(), SHORTEST_PAUSE
        exhaustion, seen = DiskExhaustion(self.workspace), 0
        while True:
            batch = self._events_after(run_id, last)
            last = batch[-1].id or last if batch else last
            yield batch
            # A resumed run has finished before: its state shows whether this end is the last one.
            if _has_finished(batch) and self.store.state(run_id).is_finished:
                return
            pause = SHORTEST_PAUSE if batch else min(2 * pause, LONGEST_PAUSE)
            if not batch:
                time.sleep(pause if poll_seconds is None else poll_seconds)
            if time.monotonic() - looked > 1.0:
                looked = time.monotonic()
                # On a full disk the runner cannot write the end that is awaited here.
                exhaustion.check(has_news=last > seen)
                seen = last
                if current_runner(self.workspace) is None:
                    with suppress(DatabaseAwayError):  # the next poll reports it
                        self.runner.refresh()

    def _events_after(self, run_id: str, last: int) -> list[Event]:
        """Return the events; None while the database is unavailable, which runs survive."""
        try:
            batch = self.store.events_after(run_id, last)
        except DatabaseAwayError as error:
            if not self._is_away:
                logger.warning("%s", error)
            self._is_away = True
            return []
        self._is_away = False
        return batch

    def find(self, text: str) -> RunRecord:
        """Return the run whose id starts or ends with ``text``; ``last`` is the newest.

        Raises ``NotFoundError`` for none or several.
        """
        if text == "last":
            newest = self.store.newest(limit=1)
            if newest:
                return newest[0]
        run_ids = self.store.find(text) if text else []
        exact = [run_id for run_id in run_ids if run_id == text] or run_ids
        if len(exact) != 1:
            which = refusals.SEVERAL_RUNS_BEGIN if exact else refusals.NO_RUN_BEGINS
            raise NotFoundError(which, text=text, count=len(exact))
        record = self.store.record(exact[0])
        if record is None:
            raise NotFoundError(refusals.RUN_JUST_DELETED, run=text)
        return record


def _unrunnable(document: PipelineDocument, named: Sequence[str | None]) -> list[Problem]:
    document = expanded(document)
    unknown = [
        node_id for node_id in named if node_id is not None and not members(document, node_id)
    ]
    if unknown:
        return [Problem.of(UNKNOWN_NODE, wiring.NO_NODE_TO_RUN_TO, name=unknown[0])]
    if all(node.disabled for node in document.nodes):
        return [Problem.of(EMPTY_PIPELINE, wiring.ALL_DISABLED)]
    return []


def _has_finished(batch: Sequence[Event]) -> bool:
    return any(event.kind == "RunFinished" for event in batch)
