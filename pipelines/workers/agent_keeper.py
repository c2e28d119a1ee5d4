"""Supervisor of a node's agent where no engine supervises it.

``python -m pipelines.workers.agent_keeper SPEC NODE_RANK`` waits until the machine is free of other
steps and all other nodes have their machines, starts the agent, and cleans up however the agent
ends. Machines are acquired in the order of their names, so that two runners never deadlock.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.spawning import python_command
from pipelines.workers.agent_files import HEARTBEAT_INTERVAL_SECONDS, AgentFiles, Lease
from pipelines.workers.machine_lock import MachineLock
from pipelines.workers.step_spec import StepSpec

POLL_SECONDS = 0.1
RANK = "DESIGNER_NODE_RANK"


class Keeper:
    """Supervisor of one node of one attempt."""

    def __init__(self, spec_path: Path, node_rank: int) -> None:
        self._spec_path = spec_path
        self._rank = node_rank
        self._files = AgentFiles(StepSpec.read(spec_path).attempt_dir)
        self._hosts: list[str] = (self._files.read("machines.json") or {})["hosts"]
        self._lease = Lease(self._files, self._files.order().lease_seconds)
        self._agent: subprocess.Popen[bytes] | None = None
        self._is_over = False
        self._next_beat = 0.0

    def run(self) -> None:
        """Run the agent when the machine is free; return when it has ended or on SIGTERM."""
        signal.signal(signal.SIGTERM, self._stop)
        with MachineLock() as machine:
            code = self._run_agent() if self._take(machine) else None
            end_children()
            end = f"end-{self._rank}.json"
            if self._files.read(end) is None and self._files.folder.exists():
                self._files.write(end, {"code": code})

    def _stop(self, *_: object) -> None:
        self._is_over = True
        if self._agent is not None:
            self._agent.terminate()

    def _take(self, machine: MachineLock) -> bool:
        own = self._hosts[self._rank]
        earlier = {f"held-{rank}" for rank, host in enumerate(self._hosts) if host < own}
        everyone = {f"held-{rank}" for rank in range(len(self._hosts))}
        if not self._wait_for(lambda: earlier <= self._files.names()):
            return False
        if not self._wait_for(lambda: machine.take(self._spec_path)):
            return False
        self._files.write(f"held-{self._rank}", {})
        return self._wait_for(lambda: everyone <= self._files.names())

    def _wait_for(self, condition: Callable[[], bool]) -> bool:
        """Wait for a condition; return False if the step is abandoned first."""
        while not self._is_unwanted():
            if condition():
                return True
            self._beat()
            time.sleep(POLL_SECONDS)
        return False

    def _beat(self) -> None:
        now = time.monotonic()
        if now > self._next_beat:
            self._next_beat = now + HEARTBEAT_INTERVAL_SECONDS
            self._files.beat(self._rank)

    def _is_unwanted(self) -> bool:
        names = self._files.names()
        own_end = f"end-{self._rank}.json"  # an earlier keeper of this node has run it
        is_given_up = not names or "over" in names or own_end in names
        return self._is_over or is_given_up or self._lease.has_ended()

    def _run_agent(self) -> int:
        arguments = (str(self._spec_path), "--rank-from", RANK, "--parent", str(os.getpid()))
        self._agent = subprocess.Popen(
            python_command("pipelines.workers.agent", *arguments),
            stdin=subprocess.DEVNULL,
            env={**os.environ, RANK: str(self._rank)},
        )
        if self._is_over:  # the signal came while the agent was starting
            self._agent.terminate()
        report = f"node-{self._rank}.json"
        while self._agent.poll() is None and report not in self._files.names():
            self._beat()  # on its behalf: on busy machines or slow file systems it starts slowly
            time.sleep(POLL_SECONDS)
        return self._agent.wait()


def main() -> None:
    """Run the keeper of a node's agent."""
    adopt_orphans()
    Keeper(Path(sys.argv[1]), int(sys.argv[2])).run()


if __name__ == "__main__":
    main()
