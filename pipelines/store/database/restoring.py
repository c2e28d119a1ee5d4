"""Restoring an SQLite database from a backup; the replaced files are moved aside, never removed.

Only SQLite may open a file of a database in use. The file is therefore opened here only to take the
lock that SQLite's connections share, in a process without connections to it.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from modules.files.database_files import SUFFIXES
from modules.files.whole_files import replacing
from modules.files.workspace_folder import DAMAGED
from modules.operating_system import locks
from modules.sentences.sentence import Statement
from pipelines.errors import DatabaseDamagedError, RefusedError
from pipelines.sentences import places
from pipelines.store.database.backup_files import STAMP
from pipelines.store.database.connections import Database
from pipelines.store.database.damage import damage_of_file, require_whole_file
from pipelines.store.database.rescue import SHARED_BYTES, SHARED_START


@dataclass(frozen=True)
class BackupContents:
    """Contents of a backup, as far as they can be read."""

    run_ids: frozenset[str]
    num_pipelines: int
    damage: Statement | None
    """None if it is intact."""

    @classmethod
    def of(cls, path: Path) -> BackupContents:
        """Check a backup and read its contents."""
        damage = damage_of_file(path)
        if damage is None:
            with (
                suppress(sqlite3.Error),
                closing(sqlite3.connect(_read_only(path), uri=True)) as db,
            ):
                runs = frozenset(row[0] for row in db.execute("SELECT id FROM runs"))
                [(num_pipelines,)] = db.execute("SELECT count(*) FROM pipelines")
                return cls(runs, num_pipelines, None)
            damage = places.TABLES_FOREIGN.about({})
        return cls(frozenset(), 0, damage)


def state_of(url: str) -> DatabaseDamagedError | None:
    """Check the current database without changing it; return None if it is intact."""
    with closing(Database(url)) as database:
        try:
            if database.path is not None:
                require_whole_file(database.path)
        except DatabaseDamagedError as error:
            return error
        return database.damage()


def restore(database: Path, backup: Path | None) -> list[Path]:
    """Replace a database by a copy of a backup, or by an empty database.

    A failure restores the previous files.

    Args:
        database: The file to replace, which may be damaged, missing or a folder.
        backup: The backup; None for an empty database.

    Returns:
        The new paths of the previous files.

    Raises:
        RefusedError: A process has the database open, or the backup is damaged.
    """
    with _open_nowhere(database), replacing(database, durably=True) as fresh:
        if backup is None:
            with closing(Database(f"sqlite:///{fresh}")) as empty:
                empty.make()
        else:
            shutil.copyfile(backup, fresh)
            if (why := damage_of_file(fresh)) is not None:
                raise RefusedError(places.BACKUP_DAMAGED, backup=backup.stem, why=why)
        return _moved_aside(database)


def _moved_aside(database: Path) -> list[Path]:
    """Move the log first: otherwise it would be taken for that of the restored database."""
    aside = _free_name(database)
    moved: list[tuple[Path, Path]] = []
    try:
        for suffix in reversed(SUFFIXES):
            source = database.with_name(database.name + suffix)
            if source.exists():
                target = aside.with_name(aside.name + suffix)
                source.rename(target)
                moved.append((source, target))
    except OSError as error:
        for source, target in reversed(moved):
            target.rename(source)
        if isinstance(error, PermissionError):  # Windows' error for an open file
            raise RefusedError(places.RESTORED_WHILE_OPEN) from error
        raise
    return [target for _, target in reversed(moved)]


def _free_name(database: Path) -> Path:
    stamp, number = time.strftime(STAMP, time.gmtime()), 1
    aside = database.with_name(f"{DAMAGED}{stamp}.db")
    while any(aside.with_name(aside.name + suffix).exists() for suffix in SUFFIXES):
        number += 1
        aside = database.with_name(f"{DAMAGED}{stamp}-{number}.db")
    return aside


@contextmanager
def _open_nowhere(database: Path) -> Iterator[None]:
    """Hold the file exclusively: no process has the database open or can open it.

    Raises ``RefusedError`` if one has: each open connection holds a shared lock on the file, in WAL
    mode also between transactions.
    """
    if not database.is_file():
        yield
        return
    try:
        file = database.open("r+b")
    except PermissionError as error:
        raise RefusedError(places.RESTORED_WHILE_OPEN) from error
    with file:
        if not locks.try_bytes_alone(file.fileno(), SHARED_BYTES, SHARED_START):
            raise RefusedError(places.RESTORED_WHILE_OPEN)
        yield


def _read_only(path: Path) -> str:
    return f"{path.as_uri()}?immutable=1"
