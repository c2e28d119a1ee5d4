"""Rescue of data in files of the database that have lost their names.

The process that notices copies the database as its connections see it, closes them, and has a
separate process merge the copy into the database. That process meanwhile holds SQLite's lock on the
open files: closing the last connection would otherwise checkpoint the nameless log over a database
that others may have changed, and remove their log.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import time
from pathlib import Path

from modules.files.locks import locked
from modules.files.workspace_folder import RESCUED
from modules.operating_system.spawning import handing_on, python_command
from pipelines.store.database.database_files import DatabaseFiles

logger = logging.getLogger(__name__)

SHARED_START, SHARED_BYTES = 0x40000002, 510
"""Position of SQLite's shared lock in a database file ("File Locking And Concurrency", 3)."""
HOLDING = "holding"
MERGING = "pipelines.store.database.merging"
"""Program of the separate process."""
RESCUE_TIMEOUT_SECONDS = 120.0


def rescue(files: DatabaseFiles) -> None:
    """Merge what only the open connections still have into the database, and close them.

    They must not be used meanwhile. Raises ``OSError`` or ``sqlite3.Error`` if nothing could be
    saved; they are unchanged then.
    """
    logger.warning(
        "Files of %s were deleted while it was in use. Saving its open contents.", files.path
    )
    with locked(files.path.with_name("rescue.lock")):
        copy = _copied(files)
        # otherwise it belongs to a process that has opened the database since
        if files.is_open("-shm"):
            for suffix in ("-shm", "-wal"):
                files.file(suffix).unlink(missing_ok=True)
        summary = _merged(files, copy)
    logger.warning("%s A copy of its open contents is %s.", summary, copy)


def _copied(files: DatabaseFiles) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    copy = files.path.with_name(f"{RESCUED}{stamp}-{os.getpid()}.db")
    copy.unlink(missing_ok=True)
    failure: sqlite3.Error | None = None
    for connection in tuple(files.connections):
        try:
            connection.execute("VACUUM INTO ?", (str(copy),))
        except sqlite3.Error as error:  # for example one that was about to be closed
            failure = error
        else:
            return copy
    raise failure or sqlite3.OperationalError("no connection is open")


def _merged(files: DatabaseFiles, copy: Path) -> str:
    descriptor = files.descriptor()
    arguments = python_command(MERGING, str(files.path), str(copy))
    with subprocess.Popen(
        [*arguments, str(descriptor)],
        **handing_on(descriptor),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        if process.stdout.readline().strip() != HOLDING:
            raise OSError(f"The contents of {copy} could not be restored")
        files.close()
        output, _ = process.communicate(timeout=RESCUE_TIMEOUT_SECONDS)
    return output.strip() or "It could not be restored automatically. See the lines above."
