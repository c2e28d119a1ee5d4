"""One look at the store serves every open stream: a number that grows with each write."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_service import Runs
from pipelines.store.database import ChangeWatch
from pipelines.workspace import WorkspaceGoneError

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.03
RUNNER_SECONDS = 1.0


class ChangeCounter:
    """Watches the database while anybody watches, and notices a runner that has died.

    ``value`` grows after any commit; reading it costs nothing, so a stream may ask at each tick.
    """

    def __init__(self, runs: Runs) -> None:
        self.value = 0
        self._runs = runs
        self._watchers = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

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
        try:
            watch = ChangeWatch(self._runs.database)
        except WorkspaceGoneError:
            self._stopping.set()  # whoever asks again is told
            return
        looked = time.monotonic()
        try:
            while self._is_needed():
                try:
                    if watch.changed():
                        self.value += 1
                    if time.monotonic() - looked > RUNNER_SECONDS:
                        self._look_after_runner()
                        looked = time.monotonic()
                except WorkspaceGoneError:
                    self._stopping.set()  # whoever asks again is told
                except Exception:  # streams must go on when one look fails
                    logger.exception("Looking at the runs failed")
                    self._stopping.wait(RUNNER_SECONDS)
                self._stopping.wait(LOOK_SECONDS)
        finally:
            watch.close()

    def _is_needed(self) -> bool:
        with self._lock:
            if self._watchers and not self._stopping.is_set():
                return True
            self._thread = None
            return False

    def _look_after_runner(self) -> None:
        if self._runs.store.unfinished() and current_runner(self._runs.workspace) is None:
            self._runs.refresh()
            self.value += 1
