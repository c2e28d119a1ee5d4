"""Deletion of a run: what is removed, and what other runs or models still need."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.errors import RunUnderWayError
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import folder_bytes
from pipelines.store.database.history import RunIndex

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService


@dataclass(frozen=True)
class FreedOutput:
    """Outputs of a step that nothing else refers to."""

    artifact_id: str
    node: str
    num_bytes: int


@dataclass(frozen=True)
class KeptOutput:
    """Outputs of a step that stay, and their users: ids of runs, ``model@version``."""

    artifact_id: str
    node: str
    num_bytes: int
    used_by: list[str]


@dataclass(frozen=True)
class DeletionPlan:
    """Effects of deleting a run. Sizes are in bytes."""

    run_id: str
    freed: list[FreedOutput]
    kept: list[KeptOutput]
    log_bytes: int
    """Size of logs, checkpoints and other files in the run's own folder."""
    is_done: bool = False
    """True after the deletion."""
    left_for_gc: bool = False
    """True if outputs are left to ``designer gc`` because another run was in progress."""

    @property
    def num_bytes(self) -> int:
        """Return the total size of what is removed."""
        return self.log_bytes + sum(output.num_bytes for output in self.freed)

    def to_json(self) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "num_bytes": self.num_bytes,
            "log_bytes": self.log_bytes,
            "freed": [vars(output) for output in self.freed],
            "kept": [vars(output) for output in self.kept],
            "is_done": self.is_done,
            "left_for_gc": self.left_for_gc,
        }


def deletion_plan(runs: RunService, run_id: str) -> DeletionPlan:
    """Return the effects of deleting the run now. Raises ``RunUnderWayError``."""
    state = runs.store.state(run_id)
    if not state.is_finished:
        raise RunUnderWayError(run_id)
    index = runs.artifacts.index
    records = {record.id: record for record in index.all()}
    before = ArtifactStore.closure(index.in_use(), records)
    after = ArtifactStore.closure(index.in_use(without_run=run_id), records)
    own = {step.artifact_id for step in state.steps.values() if step.artifact_id} & after
    users = index.users(own)
    freed = [records[artifact_id] for artifact_id in sorted(before - after)]
    kept = [records[artifact_id] for artifact_id in sorted(own)]
    return DeletionPlan(
        run_id,
        [FreedOutput(record.id, record.node, record.num_bytes) for record in freed],
        [
            KeptOutput(record.id, record.node, record.num_bytes, _others(users, record.id, run_id))
            for record in kept
        ],
        folder_bytes(runs.workspace.runs_dir / run_id),
    )


def _others(users: dict[str, list[str]], artifact_id: str, run_id: str) -> list[str]:
    """Return other users; empty if only their outputs refer to it."""
    return [user for user in users.get(artifact_id, []) if user != run_id]


def delete_run(runs: RunService, run_id: str) -> DeletionPlan:
    """Delete a run and what only it refers to; return what was done.

    What other runs or models use stays, with the run's reports about it.
    """
    with runs.runner.sweeping() as alone, runs.artifacts.removing():
        plan = deletion_plan(runs, run_id)
        _remember(runs, run_id)
        RunIndex(runs.database).delete(run_id)
        shutil.rmtree(runs.workspace.runs_dir / run_id, ignore_errors=True)
        if alone:
            runs.artifacts.remove([output.artifact_id for output in plan.freed])
    left_for_gc = not alone and bool(plan.freed)
    return DeletionPlan(run_id, plan.freed, plan.kept, plan.log_bytes, True, left_for_gc)


def _remember(runs: RunService, run_id: str) -> None:
    """Store the step's reports with each output that the run produced."""
    steps = runs.store.state(run_id).steps
    for record in runs.artifacts.index.made_by(run_id):
        step = steps.get(record.node)
        points = runs.store.metrics(run_id, record.node)
        facts = {
            "summary": step.summary if step and step.artifact_id == record.id else None,
            "metrics": [[point.name, point.step, point.value, point.time] for point in points],
        }
        runs.artifacts.index.remember(record.id, facts)
