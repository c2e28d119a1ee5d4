"""A backup of the database a day for as long as a runner lives, made in a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path

from pipelines.errors import DesignerError
from pipelines.store.backup_files import backups_in
from pipelines.store.backups import back_up, has_contents
from pipelines.store.database import Database

logger = logging.getLogger(__name__)

DAILY_SECONDS = 24 * 3600.0
RETRY_SECONDS = 3600.0
"""Between two attempts."""


class DailyBackups:
    """Backups of one database; PostgreSQL is backed up by those who run the server."""

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
        self._not_before = time.monotonic() + RETRY_SECONDS
        # A clock that was set back would else put off backups for as long.
        if not backups or abs(time.time() - backups[0].time) >= DAILY_SECONDS:
            self._thread = threading.Thread(target=self._make, name="backup", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait for the backup that is being made."""
        if self._thread is not None:
            self._thread.join(timeout=60)

    def _make(self) -> None:
        path = self._database.path
        try:
            if path is not None and has_contents(self._database.reading):
                back_up(self._database.reading, path, self._folder)
        except DesignerError as error:  # the runs continue; another attempt follows
            logger.warning("%s", error)
        except Exception:  # in a thread of its own, where nobody else would report it
            logger.exception("The backup of the database failed")
