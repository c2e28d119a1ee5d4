"""A look at the database's files every second, for a process that may not use it for hours."""

from __future__ import annotations

import logging
import threading

from pipelines.errors import WorkspaceGoneError
from pipelines.store.database import Database

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0


class Watchdog:
    """Looks until it is stopped, or until there is nothing to look at any more."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            try:
                self._database.look()
            except WorkspaceGoneError as error:
                logger.warning("%s", error)
                return
