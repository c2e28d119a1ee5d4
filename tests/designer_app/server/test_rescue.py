"""Files of the database that are removed while it is in use: noticed, told, nothing lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.events import Event
from pipelines.store.database.connections import Database
from pipelines.store.database.merging import merge
from pipelines.store.database.pipelines import Commit, PipelineStore
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests import toy
from tests.designer_app.documents import document, slow
from tests.designer_app.http import Client
from tests.designer_app.server.app_process import app, client_of, designer, opened, save, saved
from tests.polling import wait_for
from tests.project.source import ROOT

pytestmark = pytest.mark.extended

EVERYTHING = ("", "-wal", "-shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose workspace has the toy modules; its runner ends with the test."""
    toy.install(Workspace.at(tmp_path / "workspace").make().modules_dir)
    yield tmp_path
    designer(tmp_path, "runner", "stop")


def remove(folder: Path, *suffixes: str) -> None:
    for suffix in suffixes:
        (folder / "workspace" / f"designer.db{suffix}").unlink()


def rescued(folder: Path) -> list[Path]:
    return sorted((folder / "workspace").glob("designer-rescued-*.db"))


def is_sound(folder: Path) -> bool:
    connection = sqlite3.connect(folder / "workspace" / "designer.db")
    try:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))
    finally:
        connection.close()


@pytest.mark.parametrize(
    "suffixes",
    [
        *(
            pytest.param(each, marks=pytest.mark.full)  # the log alone: below
            for each in (("-wal",), ("-wal", "-shm"), ("-shm",))
        ),
        EVERYTHING,
    ],
    ids=" ".join,
)
def test_what_was_saved_before_and_after_is_there(folder: Path, suffixes: tuple[str, ...]) -> None:
    with app(folder) as (process, port):
        client = client_of(folder, port)
        save(client, "one", "two")
        remove(folder, *suffixes)
        wait_for(lambda: rescued(folder))  # by itself: nobody has to ask for anything
        save(client, "three")
        assert {each["id"] for each in client.get("/api/pipelines").json["pipelines"]} == {
            *("one", "two", "three")
        }
        said = folder / "out.txt"
        wait_for(lambda: "deleted while it was in use" in said.read_text())
        assert str(rescued(folder)[0]) in said.read_text()
        process.kill()
        process.wait()
    assert is_sound(folder)
    assert saved(folder) == {"one", "two", "three"}


def test_a_save_is_answered_only_when_it_can_be_found_again(folder: Path) -> None:
    with app(folder) as (process, port):
        client = client_of(folder, port)
        save(client, "one")
        remove(folder, "-wal")
        save(client, "two")
        process.kill()
        process.wait()
    assert saved(folder) == {"one", "two"}


@pytest.mark.parametrize(
    "suffixes",
    [pytest.param(("-wal",), marks=pytest.mark.full), EVERYTHING],  # as without a run
    ids=" ".join,
)
def test_a_run_that_is_waited_for_and_its_runner_go_on(
    folder: Path, suffixes: tuple[str, ...]
) -> None:
    path = folder / "pipeline.json"
    path.write_text(json.dumps(slow(8.0)))
    with app(folder) as (process, port):
        client = client_of(folder, port)
        save(client, "one")
        made = designer(folder, "run", str(path), "--detach", "--json")
        run_id = json.loads(made.stdout)["run_id"]
        wait_for(lambda: status(client, run_id) == "running")
        remove(folder, *suffixes)
        save(client, "two")
        wait_for(lambda: status(client, run_id) == "completed")
        process.kill()
        process.wait()
    with opened(folder) as runs:
        wait_for(lambda: runs.store.state(run_id).is_finished)
        state = runs.store.state(run_id)
    assert (state.status, state.steps["nap"].status) == ("completed", "completed")
    assert is_sound(folder)
    assert saved(folder) == {"one", "two"}


def status(client: Client, run_id: str) -> str:
    answer = client.get(f"/api/runs/{run_id}")
    return str(answer.json["state"]["status"]) if answer.status == 200 else ""


SAVE = """
import sys
from pathlib import Path
from pipelines.store.database.connections import Database
from pipelines.events import Event
from pipelines.store.database.connections import Database
from pipelines.store.database.merging import merge
from pipelines.store.database.pipelines import Commit, PipelineStore
from pipelines.workspace import Workspace
database = Database.open(Workspace.at(sys.argv[1]))
PipelineStore(database).create({"id": "theirs", "name": "Theirs", "nodes": []})
database.close()
"""


def test_what_another_process_has_saved_in_a_log_of_its_own_is_kept(folder: Path) -> None:
    with opened(folder) as runs:
        ours = PipelineStore(runs.database)
        ours.create(document("one"))
        remove(folder, "-wal", "-shm")
        place = str(folder / "workspace")
        subprocess.run([sys.executable, "-c", SAVE, place], check=True, cwd=ROOT, timeout=120)
        ours.create(document("two"))
        assert {each.id for each in ours.all()} == {"one", "two", "theirs"}
    assert is_sound(folder)
    assert saved(folder) == {"one", "two", "theirs"}


@pytest.fixture
def apart(tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    """A database and a copy of it that have each gone their own way from here."""
    first, second = (Workspace.at(tmp_path / name).make() for name in ("first", "second"))
    base = Database.open(first)
    PipelineStore(base).create(document("one"))
    RunStore(base).create({}, ["a"], name="both", experiment="both")
    base.close()
    shutil.copyfile(first.root / "designer.db", second.root / "designer.db")
    databases = Database.open(first), Database.open(second)
    yield databases
    for each in databases:
        each.close()


def merged(apart: tuple[Database, Database]) -> Database:
    """The first with what it lacked of the second."""
    paths = [Path(str(each.engine.url.database)) for each in apart]
    apart[1].close()
    merge(*paths)
    return apart[0]


def test_revisions_of_the_same_number_are_both_kept(apart: tuple[Database, Database]) -> None:
    for database, name in zip(apart, ("Mine", "Lost"), strict=True):
        PipelineStore(database).commit("one", Commit(document("one", name=name), base=1))
    PipelineStore(apart[0]).set_name("one", 2, "mine")
    PipelineStore(apart[1]).set_name("one", 1, "baseline")
    PipelineStore(apart[1]).set_name("one", 2, "lost")
    store = PipelineStore(merged(apart))
    names = [each.document["name"] for each in store.revisions("one")]
    assert names == ["Lost", "Mine", "Toy"]
    assert [each.name for each in store.revisions("one")] == ["lost", "mine", "baseline"]
    assert store.latest("one").revision == 3


def test_a_run_stands_as_all_its_events_say(apart: tuple[Database, Database]) -> None:
    mine, lost = (RunStore(each) for each in apart)
    run_id = mine.newest()[0].id
    lost.append_to(run_id, [Event("RunStarted"), Event("StepStarted", "a", {"attempt": 1})])
    lost.append_to(run_id, [Event("MetricLogged", "a", {"name": "loss", "step": 0, "value": 1.0})])
    lost.append_to(run_id, [Event("StepFinished", "a", {"artifact_id": "x"})])
    mine.request_cancel(run_id)
    other = lost.create({}, ["b"], name="lost", experiment="lost")
    mine.create({}, ["c"], name="mine", experiment="mine")  # the same numbers
    lost.append_to(run_id, [Event("RunFinished", None, {"status": "completed"})])
    store = RunStore(merged(apart))
    state = store.state(run_id)
    assert (state.status, state.cancel_requested) == ("completed", True)
    assert state.steps["a"].artifact_id == "x"
    assert [point.value for point in store.metrics(run_id)] == [1.0]
    assert set(store.experiments()) == {"both", "lost", "mine"}
    assert {each.name: each.experiment for each in store.newest()} == {
        **{"both": "both", "lost": "lost", "mine": "mine"}
    }
    assert [each.kind for each in store.events_after(other)] == ["RunQueued"]


def test_merging_twice_changes_nothing(apart: tuple[Database, Database]) -> None:
    PipelineStore(apart[1]).create(document("two"))
    database = merged(apart)
    before = PipelineStore(database).all()
    merged(apart)
    assert PipelineStore(database).all() == before
    assert RunStore(database).newest()[0].name == "both"
