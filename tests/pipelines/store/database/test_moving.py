"""A workspace that began in SQLite goes on in PostgreSQL: every row, and nothing twice."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select
from typer.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.errors import RefusedError
from pipelines.events import Event
from pipelines.execution.runner_lock import try_lock
from pipelines.store.database import moving
from pipelines.store.database.artifacts import ArtifactIndex, ArtifactRecord
from pipelines.store.database.connections import Database
from pipelines.store.database.history import RunIndex
from pipelines.store.database.models import ModelStore
from pipelines.store.database.moving import MOVED, move, survey
from pipelines.store.database.pipelines import PipelineStore
from pipelines.store.database.runs import RunStore
from pipelines.store.database.tables import events
from pipelines.workspace import Workspace
from pipelines.workspace_settings import file_url


class Interrupted(Exception):
    """What cuts a move short."""


@pytest.fixture
def source(on_postgresql: Workspace) -> Iterator[Database]:
    """The file beside it, with some of everything."""
    made = Database.open(on_postgresql, file_url(on_postgresql.root))
    store = RunStore(made)
    for number in range(3):
        run_id = store.create({"name": "a\0b"}, ["a"], name=f"n{number}", experiment="e")
        point = {"name": "loss", "value": math.nan, "step": number}
        store.append_to(run_id, [Event("MetricLogged", "a", point), Event("RunStarted")])
        RunIndex(made).change_tags(run_id, ["baseline"], [])
    ModelStore(made).add("m", {"artifact": "x/y", "run_id": None, "metrics": {"accuracy": 0.5}})
    PipelineStore(made).create({"id": "p", "name": "P", "nodes": []})
    ArtifactIndex(made).add(ArtifactRecord("x", "k", "r", "a", 1.0, 2**40, [], "f"))
    yield made
    made.close()


@pytest.fixture
def target(on_postgresql: Workspace) -> Iterator[Database]:
    made = Database.open(on_postgresql)
    yield made
    made.close()


def ignore_progress(_: str) -> None:
    """Discard the progress."""


def counts(database: Database) -> dict[str, int]:
    with database.reading() as connection:
        number = (connection.execute(select(func.count()).select_from(item)) for item in MOVED)
        return {item.name: result.scalar_one() for item, result in zip(MOVED, number, strict=True)}


def cut_after(name: str) -> Callable[[str], None]:
    def report(done: str) -> None:
        if done == name:
            raise Interrupted

    return report


def test_every_row_is_there_and_work_goes_on(source: Database, target: Database) -> None:
    before = counts(source)
    results: list[str] = []
    move(source, target, results.append)
    assert counts(target) == counts(source) == before
    assert sorted(results) == sorted(before)
    old, new = RunStore(source), RunStore(target)
    for run_id in old.find(""):
        assert new.state(run_id) == old.state(run_id)
        assert new.metrics(run_id) == old.metrics(run_id)
        assert str(new.events_after(run_id)) == str(old.events_after(run_id))
    fresh = new.create({}, ["a"], name="n", experiment="another")
    with source.reading() as connection:
        last = connection.execute(select(func.max(events.c.id))).scalar_one()
    assert (new.events_after(fresh)[0].id or 0) > last
    assert ModelStore(target).add("m", {"artifact": "x", "run_id": None, "metrics": {}}) == 2


def test_a_move_that_was_cut_short_is_taken_up(
    source: Database, target: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "PORTION", 2)
    with pytest.raises(Interrupted):
        move(source, target, cut_after("runs"))
    there = sum(item.num_there for item in survey(source, target))
    assert 0 < there < sum(counts(source).values())
    move(source, target, ignore_progress)
    assert counts(target) == counts(source)


def test_a_dry_run_moves_nothing(source: Database, target: Database) -> None:
    by_name = {item.name: item.num_rows for item in survey(source, target)}
    assert by_name == counts(source)
    assert set(counts(target).values()) == {0}


def test_a_database_that_is_in_use_is_left_alone(source: Database, target: Database) -> None:
    RunStore(target).create({}, ["a"], name="n", experiment="e")
    with pytest.raises(RefusedError, match=r"not in designer\.db"):
        move(source, target, ignore_progress)
    assert counts(target)["runs"] == 1


def test_a_row_that_is_another_one_there_is_no_success(source: Database, target: Database) -> None:
    move(source, target, ignore_progress)
    RunIndex(target).set_note(RunStore(source).find("")[0], "changed meanwhile")
    with pytest.raises(RefusedError, match="A row of runs differs"):
        move(source, target, ignore_progress)


def test_the_command_moves_and_refuses_while_a_runner_works(
    source: Database, on_postgresql: Workspace
) -> None:
    place = ("--workspace", str(on_postgresql.root))

    def designer(*words: str) -> Result:
        return CliRunner().invoke(app, [*words, *place])

    expected = counts(source)
    dry = designer("workspace", "move", "--dry-run", "--json")
    assert sum(table["num_there"] for table in json.loads(dry.stdout)["tables"]) == 0
    lock = try_lock(on_postgresql.root / "runner.lock")
    assert lock is not None
    refused = designer("workspace", "move")
    lock.close()
    assert refused.exit_code == 1
    assert "A runner is using" in refused.stderr
    moved = designer("workspace", "move")
    assert moved.exit_code == 0, moved.stderr
    assert f"Moved {sum(expected.values())} rows" in " ".join(moved.stdout.split())
    assert "geheim" not in moved.stdout + moved.stderr + dry.stdout
    database = Database.open(on_postgresql)
    assert counts(database) == expected
    database.close()


def test_there_must_be_a_file_and_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["workspace", "move", "--workspace", str(tmp_path)]
    nothing = CliRunner().invoke(app, command)
    assert "designer.db not found" in " ".join(nothing.stderr.split())
    Database.open(Workspace.at(tmp_path)).close()
    monkeypatch.delenv("DESIGNER_DATABASE_URL", raising=False)
    nowhere = CliRunner().invoke(app, command)
    assert "has no PostgreSQL" in " ".join(nowhere.stderr.split())
