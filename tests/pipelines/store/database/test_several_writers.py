"""What only shows where many write at once: PostgreSQL has rows locked, SQLite one writer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from sqlalchemy import text

from pipelines.events import Event
from pipelines.store.database.connections import HEAD, Database
from pipelines.store.database.history import RunIndex
from pipelines.store.database.journal import Journal
from pipelines.store.database.locking import lock_runs
from pipelines.store.database.models import ModelStore, NewVersion
from pipelines.store.database.pipelines import Commit, PipelineStore
from pipelines.store.database.runs import RunStore, insert_events
from pipelines.workspace import Workspace
from tests.postgresql import Server

pytestmark = pytest.mark.extended

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
MANY = 8


@pytest.fixture
def database(kept: Workspace) -> Iterator[Database]:
    made = Database.open(kept)
    yield made
    made.close()


@pytest.fixture
def on_server(on_postgresql: Workspace) -> Iterator[Database]:
    made = Database.open(on_postgresql)
    yield made
    made.close()


def at_once(*work: Callable[[], object]) -> list[object]:
    """The results of what threads begin together."""
    barrier = threading.Barrier(len(work))

    def one(do: Callable[[], object]) -> object:
        barrier.wait(120)
        return do()

    with ThreadPoolExecutor(len(work)) as pool:
        return [item.result(120) for item in [pool.submit(one, do) for do in work]]


def test_a_cancel_during_the_runners_last_write_neither_undoes_nor_hides_it(
    on_server: Database, server: Server
) -> None:
    store = RunStore(on_server)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    state = store.append_to(run_id, [Event("RunStarted")])
    last = store.events_after(run_id)[-1].id or 0
    finished = Event("RunFinished", data={"status": "completed"})
    with ThreadPoolExecutor(1) as pool:
        with on_server.transaction() as connection:
            lock_runs(connection, [run_id])
            state.status, state.finished = "completed", finished.time
            insert_events(connection, run_id, state, [finished])
            cancelling = pool.submit(store.request_cancel, run_id)
            deadline = time.monotonic() + 120
            while server.say(WAITING) == "0":
                assert time.monotonic() < deadline, "the cancel did not wait"
            assert store.events_after(run_id, last) == []
        cancelling.result(120)
    kinds = [event.kind for event in store.events_after(run_id, last)]
    assert kinds == ["RunFinished", "RunCancelRequested"]
    assert store.state(run_id).status == "completed"


def test_journals_that_write_the_same_runs_do_not_wait_for_each_other_for_ever(
    database: Database,
) -> None:
    store = RunStore(database)
    ids = [store.create({}, ["a"], name="n", experiment="e") for _ in range(2)]

    def write(order: list[str]) -> None:
        for _ in range(5):
            journal = Journal(database)
            for run_id in order:
                journal.add(run_id, store.state(run_id), Event("StepRunning", "a"))
            journal.write()

    at_once(lambda: write(ids), lambda: write(ids[::-1]))
    assert [len(store.events_after(item)) for item in ids] == [11, 11]


def test_first_runs_of_an_experiment_and_the_end_of_its_last_one_meet(database: Database) -> None:
    store, index = RunStore(database), RunIndex(database)
    for _ in range(3):
        last = store.create({}, ["a"], name="n", experiment="e")
        end = partial(index.delete, last)

        def create() -> str:
            return store.create({}, ["a"], name="n", experiment="e")

        made = at_once(*[create] * (MANY - 1), end)[:-1]
        assert store.experiments() == ["e"]
        for run_id in made:
            index.delete(str(run_id))
        assert store.experiments() == []


def test_numbers_and_names_are_given_once(database: Database) -> None:
    models, pipelines = ModelStore(database), PipelineStore(database)
    version: NewVersion = {"artifact": "x/y", "run_id": None, "metrics": {}}
    document = {"id": "p", "name": "P", "nodes": []}
    numbers = at_once(*[lambda: models.add("m", version)] * MANY)
    made = at_once(*[lambda: pipelines.create(document).pipeline_id] * MANY)
    assert sorted(map(int, map(str, numbers))) == list(range(1, MANY + 1))
    assert len(set(made)) == MANY


def test_commits_of_one_pipeline_follow_each_other(database: Database) -> None:
    store = PipelineStore(database)
    store.create({"id": "p", "name": "P", "nodes": []})

    def commit(number: int) -> int:
        document = {"id": "p", "name": f"P{number}", "nodes": []}
        return store.commit("p", Commit(document, 1, "tab", number)).revision

    revisions = at_once(*[lambda item=item: commit(item) for item in range(1, MANY + 1)])
    assert store.latest("p").revision == max(int(str(item)) for item in revisions)


def test_two_machines_prepare_an_empty_database_at_once(on_postgresql: Workspace) -> None:
    def prepare() -> str | None:
        database = Database.open(on_postgresql)
        try:
            return database.schema_version()
        finally:
            database.close()

    assert at_once(*[prepare] * 4) == [HEAD] * 4


def test_what_is_read_together_is_of_one_moment(database: Database) -> None:
    store = RunStore(database)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    count = text("SELECT count(*) FROM events")
    with database.reading() as connection:
        before = connection.execute(count).scalar()
        store.request_cancel(run_id)
        assert connection.execute(count).scalar() == before
    assert store.snapshot(run_id)[0].cancel_requested
