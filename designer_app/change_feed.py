"""Change counter for all open streams: one poll of the database detects each write."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pipelines.errors import DatabaseDamagedError, WorkspaceGoneError
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.store.database.connections import Database

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.03
PAUSE_SECONDS = 1.0
"""Pause after a failed query."""


class ChangeCounter:
    """Counter that watches the database while a stream is open.

    ``value`` grows after any commit; reading it is cheap, so a stream may poll it at each tick.
    """

    def __init__(self, database: Database) -> None:
        self.value = 0
        self._database = database
        self._watchers = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._is_gone = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Keep ``value`` up to date inside the block."""
        with self._lock:
            self._watchers += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="changes", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._watchers -= 1

    @property
    def is_stopped(self) -> bool:
        """Return True after the server has started to shut down: streams end too."""
        return self._stopping.is_set()

    def end_streams(self) -> None:
        """End every open stream."""
        self._stopping.set()

    def stop(self) -> None:
        """Stop the thread."""
        self._stopping.set()
        thread = self._thread
        if thread is not None:
            thread.join(timeout=5)

    def _watch(self) -> None:
        watch: ChangeWatch | None = None
        while self._is_needed():
            try:
                watch = watch or ChangeWatch(self._database)
                if watch.changed():
                    self.value += 1
                self._is_gone = False
            except (WorkspaceGoneError, DatabaseDamagedError):
                self._tell_gone()
            except Exception:  # streams must continue when one query fails
                logger.exception("The database cannot be asked for changes")
                self._stopping.wait(PAUSE_SECONDS)
            self._stopping.wait(POLL_SECONDS)
        if watch is not None:
            watch.close()

    def _tell_gone(self) -> None:
        """Wake all streams, which then end; the folder may be restored later."""
        if not self._is_gone:
            self.value += 1
        self._is_gone = True
        self._stopping.wait(PAUSE_SECONDS)

    def _is_needed(self) -> bool:
        with self._lock:
            if self._watchers and not self._stopping.is_set():
                return True
            self._thread = None
            return False
