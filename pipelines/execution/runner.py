"""Runner: one process per workspace that executes its runs and survives their clients.

It imports no torch. It exits after ten idle minutes or when its workspace is removed, and ends its
fork servers and all steps with it. An enabled schedule or a deployed endpoint keeps it.
"""

from __future__ import annotations

import importlib
import logging
import os
import time
from contextlib import suppress
from typing import IO, get_args

from modules.operating_system.machine import gpu_names, memory_bytes, num_cores
from modules.operating_system.orphans import adopt_orphans, end_children, workspace_mark
from modules.spec import Preload
from pipelines.errors import DatabaseAwayError, LeadershipLostError, RefusedError
from pipelines.execution.automation import AutomationChild
from pipelines.execution.daily_backups import DailyBackups
from pipelines.execution.executor import Executor
from pipelines.execution.heartbeat import Heartbeat
from pipelines.execution.recovery import has_lost_owner, recover
from pipelines.execution.resources import Slots
from pipelines.execution.runner_lock import try_lock
from pipelines.execution.stalled_steps import STALLED_SECONDS
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.store.database.connections import Database
from pipelines.store.database.leadership import Leadership
from pipelines.store.database.runs import RunStore
from pipelines.store.database.targets import TargetRecord, TargetStore
from pipelines.targets.base import Target
from pipelines.targets.compute_targets import make_target
from pipelines.workers.fork_server_client import ForkServerPool
from pipelines.workspace import Workspace, host_name

logger = logging.getLogger(__name__)

BUSY_WAIT_SECONDS = 0.02
IDLE_MINUTES = 10.0
IDLE_WAIT_SECONDS = 0.05
REQUESTS_INTERVAL_SECONDS = 0.1
CHECK_INTERVAL_SECONDS = 1.0
ELECTION_INTERVAL_SECONDS = 0.5
"""Interval of attempts to become the leader."""
AWAY_WAIT_SECONDS = 0.5
"""Delay before a database that does not respond is queried again."""


class Runner:
    """Main loop: accept runs and cancellations, process ended steps, start new ones."""

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
        mark = workspace_mark(workspace.root)
        self.fork_servers = ForkServerPool(workspace.runner_log_path, mark)
        self.targets: dict[str, Target] = {}
        self._records: dict[str, TargetRecord] = {}
        slots = Slots(num_cores(), gpu_names(), memory_bytes())
        self.leadership = Leadership(self.database, {"host": host_name(), "pid": os.getpid()})
        self.executor = Executor(
            workspace,
            self.database,
            self.targets,
            slots,
            self.fork_servers.wake,
            self.leadership,
            stalled_seconds,
        )
        self._heartbeat = Heartbeat(workspace.heartbeat_path)
        self.stopping = False
        self.giving_up = False
        """True if its runs end with it until someone resumes them."""
        self._idle_seconds = idle_minutes * 60
        self._last_busy = time.monotonic()
        self._last_check = 0.0
        self._last_requests = 0.0
        self._watch = ChangeWatch(self.database)
        self._backups = DailyBackups(self.database, workspace.backups_dir)
        self._automation = AutomationChild(workspace, self.database)
        self._root_inode = os.stat(workspace.root).st_ino
        self._runs_lock: IO[str] | None = None
        self._trouble = ""
        self._last_kept = 0.0

    def serve(self) -> None:
        """Run until asked to stop, idle for too long, or the workspace is removed."""
        # One round: requests, ended steps, starting steps. It then sleeps until a fork server
        # reports the end of a step or the next check is due.
        if self._stand_by():
            self._take_over()
            self._load_ahead()
        while not self._should_end():
            self._heartbeat.beat()
            self._work()
            busy = self.executor.is_busy
            self.fork_servers.wait(BUSY_WAIT_SECONDS if busy else IDLE_WAIT_SECONDS)
            self.fork_servers.poll()  # otherwise their reports would end each wait at once
            for target in self.targets.values():
                target.poll()
            self._check_owners_and_idleness()
            self._automation.keep()
        self.close()

    def _stand_by(self) -> bool:
        """Wait while another machine leads; return False if this runner ends first."""
        while not self._should_end():
            self._heartbeat.beat()
            try:
                if self.leadership.take():
                    return True
            except DatabaseAwayError as error:
                self._log_once(str(error))
            time.sleep(ELECTION_INTERVAL_SECONDS)
        return False

    def _take_over(self) -> None:
        """Recover the last runner's work, unless another machine leads by now."""
        try:
            recover(self.workspace, self.database, leadership=self.leadership)
        except LeadershipLostError as error:
            logger.warning("%s", error)
            self.stopping = True
        else:
            self.executor.resume_uploads()

    def _load_ahead(self) -> None:
        """Import what every run needs while the launcher still checks the first one."""
        self.fork_servers.get("nothing")
        importlib.import_module("networkx")  # of plans

    def _work(self) -> None:
        """Do the work that needs the database, or postpone it until the database is available."""
        try:
            self._keep_leading()
            self._receive_requests()
            self.executor.advance()
        except LeadershipLostError as error:
            logger.warning("%s", error)
            self.stopping, self.giving_up = True, False
        except DatabaseAwayError as error:
            self._last_busy = time.monotonic()
            self._log_once(str(error))
            time.sleep(AWAY_WAIT_SECONDS)
        else:
            self._log_once("")

    def _keep_leading(self) -> None:
        now = time.monotonic()
        if now - self._last_kept > CHECK_INTERVAL_SECONDS:
            self.leadership.keep()
            self._last_kept = now

    def _log_once(self, trouble: str) -> None:
        if trouble and not self._trouble:
            logger.warning("%s The steps continue.", trouble)
        if not trouble and self._trouble:
            if not self.executor.is_written:
                return
            logger.warning("The database is available again. All events have been saved.")
        self._trouble = trouble

    def warm(self) -> None:
        """Start the fork servers in advance."""
        for preload in get_args(Preload):
            self.fork_servers.get(preload)

    def close(self) -> None:
        """Stop the fork servers and with them everything that runs."""
        self._automation.close()
        # Steps first, then their servers: a server that ends first would leave orphans.
        self.executor.shut_down()
        for target in self.targets.values():
            target.close()
        adopt_orphans()  # its guardian may be gone
        self.fork_servers.stop()
        end_children()
        if self.giving_up:
            with suppress(LeadershipLostError):  # then the runs continue elsewhere
                recover(self.workspace, self.database, go_on=False, leadership=self.leadership)
        self._backups.close()
        self._watch.close()
        self.leadership.close()
        self.database.close()

    def _receive_requests(self) -> None:
        now = time.monotonic()
        if self.executor.is_busy and now - self._last_requests < REQUESTS_INTERVAL_SECONDS:
            return  # its own writes look like requests: do not query after each
        self._last_requests = now
        if not self._watch.changed():
            return
        requests = self.runs.requests()
        new = [request for request in requests if not self.executor.holds(request)]
        if new:
            self._refresh_targets()
            self._hold_runs_lock()
        for run_id in new:
            self.executor.admit(run_id)
        for run_id, is_cancelled in requests.items():
            if is_cancelled:
                self.executor.cancel(run_id)

    def _refresh_targets(self) -> None:
        for record in TargetStore(self.database).all():
            if self._records.get(record.name) != record:
                with suppress(RefusedError):  # validation reports the missing name
                    target = make_target(record, self.workspace, self.fork_servers)
                    self.targets[record.name] = target
                    self._records[record.name] = record

    def _hold_runs_lock(self) -> None:
        """Hold the lock that prevents garbage collection while runs are in progress."""
        while self._runs_lock is None:
            self._runs_lock = try_lock(self.workspace.runs_lock_path, shared=True)
            if self._runs_lock is None:
                self._heartbeat.beat()
                time.sleep(0.05)

    def _check_owners_and_idleness(self) -> None:
        now = time.monotonic()
        if self.executor.is_busy or self._automation.is_needed:
            self._last_busy = now
        if not self.executor.is_busy and self._runs_lock is not None:
            self._runs_lock.close()
            self._runs_lock = None
        if now - self._last_check > CHECK_INTERVAL_SECONDS:
            self._last_check = now
            self._cancel_orphaned_runs()
            self._backups.make_if_due(is_busy=self.executor.is_busy)

    def _cancel_orphaned_runs(self) -> None:
        """Cancel a run whose submitting command waits for it and has ended."""
        for run_id, run in list(self.executor.active.items()):
            if has_lost_owner(run.record, self.database):
                self.executor.cancel(run_id)

    def _should_end(self) -> bool:
        if self.stopping or time.monotonic() - self._last_busy > self._idle_seconds:
            return True
        try:
            return os.stat(self.workspace.root).st_ino != self._root_inode
        except FileNotFoundError:
            return True
