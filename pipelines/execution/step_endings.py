"""Handling of ended steps: keep the output, retry, or fail."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.events import Event, ProblemData
from pipelines.execution.active_run import ActiveRun, StepOutput
from pipelines.execution.artifact_uploads import ArtifactUploads
from pipelines.execution.reusable_outputs import ReusableOutputs
from pipelines.execution.running_step import RunningStep, is_preemption
from pipelines.execution.step_events import another_try, restart_events, waits_for
from pipelines.problems import NODE_LOST
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import StepResult
from pipelines.store.database.journal import Journal
from pipelines.targets.base import StepEnd, Target


@dataclass(frozen=True)
class StepEndings:
    """Settles ended steps; the resulting events are written with the round."""

    targets: Mapping[str, Target]
    artifacts: ArtifactStore
    journal: Journal
    outputs: ReusableOutputs
    uploads: ArtifactUploads
    checkpoints: list[Path] = field(default_factory=list)
    """Checkpoints of steps whose outputs replace them once those are on disk."""

    def forget_checkpoints(self) -> None:
        """Remove the checkpoints of steps whose ends are written."""
        while self.checkpoints:
            shutil.rmtree(self.checkpoints.pop(), ignore_errors=True)

    def conclude(self, run: ActiveRun, running: RunningStep, end: StepEnd) -> list[Event]:
        """Settle an ended step or schedule a retry; return the events to record."""
        # A result counts even if the run was cancelled meanwhile: the work is done.
        result = running.result() if end.ok else None
        if result is not None:
            return [self._succeed(run, running, result)]
        running.discard()
        node = running.step.node
        epoch = running.paused_after() if end.ok else None
        if epoch is not None:
            run.settle(node)
            return [Event("StepPaused", node, {"epoch": epoch})]
        if run.cancelled:
            run.settle(node)
            return [Event("StepCancelled", node)]
        if end.was_lost:
            run.put_back(node)
            run.steps[node].tries -= 1
            return restart_events(node, run.state.steps[node])
        return self._fail(run, running, running.problem(end))

    def _fail(self, run: ActiveRun, running: RunningStep, problem: ProblemData) -> list[Event]:
        """Schedule a retry if one may help and is allowed; otherwise end the step."""
        node = running.step.node
        is_preempted = is_preemption(problem, self.targets[running.step.target].offer)
        if running.may_retry(problem, run.steps[node].tries, is_preempted=is_preempted):
            run.put_back(node)
            events = another_try(running.handle.spec, problem, is_preempted=is_preempted)
            if problem["code"] == NODE_LOST.code:
                seconds = run.hold_after_loss(node)
                events.append(waits_for(node, f"a lost machine to return ({seconds:g} s)"))
            return events
        run.settle(node)
        return [Event("StepFailed", node, {"problem": problem})]

    def _succeed(self, run: ActiveRun, running: RunningStep, result: StepResult) -> Event:
        record = running.adopt_outputs(self.artifacts, result)
        # Another run may reuse it in this round, before the journal is written.
        self.journal.add_artifact(record)
        self.outputs.add(record)
        self.uploads.start(record)
        self.checkpoints.append(Path(running.handle.spec.node_dir) / "checkpoint")
        node, is_private = running.step.node, record.key != running.step.key
        run.settle(node, StepOutput(record.id, is_private))
        facts = {"artifact_id": record.id, "seconds": result["seconds"]}
        return Event("StepFinished", node, facts)
