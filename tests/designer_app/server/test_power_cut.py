"""What was acknowledged is on the disk, not only on its way there: seen in the system's calls."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.events import Event, RunState
from pipelines.session import WorkspaceSession
from pipelines.store.database.connections import Database
from pipelines.store.database.journal import DURABLE_WORK_SECONDS, Journal
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.http import Client
from tests.designer_app.server.app_process import app
from tests.polling import wait_for

pytestmark = pytest.mark.extended


@contextmanager
def traced(pid: int, folder: Path) -> Iterator[Path]:
    """A file with every call by which a process has its files written out to the disk."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("needs strace, which is not here")
    calls, said = folder / "calls.txt", folder / "strace.txt"
    command = [program, "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", str(calls), "-p", str(pid)]
    with said.open("w") as file:
        tracing = subprocess.Popen(command, stderr=file)
    try:
        wait_for(lambda: "attached" in said.read_text() or tracing.poll() is not None)
        if tracing.poll() is not None:
            pytest.skip(f"strace may not look at processes here: {said.read_text()[:200]}")
        yield calls
    finally:
        tracing.terminate()
        tracing.wait()


def test_a_saved_pipeline_is_synced_before_the_answer(tmp_path: Path) -> None:
    with app(tmp_path) as (process, port):
        client = Client(port, (tmp_path / "workspace" / "token").read_text())
        assert client.post("/api/pipelines", document("one")).status == 201
        with traced(process.pid, tmp_path) as calls:
            assert client.post("/api/pipelines", document("two")).status == 201
            assert "designer.db-wal>" in calls.read_text()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database.open(Workspace.at(tmp_path / "workspace"))
    yield made
    made.close()


def is_synced(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each transaction to come is to survive a power cut."""
    asked: list[bool] = []
    whole = Database.transaction

    def noted(self: Database, *, lasting: bool = True) -> object:
        asked.append(lasting)
        return whole(self, lasting=lasting)

    monkeypatch.setattr(Database, "transaction", noted)
    return asked


def test_a_transaction_is_synced_unless_it_may_be_lost(database: Database) -> None:
    for lasting, level in ((True, 2), (False, 1), (True, 2)):
        with database.transaction(lasting=lasting) as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == level


@pytest.mark.parametrize(
    ("event", "lasts"),
    [
        (Event("StepProgress", "a", {"done": 1, "total": 2, "unit": "images"}), False),
        (Event("StepFinished", "a", {"artifact_id": "x", "seconds": 0.1}), False),
        (Event("StepFinished", "a", {"artifact_id": "x", "seconds": DURABLE_WORK_SECONDS}), True),
        (Event("RunFinished", None, {"status": "completed"}), True),
    ],
    ids=["progress", "short step", "long step", "end"],
)
def test_what_took_long_is_synced_as_it_is_written(
    database: Database, monkeypatch: pytest.MonkeyPatch, event: Event, lasts: bool
) -> None:
    store, journal = RunStore(database), Journal(database)
    run_id = store.create({}, ["a"], name="n", experiment="e")
    journal.add(run_id, RunState(), Event("RunQueued", data={"nodes": ["a"]}))
    journal.write()
    asked = is_synced(monkeypatch)
    journal.add(run_id, store.state(run_id), event)
    journal.write()
    assert asked == [lasts]


def test_a_submitted_and_a_cancelled_run_are_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = WorkspaceSession(Workspace.at(tmp_path / "workspace")).runs
    asked = is_synced(monkeypatch)
    run_id = runs.store.create({}, ["a"], name="n", experiment="e")
    runs.cancel(run_id)
    assert runs.store.state(run_id).status == "cancelled"
    assert asked
    assert all(asked)
    runs.database.close()
