"""Deletion of a run: what is removed, and what other runs or models still need."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from pydantic import Field

from modules.json_model import JsonModel
from pipelines.errors import RunUnderWayError
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import folder_bytes
from pipelines.store.database.artifacts import RememberedReports
from pipelines.store.database.history import RunIndex

if TYPE_CHECKING:
    from pipelines.runs.run_service import RunService


class FreedOutput(JsonModel):
    """Outputs of a step that nothing else refers to."""

    artifact_id: str
    node: str
    num_bytes: int


class KeptOutput(JsonModel):
    """Output that stays, and the runs and models (``name@version``) that need it."""

    artifact_id: str
    node: str
    num_bytes: int
    used_by: list[str]


class RunDeletion(JsonModel):
    """Effects of deleting a run; sizes in bytes."""

    run_id: str
    num_bytes: int = Field(description="Total size of what is removed.")
    log_bytes: int = Field(
        description="Size of logs, checkpoints and other files in the run's own folder."
    )
    freed: list[FreedOutput]
    kept: list[KeptOutput]
    is_done: bool
    left_for_gc: bool = Field(
        description="Outputs are left to `designer gc` because a run is in progress."
    )


def deletion_plan(runs: RunService, run_id: str) -> RunDeletion:
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
    log_bytes = folder_bytes(runs.workspace.runs_dir / run_id)
    return RunDeletion(
        run_id=run_id,
        num_bytes=log_bytes + sum(record.num_bytes for record in freed),
        log_bytes=log_bytes,
        freed=[
            FreedOutput(artifact_id=record.id, node=record.node, num_bytes=record.num_bytes)
            for record in freed
        ],
        kept=[
            KeptOutput(
                artifact_id=record.id,
                node=record.node,
                num_bytes=record.num_bytes,
                used_by=_others(users, record.id, run_id),
            )
            for record in kept
        ],
        is_done=False,
        left_for_gc=False,
    )


def _others(users: dict[str, list[str]], artifact_id: str, run_id: str) -> list[str]:
    """Return other users; empty if only their outputs refer to it."""
    return [user for user in users.get(artifact_id, []) if user != run_id]


def delete_run(runs: RunService, run_id: str) -> RunDeletion:
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
    return plan.model_copy(update={"is_done": True, "left_for_gc": left_for_gc})


def _remember(runs: RunService, run_id: str) -> None:
    """Store the step's reports with each output that the run produced."""
    steps = runs.store.state(run_id).steps
    for record in runs.artifacts.index.made_by(run_id):
        step = steps.get(record.node)
        points = runs.store.metrics(run_id, record.node)
        facts: RememberedReports = {
            "summary": step.summary if step and step.artifact_id == record.id else None,
            "metrics": [[point.name, point.step, point.value, point.time] for point in points],
        }
        runs.artifacts.index.remember(record.id, facts)
