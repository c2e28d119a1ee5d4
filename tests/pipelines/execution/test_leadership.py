"""Two runners on one workspace in PostgreSQL: one leads, the other takes over when it is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.errors import LeadershipLostError
from pipelines.events import Event, fold
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.store.database import Database
from pipelines.store.journal import Journal
from pipelines.store.leadership import Leadership, vacant
from pipelines.store.runs import RunStore
from pipelines.workspace import Workspace
from tests import postgresql, toy
from tests.cluster.machines import lacks
from tests.pipelines.conftest import build, value
from tests.pipelines.execution.test_crashes import wait_for

LONG = build(
    {"long": {"a": "two"}, "sum": {"a": "long", "b": "two"}},
    {
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 3.0},
        "sum": {"module": "add"},
    },
)
RUNNER = "pipelines.execution.runner_process"
OTHER = "other-machine"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    missing = postgresql.lacks()
    if missing:
        pytest.skip(missing)
    made = Workspace.at(tmp_path / "workspace").make()
    toy.install(made.modules_dir)
    with postgresql.running() as server:
        settings = f'database = "{server.database()}"\n'
        (made.root / "designer.toml").write_text(settings, encoding="utf-8")
        yield made


@contextmanager
def runner_of_another_machine(workspace: Workspace) -> Iterator[None]:
    """One that stands by: with a name of its own, its machine has files of its own."""
    script = f"hostname {OTHER} && exec {sys.executable} -m {RUNNER} --workspace {workspace.root}"
    with (workspace.root / "other.log").open("wb") as log:
        process = subprocess.Popen(("unshare", "--uts", "sh", "-c", script), stderr=log)
    try:
        wait_for((workspace.root / f"runner-{OTHER}.beat").exists)
        yield
    finally:
        process.terminate()
        process.wait(30)


def is_led(database: Database) -> bool:
    with vacant(database) as nobody_leads:
        return not nobody_leads


def test_another_machine_takes_over_from_a_killed_runner(workspace: Workspace) -> None:
    missing = lacks()
    if missing:
        pytest.skip(missing)
    with WorkspaceSession(workspace) as session:
        store = session.runs.store
        session.runner.ensure()
        leader = current_runner(workspace)
        assert leader is not None
        wait_for(lambda: is_led(session.database))
        with runner_of_another_machine(workspace):
            run_id = session.runs.submit(RunRequest(LONG))
            wait_for(lambda: store.state(run_id).steps["long"].status == "running")
            os.kill(leader.pid, signal.SIGKILL)
            killed = time.monotonic()
            interrupted = "RunInterrupted"
            wait_for(lambda: bool(store.count_since_queued(run_id, interrupted)))
            print(f"taken over after {time.monotonic() - killed:.1f} s")
            wait_for(lambda: store.state(run_id).is_finished)
        state = store.state(run_id)
        assert state == fold(store.events_after(run_id))
        assert state.status == "completed"
        assert value(session.runs, state, "sum") == 4.0
        assert current_runner(workspace) is None
        assert store.count_since_queued(run_id, interrupted) == 1


def test_whoever_was_overtaken_writes_nothing_more(workspace: Workspace) -> None:
    first, second = Database.open(workspace), Database.open(workspace)
    old, new = Leadership(first, {"host": "old"}), Leadership(second, {"host": "new"})
    store = RunStore(first)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    journal = Journal(first, old.check)
    assert old.take()
    assert not new.take()
    with vacant(second) as is_vacant:
        assert not is_vacant
    journal.add(run_id, store.state(run_id), Event("RunStarted"))
    journal.write()
    old.close()  # as the server does for a machine that is cut off
    assert new.take()
    journal.add(run_id, store.state(run_id), Event("StepRunning", "a"))
    with pytest.raises(LeadershipLostError):
        journal.write()
    with pytest.raises(LeadershipLostError):
        old.keep()
    assert [event.kind for event in store.events_after(run_id)] == ["RunQueued", "RunStarted"]
    for each in (old, new):
        each.close()
    with vacant(first) as is_vacant:
        assert is_vacant
    first.close()
    second.close()


def test_a_lock_that_the_server_lost_is_taken_again(workspace: Workspace) -> None:
    database = Database.open(workspace)
    leadership = Leadership(database, {"host": "only"})
    assert leadership.take()
    leadership.close()
    leadership.keep()
    with vacant(database) as is_vacant:
        assert not is_vacant
    leadership.close()
    database.close()
