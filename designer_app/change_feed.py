"""One poll of the database serves every open stream: a number that grows with each write."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pipelines.errors import DatabaseDamagedError, WorkspaceGoneError
from pipelines.store.change_watch import ChangeWatch
from pipelines.store.database import Database

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.03
PAUSE_SECONDS = 1.0
"""After a query that failed."""


class ChangeCounter:
    """Watches the database while anybody watches.

    ``value`` grows after any commit; reading it costs nothing, so a stream may ask at each tick.
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
        """Keep ``value`` true inside the block."""
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
        """True from the moment the server begins to end: streams end too."""
        return self._stopping.is_set()

    def end_streams(self) -> None:
        """Let every open stream come to its end."""
        self._stopping.set()

    def stop(self) -> None:
        """End the thread."""
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
            except Exception:  # streams must go on when one query fails
                logger.exception("The database cannot be asked for changes")
                self._stopping.wait(PAUSE_SECONDS)
            self._stopping.wait(POLL_SECONDS)
        if watch is not None:
            watch.close()

    def _tell_gone(self) -> None:
        """Have every stream look for itself, and end; the folder may be put back later."""
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
