"""The database: its schema and migrations, concurrent writers, cheap change watching."""

from __future__ import annotations

import importlib
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from pipelines.events import Event, RunState, StepState, apply, fold
from pipelines.store.database import change_watch, runs
from pipelines.store.database import connections as database_module
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.store.database.connections import HEAD, Database
from pipelines.store.database.runs import RunStore
from pipelines.store.database.tables import BUT_POINTS, EVENTS_BUT_POINTS, metadata
from pipelines.workspace import Workspace
from tests.pipelines.store.database.event_strategies import NODES, step_events
from tests.pipelines.store.database.older_databases import make_older

TABLES = metadata.sorted_tables


@pytest.mark.parametrize("origin", ["made", "0001", "0006", "0010", "0011"])
def test_a_new_or_upgraded_database_has_the_tables(kept: Workspace, origin: str) -> None:
    database = Database(kept.make().database_url)
    if origin == "made":
        database.make()
    else:
        make_older(database, origin)
        database.close()
        database = Database.open(kept)
    assert database.schema_version() == HEAD
    with database.engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    database.close()
    assert differences == []


def test_the_newest_migration_is_the_one_that_opening_expects() -> None:
    scripts = ScriptDirectory(str(Path(database_module.__file__).parent))
    assert scripts.get_current_head() == HEAD


def test_opening_twice_changes_nothing(kept: Workspace) -> None:
    for _ in range(2):
        database = Database.open(kept)
        assert database.schema_version() == HEAD
        database.close()


def test_the_schema_can_be_made_on_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # not annotated upstream
    statements = [CreateTable(table).compile(dialect=dialect) for table in TABLES]
    assert len(statements) == len(metadata.tables)


def test_on_postgresql_too_points_are_in_no_index_of_the_others() -> None:
    importlib.import_module(
        "pipelines.store.database.postgresql"
    )  # as where such a database is opened
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # not annotated upstream
    statement = str(CreateIndex(EVENTS_BUT_POINTS).compile(dialect=dialect))
    assert statement.endswith(f"WHERE {BUT_POINTS}")


def test_another_connections_commit_is_noticed(
    kept: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_watch, "POLL_INTERVAL_SECONDS", 1e9)  # only what it is told counts
    database = Database.open(kept)
    watch = ChangeWatch(database)
    assert watch.changed()
    assert not watch.changed()
    other = Database.open(kept)
    RunStore(other).create({}, NODES, name="n", experiment="e")
    deadline = time.monotonic() + 120
    while not watch.changed():
        assert time.monotonic() < deadline
    assert not watch.changed()
    watch.close()
    other.close()
    database.close()


def test_runs_of_one_second_have_ids_of_their_own(
    kept: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = "20261123-180134-96ea", "20261123-180134-50c3"
    results = iter([one, one, one, other])
    monkeypatch.setattr(runs, "new_run_id", lambda: next(results))
    database = Database.open(kept)
    store = RunStore(database)
    made = [store.create({}, NODES, name="twin", experiment="e") for _ in range(2)]
    assert made == [one, other]
    assert [list(store.state(item).steps) for item in made] == [list(NODES)] * 2
    database.close()


def test_a_cancel_request_survives_the_runners_own_writes(kept: Workspace) -> None:
    database = Database.open(kept)
    store = RunStore(database)
    run_id = store.create({}, NODES, name="n", experiment="e")
    seen_by_runner = store.state(run_id)
    store.request_cancel(run_id)
    store.append(run_id, seen_by_runner, [Event("RunStarted")])
    assert store.requests() == {run_id: True}
    database.close()


def test_a_step_that_logs_an_epoch_again_keeps_the_newest_value(kept: Workspace) -> None:
    database = Database.open(kept)
    store = RunStore(database)
    run_id = store.create({}, NODES, name="n", experiment="e")
    for number in (1.0, 2.0):
        point = {"name": "loss", "value": number, "step": 3}
        store.append_to(run_id, [Event("MetricLogged", "a", point)])
    assert [(p.node, p.step, p.value) for p in store.metrics(run_id)] == [("a", 3, 2.0)]
    database.close()


@settings(max_examples=40)
@given(st.lists(step_events, max_size=12), st.integers(0, 12))
def test_rows_equal_the_fold_however_events_arrive(
    tmp_path_factory: pytest.TempPathFactory, new_events: list[Event], cut: int
) -> None:
    database = Database.open(Workspace.at(tmp_path_factory.mktemp("store")))
    store = RunStore(database)
    run_id = store.create({}, NODES, name="n", experiment="e")
    state = store.state(run_id)
    store.append(run_id, state, new_events[:cut])
    store.append_to(run_id, [*new_events[cut:], Event("RunStarted")])
    assert store.state(run_id) == fold(store.events_after(run_id))
    database.close()


def test_a_requeued_step_keeps_its_output_only_if_it_has_one() -> None:
    state = RunState(
        steps={"a": StepState(status="completed", artifact_id="x"), "b": StepState(status="failed")}
    )
    apply(state, Event("RunQueued", data={"nodes": ["a", "b"]}))
    assert state.steps["a"].artifact_id == "x"
    assert state.steps["b"] == StepState()
