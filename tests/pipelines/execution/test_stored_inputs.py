"""Steps that wait for what they read: they ask seldom, and begin at once."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from pipelines.errors import ObjectStoreAwayError
from pipelines.events import Event
from pipelines.execution.active_run import ActiveRun
from pipelines.execution.stored_inputs import StoredInputs, store_waits
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.moving import move_outputs
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests import toy
from tests.pipelines.execution.waiting import waiting
from tests.pipelines.store.artifacts.small_artifacts import enter
from tests.polling import wait_for

ROUNDS = 40


@pytest.mark.extended
def test_waiting_steps_ask_the_database_together_and_seldom(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    settings = f'artifacts = "file://{tmp_path}/store"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    asked: list[str] = []

    def note(*facts: Any) -> None:
        asked.append(facts[2])

    with waiting(workspace, num_steps=20) as (executor, run_id):
        event.listen(executor.runs.database.engine, "before_cursor_execute", note)
        for _ in range(ROUNDS):
            executor.advance()
        statuses = {step.status for step in executor.active[run_id].state.steps.values()}
        assert statuses == {"reused", "not started"}
        assert len([item for item in asked if item.startswith("SELECT")]) < ROUNDS
        executor.resume_uploads()

        def has_ended() -> bool:
            executor.advance()
            return executor.runs.state(run_id).is_finished

        wait_for(has_ended)
        steps = executor.runs.state(run_id).steps
        assert {item.status for item in steps.values()} == {"reused", "failed"}
        assert "has all that it reads" in str(steps["sum-0"].problem)


def test_an_input_that_has_arrived_is_here(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    settings = f'artifacts = "file://{tmp_path}/store"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    store = ArtifactStore(workspace, Database.open(workspace))
    artifact_id = enter(store, "k" * 64, "text")
    assert move_outputs(store, lambda _: None) is not None
    shutil.rmtree(store.root / artifact_id)
    inputs = StoredInputs(store, wake=lambda: None)
    wait_for(lambda: inputs._arrived(artifact_id))
    assert (store.root / artifact_id / "output" / "a.txt").read_text(encoding="utf-8") == "text"
    inputs.shut_down()
    store.index.database.close()


def test_a_wait_for_the_object_store_is_reported_once(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    away = ObjectStoreAwayError("s3://outputs", "it timed out")
    with closing(Database.open(workspace)) as database:
        store = RunStore(database)
        run_id = store.create({}, ["a", "b"], name="n", experiment="e")

        def report() -> list[str | None]:
            record = store.record(run_id)
            assert record is not None
            run = ActiveRun(record, store.state(run_id))
            assert list(store_waits(run, OSError())) == [], "not for other errors"
            events = list(store_waits(run, away))
            if events:
                store.append_to(run_id, events)
            return [event.node for event in events]

        assert report() == ["a", "b"]
        assert report() == []
        store.append_to(run_id, [Event("StepPhase", "b", {"phase": "downloading"})])
        assert report() == ["b"]
        assert report() == []
