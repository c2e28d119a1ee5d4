"""Watchdog of the runner: while the app is open, a dead runner is restarted if it is needed."""

from __future__ import annotations

import logging
import threading

from pipelines.errors import DatabaseError, WorkspaceGoneError
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_service import RunService

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0


class RunnerWatch:
    """Thread that starts a runner if one is needed and none is alive."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="runner watch", daemon=True)

    def start(self) -> None:
        """Start the thread; the first check is immediate."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread; a runner that is being started may delay it."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _watch(self) -> None:
        is_away = False
        while not self._stopping.is_set():
            try:
                if self._runs.runner.is_needed() and current_runner(self._runs.workspace) is None:
                    self._runs.runner.refresh()
                is_away = False
            except WorkspaceGoneError:  # reported by the database's watchdog; it may be restored
                pass
            except DatabaseError as error:
                if not is_away:
                    logger.warning("%s", error)
                is_away = True
            except Exception:  # the cause may be gone at the next check
                logger.exception("Waiting runs cannot continue yet")
            self._stopping.wait(POLL_SECONDS)
