"""After a crash: what a dead runner left is taken over where it is whole, else told as it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from pipelines.artifacts import ArtifactStore
from pipelines.events import Event, StepState
from pipelines.failures import first_failure
from pipelines.problems import RUNNER_LOST, Problem
from pipelines.steps import StepSpec, read_if_valid
from pipelines.store.database import Database
from pipelines.store.runs import RunStore
from pipelines.workspace import Workspace

UNDER_WAY = frozenset({"preparing", "running", "finalising"})


def recover(workspace: Workspace, database: Database) -> None:
    """Bring every run that no runner executes to a true state.

    Only for a caller that holds the runner's lock. A step with a valid result is adopted; one
    without is lost (its processes died with the runner) and its run failed, to be resumed from
    its checkpoint. Runs that had no step under way stay queued.
    """
    runs = RunStore(database)
    artifacts = ArtifactStore(workspace, database)
    for run_id in runs.unfinished():
        state = runs.state(run_id)
        events = [
            _event_of(workspace, artifacts, run_id, node, step)
            for node, step in state.steps.items()
            if step.status in UNDER_WAY
        ]
        lost = [event for event in events if event.kind == "StepFailed"]
        if lost or state.cancel_requested:
            events += [
                Event("StepCancelled", node)
                for node, step in state.steps.items()
                if step.status in ("not started", "queued")
            ]
            facts: dict[str, Any] = {"status": "cancelled"}
            if lost:
                facts = {"status": "failed", "problem": lost[0].data["problem"]}
            events.append(Event("RunFinished", data=facts))
        runs.append(run_id, state, events)


def _event_of(
    workspace: Workspace, artifacts: ArtifactStore, run_id: str, node: str, step: StepState
) -> Event:
    node_dir = workspace.node_dir(run_id, node)
    staging = artifacts.staging_dir(run_id, node, step.attempt)
    spec = _spec(node_dir / f"attempt-{step.attempt}" / "step.json")
    result = read_if_valid(spec.result_path) if spec else None
    if spec and result and staging.is_dir():
        artifact_id = artifacts.commit(
            staging, spec.key_of(result), run_id, node, result["fingerprint"]
        )
        facts = {"artifact_id": artifact_id, "seconds": result["seconds"]}
        return Event("StepFinished", node, facts)
    shutil.rmtree(staging, ignore_errors=True)
    problem = (spec and first_failure(spec)) or _lost(node).to_json()
    return Event("StepFailed", node, {"problem": problem})


def _spec(path: Path) -> StepSpec | None:
    try:
        return StepSpec.read(path)
    except (OSError, ValueError, TypeError):
        return None


def _lost(node: str) -> Problem:
    return Problem.of(
        RUNNER_LOST,
        "The runner ended while this step was under way, and the step with it.",
        "Resume the run: it goes on from the last checkpoint.",
        node=node,
    )
