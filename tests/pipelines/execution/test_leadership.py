"""Two runners on one workspace in PostgreSQL: one leads, the other takes over when it is gone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from designer_app.application import workspace_token
from pipelines.errors import LeadershipLostError
from pipelines.events import Event, fold
from pipelines.execution.recovery import _InterruptedStep, recover
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.database.connections import Database
from pipelines.store.database.journal import Journal
from pipelines.store.database.leadership import Leadership, vacant
from pipelines.store.database.runs import RunRecord, RunStore
from pipelines.store.database.tables import leaders
from pipelines.workspace import Workspace
from tests import postgresql, toy
from tests.cluster.machines import lacks
from tests.designer_app.http import Client
from tests.pipelines.conftest import build, value
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
        process.wait(120)


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
    for item in (old, new):
        item.close()
    with vacant(first) as is_vacant:
        assert is_vacant
    first.close()
    second.close()


@pytest.mark.parametrize("moment", ["before", "while it looks"])
def test_whoever_is_overtaken_while_it_takes_over_changes_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    database, other = Database.open(workspace), Database.open(workspace)
    old, new = Leadership(database, {"host": "old"}), Leadership(other, {"host": "new"})
    store = RunStore(database)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    store.append_to(run_id, [Event("RunStarted"), Event("StepStarted", "a", {"attempt": 1})])
    staging = ArtifactStore(workspace, database).staging_dir(run_id, "a", 1)
    staging.mkdir()
    assert old.take()
    if moment == "before":
        old.close()
        assert new.take()
    else:
        record = RunStore.record

        def overtaken(self: RunStore, run_id: str) -> RunRecord | None:
            old.close()
            assert new.take()
            staging.rename(staging.with_name("taken"))  # by the one that leads now
            return record(self, run_id)

        monkeypatch.setattr(RunStore, "record", overtaken)
    events = store.events_after(run_id)
    with pytest.raises(LeadershipLostError):
        recover(workspace, database, leadership=old)
    assert store.events_after(run_id) == events
    assert staging.is_dir() or moment != "before"
    for item in (old, new):
        item.close()
    database.close()
    other.close()


def test_who_is_to_lead_next_waits_while_outputs_are_moved(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An overtaken leader in the middle of a run's recovery: all of it is kept, or none."""
    database, other = Database.open(workspace), Database.open(workspace)
    old, new = Leadership(database, {"host": "old"}), Leadership(other, {"host": "new"})
    store = RunStore(database)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    store.append_to(run_id, [Event("RunStarted"), Event("StepStarted", "a", {"attempt": 1})])
    assert old.take()
    successor = threading.Thread(target=new.take)
    end = _InterruptedStep.end

    def overtaken(self: _InterruptedStep) -> list[Event]:
        old.close()
        successor.start()
        wait_for(lambda: waits_for_a_lock(database))
        assert holder(workspace)["host"] == "old"
        return end(self)

    monkeypatch.setattr(_InterruptedStep, "end", overtaken)
    recover(workspace, database, leadership=old)
    successor.join(120)
    assert holder(workspace)["host"] == "new"
    kinds = [event.kind for event in store.events_after(run_id)]
    assert kinds[-1] == "RunInterrupted"
    with pytest.raises(LeadershipLostError), old.held():
        raise AssertionError("it leads no more")
    new.close()
    database.close()
    other.close()


def waits_for_a_lock(database: Database) -> bool:
    query = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    with database.reading() as connection:
        return bool(connection.execute(query).scalar())


@contextmanager
def app_on(workspace: Workspace, machine: str) -> Iterator[tuple[subprocess.Popen[bytes], Client]]:
    """An app server of a machine of that name, and a client of it."""
    command = f"{sys.executable} -m designer_app.command app --no-browser --workspace"
    script = f"hostname {machine} && exec {command} {workspace.root}"
    log = workspace.root / f"{machine}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(("unshare", "--uts", "sh", "-c", script), stdout=out, stderr=out)
    try:
        wait_for(lambda: b"http://127.0.0.1:" in log.read_bytes())
        [port, *_] = re.findall(r"http://127\.0\.0\.1:(\d+)", log.read_text())
        yield process, Client(int(port), token=workspace_token(workspace))
    finally:
        process.kill()
        process.wait()


@pytest.mark.full  # as without apps
def test_of_two_machines_with_app_and_runner_one_goes_on_alone(workspace: Workspace) -> None:
    missing = lacks()
    if missing:
        pytest.skip(missing)
    with app_on(workspace, "first") as first, app_on(workspace, "second") as second:
        machines = {"first": first, "second": second}
        asked = {"document": LONG.to_json()}
        run_id = first[1].post("/api/runs", asked).json["run_id"]
        for machine in machines:
            wait_for((workspace.root / f"runner-{machine}.beat").exists)
        wait_for(lambda: step_of(second[1], run_id, "long")["status"] == "running")
        leader = holder(workspace)  # whichever was faster
        server, _ = machines.pop(leader["host"])
        [(_, client)] = machines.values()
        # all of that machine that could still write ends at once
        server.kill()
        os.kill(leader["pid"], signal.SIGKILL)
        killed = time.monotonic()
        wait_for(lambda: holder(workspace)["host"] in machines)
        print(f"taken over after {time.monotonic() - killed:.1f} s")
        wait_for(lambda: client.get(f"/api/runs/{run_id}").json["status"] == "completed")
        os.kill(holder(workspace)["pid"], signal.SIGTERM)
    with WorkspaceSession(workspace) as session:
        state = session.runs.store.state(run_id)
        assert value(session.runs, state, "sum") == 4.0
        assert session.runs.store.count_since_queued(run_id, "RunInterrupted") == 1


def holder(workspace: Workspace) -> dict[str, Any]:
    """The host and the process that lead, or led last."""
    with closing(Database.open(workspace)) as database, database.reading() as connection:
        result: dict[str, Any] = connection.execute(select(leaders.c.holder)).scalar_one()
    return result


def step_of(client: Client, run_id: str, node: str) -> dict[str, Any]:
    nodes: dict[str, Any] = client.get(f"/api/runs/{run_id}").json["nodes"][node]
    return nodes


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
