"""Daily backups of the database while a runner lives, in a separate thread."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

from pipelines.errors import DesignerError
from pipelines.store.database.backup_files import backups_in
from pipelines.store.database.backups import back_up, has_contents
from pipelines.store.database.connections import Database

logger = logging.getLogger(__name__)

BACKUP_INTERVAL_SECONDS = 24 * 3600.0
RETRY_DELAY_SECONDS = 3600.0
"""Delay between two attempts."""


class DailyBackups:
    """Backups of one SQLite database; PostgreSQL is backed up on its server."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._folder = folder
        self._database = database
        self._thread: threading.Thread | None = None
        self._not_before = 0.0

    def make_if_due(self, *, is_busy: bool) -> None:
        """Start a backup if the newest is a day old; the first one waits until nothing runs."""
        if not self._database.is_sqlite or time.monotonic() < self._not_before:
            return
        backups = backups_in(self._folder)
        if not backups and is_busy:
            return
        self._not_before = time.monotonic() + RETRY_DELAY_SECONDS
        # A clock that was set back would otherwise postpone backups by that time.
        if not backups or abs(time.time() - backups[0].time) >= BACKUP_INTERVAL_SECONDS:
            self._thread = threading.Thread(target=self._make, name="backup", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait for the current backup."""
        if self._thread is not None:
            self._thread.join(timeout=60)

    def _make(self) -> None:
        path = self._database.path
        try:
            if path is not None and has_contents(self._database.reading):
                back_up(self._database.reading, path, self._folder)
        except DesignerError as error:  # runs continue, and another attempt follows
            logger.warning("%s", error)
        except Exception:  # the thread's boundary: nothing else would report it
            logger.exception("The backup of the database failed")
