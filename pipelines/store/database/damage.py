"""Detection of a damaged, empty or lost SQLite database, with the way to restore it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import ExceptionContext
from sqlalchemy.exc import OperationalError

from modules.sentences.sentence import Sentence, Statement
from pipelines.errors import (
    DatabaseDamagedError,
    DatabaseLockedError,
    WorkspaceGoneError,
    WorkspaceNotWritableError,
)
from pipelines.sentences import places
from pipelines.store.database.backup_files import backups_in
from pipelines.workspace import Workspace

FULL = "database or disk is full"
SCARCE_BYTES = 2**17
"""Free space below which the index of the log may not fit."""
SIGNS = {
    "file is not a database": places.NOT_A_DATABASE,
    "file is encrypted": places.NOT_A_DATABASE,
    "malformed": places.PAGES_DAMAGED,
    "Could not decode to UTF-8": places.TEXT_DAMAGED,
    "no such table": places.TABLES_MISSING,
}
"""Messages of SQLite and its driver that indicate damage."""


def damaged(path: Path, why: Sentence | Statement) -> DatabaseDamagedError:
    """Return the error for an unusable database file, with what is intact and how to restore it."""
    workspace = Workspace(path.parent)
    counts = {
        "runs": len(workspace.run_folders()),
        "artifacts": len(workspace.artifact_folders()),
    }
    backups = backups_in(workspace.backups_dir)
    way = (
        places.RESTORE_NEWEST.about({"time": backups[0].time_text})
        if backups
        else places.RESTORE_NOTHING.about({})
    )
    statement = why.about({}) if isinstance(why, Sentence) else why
    return DatabaseDamagedError(path, statement, places.FOLDERS_INTACT.about(counts), way)


def require_whole_file(path: Path) -> None:
    """Raise ``DatabaseDamagedError`` if SQLite would silently create a new, empty database.

    This is the case in a used workspace: it has folders of runs or outputs, or backups.
    """
    if path.is_dir():
        raise damaged(path, places.IS_A_FOLDER)
    if path.exists() and path.stat().st_size:
        return
    workspace = Workspace(path.parent)
    was_used = workspace.run_folders() or workspace.artifact_folders()
    if was_used or backups_in(workspace.backups_dir):
        raise damaged(path, places.IS_EMPTY if path.exists() else places.IS_MISSING)


def explained(path: Path) -> Callable[[ExceptionContext], Exception | None]:
    """Explain SQLite's generic errors of input, output and opening files."""
    folder = path.parent

    def explain(context: ExceptionContext) -> Exception | None:
        # In this order: without its folder a database is also unreadable and out of space.
        text = str(context.original_exception)
        try:
            has_room = shutil.disk_usage(folder).free >= SCARCE_BYTES
        except (FileNotFoundError, NotADirectoryError):
            return WorkspaceGoneError(folder)
        if "disk I/O error" in text and not has_room:
            full = sqlite3.OperationalError(FULL)
            return OperationalError(context.statement, None, full)
        if "database is locked" in text:
            return DatabaseLockedError(str(path))
        if path.is_dir():
            return damaged(path, places.IS_A_FOLDER)
        if "readonly database" in text or "unable to open database file" in text:
            return WorkspaceNotWritableError(folder, folder, text)
        why = damage_reported_by(context.original_exception)
        return None if why is None else damaged(path, why)

    return explain


def damage_reported_by(error: BaseException) -> Sentence | None:
    """Return the damage that an error of the driver indicates; None for other errors."""
    if isinstance(error, UnicodeDecodeError):  # the text of SQLite's own error was damaged
        return places.TEXT_DAMAGED
    if not isinstance(error, sqlite3.DatabaseError):
        return None
    return next((why for sign, why in SIGNS.items() if sign in str(error)), None)


@contextmanager
def undecodable_explained(path: Path) -> Iterator[None]:
    """Explain text that the driver cannot decode, for which SQLAlchemy passes no error on."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise damaged(path, places.TEXT_DAMAGED) from error


def json_reader(path: Path) -> Callable[[str], Any]:
    """Parse the JSON of a column. Raises ``DatabaseDamagedError`` for invalid JSON."""

    def read(text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError as error:
            raise damaged(path, places.TEXT_DAMAGED) from error

    return read


def damage_of(connection: sqlite3.Connection) -> Statement | None:
    """Check all pages and decode all texts of a database; return None if it is intact."""
    try:
        result = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if result != "ok":
            return places.PAGES_DAMAGED.about({})
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        for (name,) in connection.execute(tables).fetchall():
            for _ in connection.execute(f'SELECT * FROM "{name}"'):
                pass
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return (damage_reported_by(error) or places.PAGES_DAMAGED).about({})
    return None


def damage_of_file(path: Path) -> Statement | None:
    """Check a database file that no process has open; it is only read."""
    try:
        # Immutable: no log and no lock files are created next to it.
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            return damage_of(connection)
    except sqlite3.Error:
        return places.NOT_A_DATABASE.about({})
