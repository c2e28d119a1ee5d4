"""Ranks of one node: processes forked from its host, or spawned on systems without fork.

The first failed rank ends the others, and the host's end ends them all.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from modules.files.log_output import DRAIN_SECONDS
from modules.operating_system.forking import can_fork, fork, leave, wait_for_child
from modules.operating_system.orphans import await_log_filters
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import KILL, call_in
from modules.operating_system.spawning import python_command
from pipelines.workers.failures import signal_problem
from pipelines.workers.rank_ends import report_end
from pipelines.workers.rank_errors import leave_echo, leave_error
from pipelines.workers.step_spec import StepSpec

GRACE_SECONDS = 5.0
POLL_SECONDS = 0.02


@dataclass
class Ranks:
    """Ranks of one node, children of its host."""

    spec: StepSpec
    node_rank: int
    run_rank: Callable[[StepSpec, int, int], int]
    """Function that runs the module for a rank and local rank and returns the exit code."""
    _sent: set[int] = field(default_factory=set)
    """Signals sent to ranks from here, after one had failed or on cancellation."""
    _spawned: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)

    def run(self) -> int:
        """Start all ranks and wait for them; return the exit code, 0 if all have succeeded."""
        ranks = {self._start(index): index for index in range(self.spec.process_count_per_node)}
        signal.signal(signal.SIGTERM, lambda *_: self._end(ranks, signal.SIGTERM))
        failed = 0
        while ranks:
            pid, code = self._wait()
            if pid not in ranks:  # an orphan of the module, adopted by this host
                continue
            local_rank = ranks.pop(pid)
            print(f"local rank {local_rank} ended with {code}", flush=True)
            code = self._report(local_rank, code)
            if code and not failed:
                failed = code
                self._end(ranks, signal.SIGTERM)
                call_in(GRACE_SECONDS, lambda: self._end(ranks, KILL))
        return max(failed, 1) if failed else 0

    def _start(self, local_rank: int) -> int:
        host, rank = os.getpid(), self._rank(local_rank)

        def run() -> NoReturn:
            die_with_parent(host)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            leave(self.run_rank(self.spec, rank, local_rank))

        if can_fork():
            return fork(run)
        arguments = (str(self.spec.spec_path), str(rank), str(local_rank))
        process = subprocess.Popen(python_command("pipelines.workers.spawned_rank", *arguments))
        self._spawned[process.pid] = process
        return process.pid

    def _rank(self, local_rank: int) -> int:
        return self.node_rank * self.spec.process_count_per_node + local_rank

    def _wait(self) -> tuple[int, int]:
        """Return the pid and exit code (or negative signal) of a child when one has ended."""
        if can_fork():
            return wait_for_child()
        while True:
            for pid, process in self._spawned.items():
                if process.poll() is not None:
                    del self._spawned[pid]
                    return pid, process.returncode
            time.sleep(POLL_SECONDS)

    def _report(self, local_rank: int, code: int) -> int:
        """Report a rank that succeeded or was ended by a signal; return its exit code."""
        rank = self._rank(local_rank)
        if code < 0:
            await_log_filters(DRAIN_SECONDS)  # its last output is in its log then
            leave = leave_echo if -code in self._sent else leave_error
            problem = signal_problem(rank, -code, self.spec.log_path(rank))
            leave(self.spec.error_path(rank), problem)
        return code or report_end(self.spec, rank)

    def _end(self, ranks: dict[int, int], number: signal.Signals) -> None:
        self._sent.add(number)
        for pid in list(ranks):
            with suppress(OSError):  # it has ended
                os.kill(pid, number)
