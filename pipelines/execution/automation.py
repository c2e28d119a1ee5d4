"""The runner's side of automation: its child process while schedules or sweeps need one."""

from __future__ import annotations

import logging
import os
import subprocess
import time

from modules.operating_system.files import open_private
from modules.operating_system.spawning import python_command
from pipelines.errors import DatabaseAwayError
from pipelines.store.database.connections import Database
from pipelines.store.database.endpoints import EndpointStore
from pipelines.store.database.schedules import ScheduleStore
from pipelines.store.database.sweeps import SweepStore
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

PROGRAM = "pipelines.automation.process"
"""Started, not imported: it uses the runs, which are above this package."""
CHECK_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
STEADY_SECONDS = 60.0
"""Lifetime after which a process that ends counts as a first failure again."""
STOP_SECONDS = 10.0


def needs_automation(database: Database) -> bool:
    """Return True if a schedule is enabled, an endpoint is to run, or a sweep has not ended."""
    return (
        ScheduleStore(database).has_enabled()
        or EndpointStore(database).has_wanted()
        or SweepStore(database).has_active()
    )


class AutomationChild:
    """The automation process of a runner: started, restarted with growing pauses, ended."""

    def __init__(self, workspace: Workspace, database: Database) -> None:
        self._workspace = workspace
        self._database = database
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._pause = 1.0
        self._next_check = 0.0
        self._next_start = 0.0
        self.is_needed = False

    def keep(self) -> None:
        """Start or end the process as needed; cheap enough to be called in every round."""
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + CHECK_SECONDS
        try:
            self.is_needed = needs_automation(self._database)
        except DatabaseAwayError:
            return
        if self._process is not None and self._process.poll() is not None:
            self._note_end(now)
        if self.is_needed and self._process is None and now >= self._next_start:
            self._start(now)
        elif not self.is_needed and self._process is not None:
            self.close()

    def _start(self, now: float) -> None:
        command = python_command(PROGRAM, "--workspace", str(self._workspace.root))
        with open(open_private(self._workspace.automation_log_path), "ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ}
            )
        self._started = now

    def _note_end(self, now: float) -> None:
        assert self._process is not None
        logger.warning("The automation process ended with code %s.", self._process.returncode)
        if now - self._started > STEADY_SECONDS:
            self._pause = 1.0
        self._next_start = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        self._process = None

    def close(self) -> None:
        """End the process and its children."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
