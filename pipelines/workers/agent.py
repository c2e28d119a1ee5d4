"""Agent process that an engine starts on a node to run that node's share of a step.

``python -m pipelines.workers.agent SPEC --rank-from VARIABLE [--parent PID]``; the engine's
variable holds the node's rank. The agent does not import torch. It compares the nodes, starts the
host as a separate process and sends heartbeats. It ends the host when the attempt is abandoned,
another node fails or its heartbeat times out, or the agent's lease or parent ends.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from modules.files.log_output import log_output
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.spawning import python_command
from modules.sentences.sentence import Statement
from pipelines.problems import NODE_LOST, NODES_UNFIT, Kind, Problem
from pipelines.sentences import targets as say
from pipelines.workers.agent_files import (
    HEARTBEAT_INTERVAL_SECONDS,
    HEARTBEAT_TIMEOUT_SECONDS,
    AgentFiles,
    Heartbeats,
    Lease,
    NodeFacts,
)
from pipelines.workers.networks import meeting_address
from pipelines.workers.node_facts import folder_lack, misfit, node_facts
from pipelines.workers.preloads import TORCH_ENVIRONMENT
from pipelines.workers.rank_errors import leave_echo, leave_error
from pipelines.workers.step_spec import StepSpec

GRACE_SECONDS = 10.0
POLL_SECONDS = 0.2
CHECK_INTERVAL_SECONDS = 1.0
AGREEMENT = "agreement.json"
FAILED = 1


class HostProcess(Protocol):
    """The part of ``Popen`` that an agent uses of its host's process."""

    def wait(self, timeout: float, /) -> int: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


class Agent:
    """Agent of one node of one attempt."""

    def __init__(
        self, spec_path: Path, node_rank: int, secrets: Mapping[str, str] | None = None
    ) -> None:
        self.spec = StepSpec.read(spec_path)
        self.node_rank = node_rank
        self.secrets = secrets
        """Secrets for the host; None: the host reads them from the workspace."""
        self.files = AgentFiles(self.spec.attempt_dir)
        self.order = self.files.order()
        # A star: the first node watches all others, and they watch only the first.
        others = range(1, self.spec.host_count) if node_rank == 0 else [0]
        self._heartbeats = Heartbeats(self.files, others)
        self.lease = Lease(self.files, self.order.lease_seconds)
        self._next_beat = self._next_look = 0.0
        self._is_over = self._was_forgotten = False
        self._parent, self._was_orphaned = os.getppid(), False

    def run(self) -> int:
        """Run this node's share; return the exit code, which is also in the node's end file."""
        signal.signal(signal.SIGTERM, self._stop)
        code = FAILED
        try:
            self.files.write(f"node-{self.node_rank}.json", node_facts())
            if self._agree() and self._prepare():
                code = self._finish(self._supervise(self._start_host()))
        finally:
            end_children()
            self._report_parent_end(code)
            reported_code = None if self._was_forgotten else code  # the step itself is not at fault
            self.files.write(f"end-{self.node_rank}.json", {"code": reported_code})
        return code

    def _stop(self, *_: object) -> None:
        self._is_over = True
        self._was_orphaned = os.getppid() != self._parent

    def _report_parent_end(self, code: int) -> None:
        """Report that the engine's process on this node and the step have ended."""
        if self._was_orphaned and code != 0 and "over" not in self.files.names():
            self._was_forgotten = True
            statement = say.ENGINE_ENDED.about({"host": platform.node()})
            problem = Problem.of(NODE_LOST, statement, node=self.spec.node).to_json()
            leave_echo(self.spec.error_path(0), problem)  # a rank's exception is more specific

    # before anything starts

    def _agree(self) -> bool:
        """Wait until all nodes are compatible; return False if they are not or the attempt ends."""
        if self.node_rank == 0 and not self._compare():
            return False
        # the first node's problem has more detail, if there is one
        seconds = 2 * self.order.report_seconds
        deadline = time.monotonic() + seconds
        while self.files.read(AGREEMENT) is None:
            if self._must_end():
                return False
            if time.monotonic() > deadline:
                facts = {"all": self.spec.host_count, "seconds": seconds}
                return self._refuse(NODES_UNFIT, say.NODES_APART.about(facts))
            time.sleep(POLL_SECONDS / 4)
        return not self._must_end()

    def _compare(self) -> bool:
        count, seconds = self.spec.host_count, self.order.report_seconds
        deadline = time.monotonic() + seconds
        while len(nodes := self._reports()) < count:
            if self._must_end():
                return False
            if time.monotonic() > deadline:
                facts = {"count": len(nodes), "all": count, "seconds": seconds}
                return self._refuse(NODES_UNFIT, say.NODES_ABSENT.about(facts))
            time.sleep(POLL_SECONDS / 4)
        reason = misfit(self.spec, self.order, nodes)
        if reason is not None:
            return self._refuse(NODES_UNFIT, reason)
        return self._agree_on_address(nodes)

    def _agree_on_address(self, nodes: list[NodeFacts]) -> bool:
        try:
            address = meeting_address(nodes, self.order.interface)
        except LookupError:
            facts = {"host": nodes[0]["host"], "interface": self.order.interface}
            return self._refuse(NODES_UNFIT, say.NO_INTERFACE.about(facts))
        self.files.write(AGREEMENT, {"address": address})
        return True

    def _reports(self) -> list[NodeFacts]:
        names = self.files.names()
        ranks = (index for index in range(self.spec.host_count) if f"node-{index}.json" in names)
        reports = (self.files.node(rank) for rank in ranks)
        return [report for report in reports if report is not None]

    def _refuse(self, kind: Kind, statement: Statement) -> bool:
        """Write the reason why the step cannot run on this node."""
        problem = Problem.of(kind, statement, node=self.spec.node).to_json()
        leave_error(self.spec.error_path(0), problem)
        return False

    def _prepare(self) -> bool:
        """Prepare what the host needs; return False if that fails or the attempt is abandoned."""
        return True

    # while it runs

    def _start_host(self) -> HostProcess:
        arguments = (str(self.spec.spec_path), str(self.node_rank), str(os.getpid()))
        environment = {**TORCH_ENVIRONMENT, **os.environ}
        with log_output(self.spec.launcher_log_of(self.node_rank)) as output:
            host = subprocess.Popen(
                python_command("pipelines.workers.agent_host", *arguments),
                stdin=subprocess.DEVNULL if self.secrets is None else subprocess.PIPE,
                stdout=output.descriptor,
                stderr=output.descriptor,
                env=environment,
                start_new_session=True,
            )
        if host.stdin is not None:
            with suppress(BrokenPipeError), host.stdin:  # it has exited and will be reaped
                host.stdin.write(json.dumps(dict(self.secrets or {})).encode())
        return host

    def _supervise(self, host: HostProcess) -> int:
        kill_at: float | None = None
        while True:
            try:
                return host.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                if kill_at is None and self._must_end():
                    host.terminate()
                    kill_at = time.monotonic() + GRACE_SECONDS
                elif kill_at is not None and time.monotonic() > kill_at:
                    host.kill()

    def _finish(self, code: int) -> int:
        """Deliver the host's remaining files; return the exit code."""
        return code

    def _must_end(self) -> bool:
        """Return whether this node's share must end; send a heartbeat on the way."""
        now = time.monotonic()
        if now > self._next_beat:
            self.files.beat(self.node_rank)
            self._next_beat = now + HEARTBEAT_INTERVAL_SECONDS
        if now > self._next_look and not self._is_over:
            self._next_look = now + CHECK_INTERVAL_SECONDS
            self._is_over = self._is_given_up()
        return self._is_over

    def _is_given_up(self) -> bool:
        names = self.files.names()
        if "over" in names or not names:  # also if the run was deleted
            return True
        ended = self.files.ends(names)
        if any(code != 0 for code in ended.values()):
            return True
        if self.lease.has_ended():
            self._was_forgotten = True
            facts = {"host": platform.node(), "seconds": self.order.lease_seconds}
            self._refuse(NODE_LOST, say.LEASE_ENDED.about(facts))
            return True
        silent = self._heartbeats.silent(ended)
        if silent is not None and self.node_rank == 0:
            host = (self.files.read(f"node-{silent}.json") or {}).get("host", "A machine")
            facts = {"host": host, "number": silent, "seconds": HEARTBEAT_TIMEOUT_SECONDS}
            self._refuse(NODE_LOST, say.NODE_SILENT.about(facts))
        return silent is not None


def main() -> None:
    """Run the agent of a node."""
    parser = argparse.ArgumentParser(prog="pipelines.workers.agent")
    parser.add_argument("spec", type=Path)
    parser.add_argument(
        "--rank-from", required=True, help="variable that contains the rank of the machine"
    )
    parser.add_argument(
        "--parent", type=int, help="process ID; the agent ends when this process ends"
    )
    arguments = parser.parse_args()
    if arguments.parent:
        die_with_parent(arguments.parent, signal.SIGTERM)
    adopt_orphans()
    lack = folder_lack(AgentFiles(arguments.spec.parent).folder)
    if lack is not None:  # the engine has no place for it
        print(json.dumps({"host": platform.node(), **lack}), flush=True)
    sys.exit(Agent(arguments.spec, int(os.environ[arguments.rank_from])).run())


if __name__ == "__main__":
    main()
