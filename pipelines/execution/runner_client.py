"""Client of the runner: starts, replaces, stops or locks it out."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from modules.operating_system.signals import GIVE_UP, KILL
from pipelines.errors import RunnerNotStartedError
from pipelines.execution.automation import needs_automation
from pipelines.execution.disk_exhaustion import STEP_END_GRACE_SECONDS, is_scarce
from pipelines.execution.recovery import recover
from pipelines.execution.runner_lock import code_version, current_runner, try_lock, without_runner
from pipelines.execution.runner_process import launch_runner
from pipelines.execution.step_events import disk_full
from pipelines.problems import PipelineError
from pipelines.store.database.leadership import vacant
from pipelines.store.database.runs import RunStore
from pipelines.workspace import Workspace

START_TIMEOUT_SECONDS = 60.0
"""Timeout for the start: a busy machine takes ten times as long as an idle one."""
STOP_TIMEOUT_SECONDS = 15.0
UNLOCK_TIMEOUT_SECONDS = 20.0


class RunnerClient:
    """Runner of one workspace.

    Locks show the state: the runner holds its own while it lives, and the run lock while it
    executes a run. Recovery after a dead runner holds the first, garbage collection the second, so
    that neither can start meanwhile.
    """

    def __init__(self, workspace: Workspace, runs: RunStore) -> None:
        self._workspace = workspace
        self._runs = runs

    def refresh(self) -> None:
        """Make the store consistent, and start a runner for what waits.

        Raises ``WorkspaceGoneError`` if the workspace was removed, even at this moment.
        """
        try:
            self.refresh_without_starting()
            if self.is_needed() and current_runner(self._workspace) is None:
                self.ensure()
        except OSError:
            # the missing place is a consequence; the reason is more useful
            self._runs.database.look()
            raise

    def is_needed(self) -> bool:
        """Return True if runs wait, or something is to be kept while none does."""
        return bool(self._runs.unfinished()) or needs_automation(self._runs.database)

    def refresh_without_starting(self) -> None:
        """Make the store consistent; queued runs stay queued until a runner starts."""
        self._recover(go_on=True)

    def ensure(self, *, warm: bool = False) -> None:
        """Start a runner if there is none; replace an idle one with older code."""
        info = current_runner(self._workspace)
        if info is not None and info.code != code_version() and not self._is_executing():
            self.stop()
            info = None
        if info is None:
            self._start(warm)

    def stop(self, *, for_good: bool = False) -> bool:
        """Stop the runner; return False if there was none.

        Its runs continue with the next runner, or with ``for_good`` fail until they are resumed.
        """
        info = current_runner(self._workspace)
        if info is None:
            return False
        # It is asked, then killed. Its lock is free only when its guardian has ended its children.
        info.identity.signal(GIVE_UP if for_good else signal.SIGTERM)
        _wait_until(lambda: not info.identity.is_alive, STOP_TIMEOUT_SECONDS)
        info.identity.signal(KILL)
        _wait_until(self._has_no_runner, STOP_TIMEOUT_SECONDS)  # its guardian cleans up
        if for_good:
            self._recover(go_on=False)
        return True

    @contextmanager
    def sweeping(self) -> Iterator[bool]:
        """Yield True, and block new runs meanwhile, if no run is in progress."""
        # This first: otherwise a dead runner's remains would count as in progress.
        self.refresh()
        lock = try_lock(self._workspace.runs_lock_path)
        deadline = time.monotonic() + UNLOCK_TIMEOUT_SECONDS
        while lock is None and not self._runs.unfinished() and time.monotonic() < deadline:
            time.sleep(0.02)  # the runner releases it just after a run's end
            lock = try_lock(self._workspace.runs_lock_path)
        try:
            yield lock is not None and not self._runs.unfinished()
        finally:
            if lock is not None:
                lock.close()

    def _recover(self, *, go_on: bool) -> None:
        with without_runner(self._workspace) as there_is_none:
            if there_is_none:
                with vacant(self._runs.database) as nobody_leads:
                    if nobody_leads:
                        recover(self._workspace, self._runs.database, go_on=go_on)

    def _has_no_runner(self) -> bool:
        with without_runner(self._workspace) as there_is_none:
            return there_is_none

    def _is_executing(self) -> bool:
        return any(
            self._runs.state(run_id).status == "running" for run_id in self._runs.unfinished()
        )

    def _start(self, warm: bool) -> None:
        # A full disk may prevent its announcement: waiting longer would not help.
        launch_runner(self._workspace, warm=warm)
        seconds = STEP_END_GRACE_SECONDS if is_scarce(self._workspace) else START_TIMEOUT_SECONDS
        if not _wait_until(lambda: current_runner(self._workspace) is not None, seconds):
            if is_scarce(self._workspace):
                raise PipelineError([disk_full()])
            raise RunnerNotStartedError(self._workspace.runner_log_path)


def _wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return False
