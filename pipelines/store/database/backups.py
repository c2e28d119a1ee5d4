"""Online backups of a workspace's SQLite database.

SQLite copies a snapshot while writers continue, and nothing but SQLite opens the database. A copy
counts as a backup when it was checked and has its name; older ones are removed only then. Neither a
damaged database nor a killed process can displace a good backup.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, exists, or_, select

from modules.files.whole_files import replacing
from modules.operating_system import locks
from pipelines.errors import BackupFailedError, DesignerError
from pipelines.store.database.backup_files import BackupFile, backups_in, free_name, remove_old
from pipelines.store.database.damage import damage_of, damage_reported_by, damaged
from pipelines.store.database.tables import pipelines, runs

PAGES_A_STEP = 256
"""Pages copied at once: one MiB of SQLite's usual pages."""
STEP_PAUSE_SECONDS = 0.005
"""Pause between two parts of a backup, so that writers get the disk."""


Reading = Callable[[], AbstractContextManager[Connection]]
"""Function that opens a connection for queries: ``Database.reading``."""


def back_up(
    reading: Reading, database: Path, folder: Path, *, waits: bool = False
) -> BackupFile | None:
    """Make a verified backup and keep the newest three.

    Args:
        reading: Opens a connection to the database.
        database: Its file; only named, not opened.
        folder: Folder of the backups.
        waits: Wait for another process's backup instead of returning None.

    Raises:
        DatabaseDamagedError: The database is damaged; all backups stay.
        BackupFailedError: The backup cannot be written.
    """
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        with _alone(folder, waits=waits) as is_alone:
            if not is_alone:
                return None
            _remove_unfinished(folder)
            path = free_name(folder)
            _write(reading, database, path)
            backups = backups_in(folder)
            remove_old(backups)
    except DesignerError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise BackupFailedError(folder, str(error)) from error
    return next((backup for backup in backups if backup.path == path), None)


def has_contents(reading: Reading) -> bool:
    """Return True if there is anything to lose: an empty database displaces no backups."""
    any_row = or_(exists(select(runs.c.id)), exists(select(pipelines.c.id)))
    with reading() as connection:
        return bool(connection.execute(select(any_row)).scalar())


def _write(reading: Reading, database: Path, path: Path) -> None:
    with replacing(path, durably=True) as temporary:
        try:
            _copy(reading, temporary)
        except sqlite3.DatabaseError as error:
            if (why := damage_reported_by(error)) is not None:
                raise damaged(database, why) from error
            raise
        with closing(sqlite3.connect(temporary)) as copy:
            if (damage := damage_of(copy)) is not None:
                raise damaged(database, damage)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a separate log


def _copy(reading: Reading, target: Path) -> None:
    with reading() as connection, closing(sqlite3.connect(target)) as copy:
        # In one read transaction: otherwise each write of another process would restart the copy.
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar()
        source = connection.connection.driver_connection
        assert isinstance(source, sqlite3.Connection)
        copy.execute("PRAGMA synchronous=OFF")  # it is synced as a whole
        source.backup(copy, pages=PAGES_A_STEP, progress=_pause)


def _pause(_status: int, remaining: int, _total: int) -> None:
    if remaining:
        time.sleep(STEP_PAUSE_SECONDS)


@contextmanager
def _alone(folder: Path, *, waits: bool) -> Iterator[bool]:
    with (folder / ".lock").open("a") as file:
        if waits:
            locks.lock(file)
        yield waits or locks.try_lock(file)


def _remove_unfinished(folder: Path) -> None:
    """Remove the copies of killed processes: a process that makes one now holds the lock."""
    for path in folder.glob(".*.tmp*"):
        path.unlink(missing_ok=True)
