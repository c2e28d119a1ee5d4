"""Periodic check of the database's files for a process that may not use it for hours."""

from __future__ import annotations

import logging
import threading

from pipelines.errors import WorkspaceGoneError
from pipelines.store.database.connections import Database

logger = logging.getLogger(__name__)

CHECK_INTERVAL_SECONDS = 1.0


class Watchdog:
    """Thread that checks until it is stopped; a removed folder may be restored."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread."""
        self._stopping.set()
        self._thread.join(timeout=5)

    def _watch(self) -> None:
        is_gone = False
        while not self._stopping.wait(CHECK_INTERVAL_SECONDS):
            try:
                self._database.look()
            except WorkspaceGoneError as error:
                if not is_gone:
                    logger.warning("%s", error)
                is_gone = True
            else:
                is_gone = False
