"""A PostgreSQL that is away for a while: who executes runs and who waits for them go on."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipelines.errors import DatabaseAwayError, DatabaseLockedError
from pipelines.events import Event, fold
from pipelines.execution.event_writer import EventWriter
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.store.database import connections as database
from pipelines.store.database.connections import Database
from pipelines.store.database.leadership import Leadership
from pipelines.store.database.locking import lock_runs
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests import postgresql, toy
from tests.pipelines.conftest import build, finish, statuses, value
from tests.pipelines.execution.store_outage import bring_back, take_away
from tests.pipelines.execution.waiting import waiting
from tests.polling import wait_for

pytestmark = pytest.mark.extended

LONG = build(
    {"long": {"a": "two"}, "sum": {"a": "long", "b": "two"}},
    {
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 6.0},
        "sum": {"module": "add"},
    },
)

WAITING = build(
    {"long": {"a": "one"}, "sum": {"a": "long", "b": "two"}},
    {
        "one": {"module": "constant"},
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 6.0},
        "sum": {"module": "add"},
    },
)


@pytest.fixture
def server() -> Iterator[postgresql.Server]:
    missing = postgresql.lacks()
    if missing:
        pytest.skip(missing)
    with postgresql.running() as made:
        yield made


def test_a_run_outlives_the_absence_of_its_database(
    tmp_path: Path, server: postgresql.Server, caplog: pytest.LogCaptureFixture
) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    settings = f'database = "{server.database()}"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    with WorkspaceSession(workspace) as session:
        runs = session.runs
        run_id = runs.submit(RunRequest(LONG))
        wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
        runner = current_runner(workspace)
        attempt = workspace.node_dir(run_id, "long") / "attempt-1"
        following = runs.follow(run_id)
        next(following)
        server.stop()
        with caplog.at_level(logging.WARNING):
            while not (attempt / "result.json").exists():  # its step ends meanwhile
                assert next(following) == []
            wait_for(lambda: "The steps continue" in workspace.runner_log_path.read_text())
        server.start()
        for _ in following:
            continue
        state = runs.store.state(run_id)
        assert set(statuses(state).values()) == {"completed"}
        assert state == fold(runs.store.events_after(run_id))
        assert state.steps["long"].attempt == 1
        assert value(runs, state, "sum") == 4.0
        assert current_runner(workspace) == runner
        runs.runner.stop()
    assert "is not responding" in caplog.text
    text = workspace.runner_log_path.read_text()
    assert "is available again" in text
    assert "Traceback" not in text
    assert "geheim" not in caplog.text + text


def workspace_in(folder: Path, server: postgresql.Server) -> Workspace:
    """One whose outputs go to an object store on ``disk``."""
    workspace = Workspace.at(folder / "workspace").make()
    toy.install(workspace.modules_dir)
    (folder / "disk").mkdir()
    settings = f'database = "{server.database()}"\nartifacts = "file://{folder}/disk/store"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    return workspace


def be_away(server: postgresql.Server, workspace: Workspace) -> None:
    """The server is away until the runner has said so and some seconds longer."""
    server.stop()
    wait_for(lambda: "The steps continue" in workspace.runner_log_path.read_text())
    began = time.monotonic()
    wait_for(lambda: time.monotonic() - began > 3.0)
    server.start()


@pytest.mark.full  # as a step that waits for the store
def test_inputs_on_their_way_outlive_the_absence_of_the_database(
    tmp_path: Path, server: postgresql.Server
) -> None:
    workspace = workspace_in(tmp_path, server)
    with WorkspaceSession(workspace) as session:
        runs = session.runs
        run_id = runs.submit(RunRequest(WAITING))
        wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
        wait_for(lambda: runs.store.state(run_id).steps["two"].status == "completed")
        wait_for(lambda: runs.artifacts.index.unstored() == [])
        two = runs.store.state(run_id).steps["two"].artifact_id
        shutil.rmtree(runs.artifacts.root / str(two))  # as a copy that was not used for long
        take_away(tmp_path / "disk")
        wait_for(lambda: runs.store.state(run_id).steps["long"].status == "completed")
        be_away(server, workspace)
        bring_back(tmp_path / "disk")
        assert set(statuses(finish(runs, run_id)).values()) == {"completed"}
        runs.runner.stop()


@pytest.mark.full  # as one that computes
def test_a_step_that_waits_for_the_store_outlives_the_absence_of_the_database(
    tmp_path: Path, server: postgresql.Server
) -> None:
    workspace = workspace_in(tmp_path, server)
    with waiting(workspace) as (executor, run_id):
        server.stop()

        def is_resumed() -> bool:
            executor.advance()
            return run_id in executor.active

        with pytest.raises(DatabaseAwayError):
            wait_for(lambda: not is_resumed())
        assert executor.active[run_id].state.steps["sum-0"].status == "not started"
        server.start()


def test_who_stands_by_does_so_after_the_database_was_away(
    tmp_path: Path, server: postgresql.Server
) -> None:
    workspace, address = Workspace.at(tmp_path / "workspace"), server.database()
    with (
        closing(Database.open(workspace, address)) as first,
        closing(Database.open(workspace, address)) as second,
    ):
        leader, stand_by = Leadership(first, {"host": "a"}), Leadership(second, {"host": "b"})
        assert (leader.take(), stand_by.take()) == (True, False)
        server.stop()
        for _ in range(2):
            with pytest.raises(DatabaseAwayError):
                stand_by.take()
        server.start()
        leader.keep()
        assert not stand_by.take()
        leader.close()
        assert stand_by.take()
        stand_by.close()


def test_a_run_whose_end_waits_for_a_lock_is_not_begun_again(
    tmp_path: Path, server: postgresql.Server
) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    settings = f'database = "{server.database()}&options=-c%20lock_timeout%3D300ms"\n'
    (workspace.root / "designer.toml").write_text(settings, encoding="utf-8")
    with WorkspaceSession(workspace) as session:
        runs = session.runs
        run_id = runs.submit(RunRequest(LONG, to_node="long"))
        wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
        with session.database.transaction() as connection:
            lock_runs(connection, [run_id])  # as somebody who writes about it for long
            wait_for((workspace.node_dir(run_id, "long") / "attempt-1" / "result.json").exists)
            wait_for(lambda: not runs.artifacts.staging_dir(run_id, "long", 1).exists())
            other = runs.submit(RunRequest(build({}, {"three": {"module": "constant"}})))
            wait_for((workspace.runs_dir / other).exists)  # the runner has seen what is asked for
        assert finish(runs, run_id).status == finish(runs, other).status == "completed"
        events = runs.store.events_after(run_id)
        assert [event.kind for event in events].count("RunStarted") == 1
        assert runs.store.state(run_id) == fold(events)
        runs.runner.stop()
    assert "Traceback" not in workspace.runner_log_path.read_text()


def test_what_is_decided_waits_until_a_locked_file_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.2)
    workspace = Workspace.at(tmp_path / "workspace")
    with closing(Database.open(workspace)) as opened:
        store = RunStore(opened)
        run_id = store.create({}, ["a"], name="n", experiment="e")
        writer = EventWriter(opened, workspace.reserve_path, Leadership(opened, {}))
        writer.journal.add(run_id, store.state(run_id), Event("RunStarted"))
        path = workspace.root / "designer.db"
        with closing(sqlite3.connect(path, isolation_level=None)) as somebody:
            somebody.execute("BEGIN IMMEDIATE")
            assert not writer.write()
            with pytest.raises(DatabaseLockedError, match=r"designer\.db has been locked"):
                store.append_to(run_id, [Event("RunCancelRequested")])
        wait_for(writer.write)
        assert [event.kind for event in store.events_after(run_id)] == ["RunQueued", "RunStarted"]
