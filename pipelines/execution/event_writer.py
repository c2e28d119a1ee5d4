"""Writing down what an executor decides, also when the disk is full or the database is away."""

from __future__ import annotations

import time
from pathlib import Path

from pipelines.errors import DatabaseAwayError
from pipelines.execution.disk_reserve import DiskReserve
from pipelines.store.database import Database, OperationalFailure, is_disk_full
from pipelines.store.journal import Journal
from pipelines.store.leadership import Leadership

DISK_FULL_SECONDS = 5.0
"""How long a full disk is waited for: a step that filled it ends, and its staging folder goes."""
RETRY_SECONDS = 0.5


class EventWriter:
    """A journal that is written as soon as there is room for it, and a database."""

    def __init__(self, database: Database, reserve_path: Path, leadership: Leadership) -> None:
        self.journal = Journal(database, leadership.check)
        self._reserve = DiskReserve(reserve_path)
        self._retry_at = 0.0
        self._full_since: float | None = None

    def hold_reserve(self) -> None:
        """Keep room for the last words of the runs that begin."""
        self._reserve.hold()

    def write(self) -> bool:
        """Put on disk what was decided; False where that has to wait for room or the database."""
        now = time.monotonic()
        if now < self._retry_at:
            return False
        try:
            self.journal.write()
        except DatabaseAwayError:
            # However long it takes: steps go on meanwhile, and tell their files.
            self._retry_at = now + RETRY_SECONDS
            return False
        except OperationalFailure as error:
            if not is_disk_full(error):
                raise
            # The events stay in the journal until there is room; at last the reserve makes it.
            self._retry_at = now + RETRY_SECONDS
            self._full_since = self._full_since or now
            if self.is_starved:
                self._reserve.release()
            return False
        self._full_since = None
        return True

    @property
    def is_starved(self) -> bool:
        """True when the disk has been full for so long that nothing can go on."""
        full_since = self._full_since
        return full_since is not None and time.monotonic() - full_since > DISK_FULL_SECONDS
