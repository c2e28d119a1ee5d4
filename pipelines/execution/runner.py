"""The runner: one process a workspace that executes its runs and outlives whoever submits them.

It imports no torch. It ends by itself after ten idle minutes or when its workspace folder is gone;
with it end its zygotes and every step.
"""

from __future__ import annotations

import os
import time
from typing import IO, get_args

from modules.spec import Preload
from pipelines.execution.executor import Executor
from pipelines.execution.heartbeat import Heartbeat
from pipelines.execution.recovery import recover
from pipelines.execution.resources import Slots
from pipelines.execution.runner_lock import try_lock
from pipelines.execution.stalled_steps import STALLED_SECONDS
from pipelines.store.database import ChangeWatch, Database
from pipelines.store.runs import RunStore
from pipelines.store.targets import TargetStore
from pipelines.targets.local import LocalTarget, offer_from
from pipelines.targets.machine import gpu_indices, memory_bytes, num_cores
from pipelines.workers.fork_server_client import Zygotes
from pipelines.workers.orphans import adopt_orphans, end_children, workspace_mark
from pipelines.workers.processes import ProcessIdentity
from pipelines.workspace import Workspace

BUSY_WAIT_SECONDS = 0.02
IDLE_MINUTES = 10.0
IDLE_WAIT_SECONDS = 0.05
HEAR_SECONDS = 0.1
LOOK_AROUND_SECONDS = 1.0


class Runner:
    """The loop: hear of new runs and cancels, hear of ended steps, start what can start."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        idle_minutes: float = IDLE_MINUTES,
        stalled_seconds: float = STALLED_SECONDS,
    ) -> None:
        self.workspace = workspace
        self.database = Database.open(workspace)
        self.runs = RunStore(self.database)
        self.zygotes = Zygotes(workspace.runner_log_path, workspace_mark(workspace.root))
        self.targets: dict[str, LocalTarget] = {}
        slots = Slots(num_cores(), gpu_indices(), memory_bytes())
        self.executor = Executor(
            workspace, self.database, self.targets, slots, self.zygotes.wake, stalled_seconds
        )
        self._heartbeat = Heartbeat(workspace.heartbeat_path)
        self.stopping = False
        self.giving_up = False
        """Whether its runs end with it, until somebody resumes them."""
        self._idle_seconds = idle_minutes * 60
        self._last_busy = time.monotonic()
        self._last_look = 0.0
        self._last_heard = 0.0
        self._watch = ChangeWatch(self.database)
        self._root_inode = os.stat(workspace.root).st_ino
        self._runs_lock: IO[str] | None = None

    def serve(self) -> None:
        """Run until told to stop, idle for too long, or the workspace is gone."""
        recover(self.workspace, self.database)
        while not self._should_end():
            self._heartbeat.beat()
            self._hear_requests()
            self.executor.advance()
            busy = self.executor.is_busy
            for message in self.zygotes.wait(BUSY_WAIT_SECONDS if busy else IDLE_WAIT_SECONDS):
                for target in self.targets.values():
                    target.hear(message)
            self._look_around()
        self.close()

    def warm(self) -> None:
        """Start the zygotes before they are needed."""
        for preload in get_args(Preload):
            self.zygotes.get(preload)

    def close(self) -> None:
        """End the zygotes, and with them whatever still runs."""
        self.executor.shut_down()
        adopt_orphans()  # its guardian may be gone
        self.zygotes.stop()
        end_children()
        if self.giving_up:
            recover(self.workspace, self.database, go_on=False)
        self._watch.close()
        self.database.close()

    def _hear_requests(self) -> None:
        now = time.monotonic()
        if self.executor.is_busy and now - self._last_heard < HEAR_SECONDS:
            return  # its own writes look like requests: not after each of them
        self._last_heard = now
        if not self._watch.changed():
            return
        requests = self.runs.requests()
        new = [each for each in requests if each not in self.executor.active]
        if new:
            self._refresh_targets()
            self._hold_runs_lock()
        for run_id in new:
            self.executor.admit(run_id)
        for run_id, is_cancelled in requests.items():
            if is_cancelled:
                self.executor.cancel(run_id)

    def _refresh_targets(self) -> None:
        for name, settings in TargetStore(self.database).local_settings().items():
            offer = offer_from(name, settings)
            known = self.targets.get(name)
            if known is None or known.offer != offer:
                self.targets[name] = LocalTarget(offer, self.zygotes)

    def _hold_runs_lock(self) -> None:
        """While runs are under way nothing is swept from the store."""
        while self._runs_lock is None:
            self._runs_lock = try_lock(self.workspace.runs_lock_path, shared=True)
            if self._runs_lock is None:
                self._heartbeat.beat()
                time.sleep(0.05)

    def _look_around(self) -> None:
        now = time.monotonic()
        if self.executor.is_busy:
            self._last_busy = now
        elif self._runs_lock is not None:
            self._runs_lock.close()
            self._runs_lock = None
        if now - self._last_look > LOOK_AROUND_SECONDS:
            self._last_look = now
            self._cancel_orphaned_runs()

    def _cancel_orphaned_runs(self) -> None:
        """A run submitted by a command that waits for it ends when that command is gone."""
        for run_id, run in list(self.executor.active.items()):
            owner = run.record.options.get("owner")
            if owner and not ProcessIdentity(**owner).is_alive:
                self.executor.cancel(run_id)

    def _should_end(self) -> bool:
        if self.stopping or time.monotonic() - self._last_busy > self._idle_seconds:
            return True
        try:
            return os.stat(self.workspace.root).st_ino != self._root_inode
        except FileNotFoundError:
            return True
