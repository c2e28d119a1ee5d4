"""Writer of an executor's events that tolerates a full disk and an unavailable database."""

from __future__ import annotations

import time
from pathlib import Path

from pipelines.errors import DatabaseAwayError
from pipelines.execution.disk_reserve import DiskReserve
from pipelines.store.database.connections import Database, OperationalFailure, is_disk_full
from pipelines.store.database.journal import Journal
from pipelines.store.database.leadership import Leadership

DISK_FULL_WAIT_SECONDS = 5.0
"""Time to wait for a full disk: the step that filled it ends and its staging folder is removed."""
RETRY_DELAY_SECONDS = 0.5


class EventWriter:
    """Journal that is written when there is room, and a database."""

    def __init__(self, database: Database, reserve_path: Path, leadership: Leadership) -> None:
        self.journal = Journal(database, leadership.check)
        self._reserve = DiskReserve(reserve_path)
        self._retry_at = 0.0
        self._full_since: float | None = None

    def hold_reserve(self) -> None:
        """Reserve disk space for the end events of starting runs."""
        self._reserve.hold()

    def write(self) -> bool:
        """Write the decisions; return False if that has to wait for disk space or the database."""
        now = time.monotonic()
        if now < self._retry_at:
            return False
        try:
            self.journal.write()
        except DatabaseAwayError:
            # However long it takes, steps continue and write their event files.
            self._retry_at = now + RETRY_DELAY_SECONDS
            return False
        except OperationalFailure as error:
            if not is_disk_full(error):
                raise
            # Events stay in the journal until there is room; the reserve is the last resort.
            self._retry_at = now + RETRY_DELAY_SECONDS
            self._full_since = self._full_since or now
            if self.is_starved:
                self._reserve.release()
            return False
        self._full_since = None
        return True

    @property
    def is_starved(self) -> bool:
        """Return True when the disk has been full for too long to continue."""
        full_since = self._full_since
        return full_since is not None and time.monotonic() - full_since > DISK_FULL_WAIT_SECONDS
