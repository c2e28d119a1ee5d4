"""Backups of the database: whole, verified, three of them, made beside writers, killed at will."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from pipelines.errors import BackupFailedError, DatabaseDamagedError
from pipelines.execution.daily_backups import BACKUP_INTERVAL_SECONDS, DailyBackups
from pipelines.store.database.backup_files import BackupFile, backups_in
from pipelines.store.database.backups import back_up
from pipelines.store.database.connections import HEAD, Database
from pipelines.store.database.damage import damage_of_file
from pipelines.store.database.restoring import BackupContents
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace
from tests.pipelines.store.database.older_databases import make_older

STOPPING_MIDWAY = """
import sys, time
from pipelines.store.database import backups
from pipelines.store.database.connections import Database
from pipelines.workspace import Workspace

def stand_still(status, remaining, total):
    print(remaining, flush=True)
    time.sleep(600)

backups.PAGES_A_STEP, backups._pause = 1, stand_still
workspace = Workspace.at(sys.argv[1])
database = Database.open(workspace)
backups.back_up(database.reading, database.path, workspace.backups_dir)
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "workspace").make()


@pytest.fixture
def database(workspace: Workspace) -> Iterator[Database]:
    with closing(Database.open(workspace)) as made:
        RunStore(made).create({"name": "birds"}, ["a"], name="birds", experiment="e")
        yield made


def make(workspace: Workspace, database: Database) -> BackupFile:
    assert database.path is not None
    made = back_up(database.reading, database.path, workspace.backups_dir)
    assert made is not None
    return made


def test_a_backup_is_one_whole_file(workspace: Workspace, database: Database) -> None:
    made = make(workspace, database)
    assert damage_of_file(made.path) is None
    [run] = RunStore(database).newest()
    assert BackupContents.of(made.path).run_ids == {run.id}
    assert {path.name for path in workspace.backups_dir.iterdir()} == {".lock", made.path.name}


def test_the_newest_three_are_kept(workspace: Workspace, database: Database) -> None:
    made = [make(workspace, database) for _ in range(5)]
    assert [item.path for item in backups_in(workspace.backups_dir)] == [
        item.path for item in reversed(made[2:])
    ]


def test_a_damaged_database_displaces_no_backup(workspace: Workspace) -> None:
    with closing(Database.open(workspace)) as database:
        for number in range(50):
            RunStore(database).create({"name": "birds"}, ["a"], name=f"{number}", experiment="e")
        before = [make(workspace, database) for _ in range(3)]
    path = workspace.root / "designer.db"
    with path.open("r+b") as file:
        file.seek(path.stat().st_size - 8 * 4096)
        file.write(os.urandom(8 * 4096))
    with closing(Database(workspace.database_url)) as database:
        for _ in range(4):
            with pytest.raises(DatabaseDamagedError):
                make(workspace, database)
    left = backups_in(workspace.backups_dir)
    assert [item.path for item in reversed(left)] == [item.path for item in before]
    assert all(damage_of_file(item.path) is None for item in left)


def test_a_killed_backup_leaves_the_older_ones(workspace: Workspace, database: Database) -> None:
    before = make(workspace, database)
    command = [sys.executable, "-c", STOPPING_MIDWAY, str(workspace.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        assert back_up(database.reading, Path("x"), workspace.backups_dir) is None
        process.kill()
    assert any(path.name.endswith(".tmp") for path in workspace.backups_dir.iterdir())
    assert [item.path for item in backups_in(workspace.backups_dir)] == [before.path]
    after = make(workspace, database)
    names = {path.name for path in workspace.backups_dir.iterdir()}
    assert names == {".lock", before.path.name, after.path.name}


def test_writers_go_on_during_a_backup(database: Database) -> None:
    """Each write of another connection is done before the next step: none waits for the end."""
    seen: list[int] = []

    def step(_status: int, remaining: int, _total: int) -> None:
        RunStore(database).create({}, ["a"], name="during", experiment="e")
        seen.append(remaining)

    with database.reading() as connection, closing(sqlite3.connect(":memory:")) as copy:
        connection.execute(text("SELECT count(*) FROM runs")).scalar()
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        source.backup(copy, pages=1, progress=step)
        copied = copy.execute("SELECT count(*) FROM runs").fetchone()[0]
    assert copied == 1  # the snapshot of its start, copied once
    assert seen == sorted(seen, reverse=True)
    assert len(RunStore(database).newest(limit=1000)) == 1 + len(seen)


def test_an_upgrade_makes_a_backup_first(workspace: Workspace) -> None:
    with closing(Database(workspace.database_url)) as database:
        make_older(database, "0010")
    with closing(Database.open(workspace)) as database:
        assert database.schema_version() == HEAD
    [made] = backups_in(workspace.backups_dir)
    with closing(sqlite3.connect(made.path)) as old:
        assert old.execute("SELECT version_num FROM alembic_version").fetchone() == ("0010",)


def test_a_backup_that_cannot_be_written_says_so(workspace: Workspace, database: Database) -> None:
    workspace.backups_dir.write_text("a file")
    with pytest.raises(BackupFailedError, match="Cannot write a backup"):
        make(workspace, database)


def test_one_backup_a_day_the_first_where_nothing_runs(
    workspace: Workspace, database: Database
) -> None:
    def due(is_busy: bool) -> list[BackupFile]:
        daily = DailyBackups(database, workspace.backups_dir)
        daily.make_if_due(is_busy=is_busy)
        daily.close()
        return backups_in(workspace.backups_dir)

    assert due(is_busy=True) == []
    [first] = due(is_busy=False)
    assert due(is_busy=True) == [first]
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(time.time() - BACKUP_INTERVAL_SECONDS - 60))
    first.path.rename(first.path.with_name(f"designer-{stamp}.db"))
    assert len(due(is_busy=True)) == 2


def test_an_empty_database_is_not_backed_up(workspace: Workspace) -> None:
    with closing(Database.open(workspace)) as database:
        daily = DailyBackups(database, workspace.backups_dir)
        daily.make_if_due(is_busy=False)
        daily.close()
    assert backups_in(workspace.backups_dir) == []
