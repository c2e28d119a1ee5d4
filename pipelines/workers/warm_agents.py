"""Agents of a node that stays warm: torch is imported once, agents and hosts are forked.

``python -m pipelines.workers.warm_agents MINUTES [PROTOCOL]``; the driver of object stores with
this protocol is imported too. Each line on stdin requests an agent, as JSON: ``{"spec", "rank",
"threads", "log"}``, and for a node without access to the workspace also ``{"place", "folder",
"variables", "secrets"}``. Each line on stdout reports the end of one: ``{"spec", "rank", "code"}``.
It ends with all agents when stdin closes, and after MINUTES without a step.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
import traceback
from pathlib import Path
from typing import NoReturn, NotRequired, TypedDict

from modules.files.log_output import redirect_output
from modules.files.object_places import load_back_end
from modules.operating_system.forking import (
    ended_children,
    fork,
    kill_group,
    lead_group,
    leave,
    wake_at_ends_of_children,
)
from modules.operating_system.orphans import adopt_orphans, end_children
from modules.operating_system.signals import ignore_interrupts
from pipelines.workers.agent import Agent, HostProcess
from pipelines.workers.agent_host import be_host
from pipelines.workers.forked_host import detach_from
from pipelines.workers.forked_process import ForkedProcess
from pipelines.workers.node_facts import software
from pipelines.workers.preloads import import_preloads
from pipelines.workers.warm_node import run_warm_node

STDIN = 0
NOWHERE = Path(os.devnull)


class AgentRequest(TypedDict):
    """Requested agent."""

    spec: str
    rank: int
    threads: int
    log: str
    place: NotRequired[dict[str, object]]
    folder: NotRequired[str]
    variables: NotRequired[dict[str, str]]
    secrets: NotRequired[dict[str, str]]


class WarmAgents:
    """Process that forks agents and reports their ends."""

    def __init__(self, minutes: float) -> None:
        self._seconds = 60 * minutes
        self._running: dict[int, AgentRequest] = {}
        self._incomplete = b""
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)

    def serve(self) -> None:
        """Fork and reap until stdin closes or no request has arrived for too long."""
        wake_at_ends_of_children(self._wake_write)
        self._selector.register(STDIN, selectors.EVENT_READ)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        while ready := self._selector.select(None if self._running else self._seconds):
            for key, _ in ready:
                if key.fd == self._wake_read:
                    os.read(self._wake_read, 4096)
                    self._reap()
                elif not self._receive():
                    return

    def _receive(self) -> bool:
        """Start the requested agents; return False if stdin is closed."""
        received = os.read(STDIN, 65_536)
        *lines, self._incomplete = (self._incomplete + received).split(b"\n")
        for line in lines:
            request = json.loads(line)
            self._running[self._fork(request)] = request
        return bool(received)

    def _fork(self, request: AgentRequest) -> int:
        parent = os.getpid()

        def become_agent() -> NoReturn:
            code = 1
            try:
                detach_from(parent)
                self._release()
                redirect_output(Path(request["log"]))
                os.environ["OMP_NUM_THREADS"] = str(request["threads"])
                code = _run(request)
            except BaseException:  # a forked child must never return to its parent's loop
                traceback.print_exc()
            finally:
                leave(code)

        return fork(become_agent)

    def _release(self) -> None:
        """Close, in an agent, the resources of its parent."""
        self._selector.close()
        os.close(self._wake_read)
        os.close(self._wake_write)
        with NOWHERE.open("rb") as nothing:
            os.dup2(nothing.fileno(), STDIN)

    def _reap(self) -> None:
        ended = dict(ended_children())
        for pid in ended:
            kill_group(pid)
        end_children(keep=self._running.keys() - ended.keys())  # orphans of a killed agent
        for pid, code in ended.items():
            request = self._running.pop(pid, None)
            if request is not None:
                report = {"spec": request["spec"], "rank": request["rank"], "code": code}
                print(json.dumps(report), flush=True)


class ForkingAgent(Agent):
    """Agent whose host is forked from it with its imports done."""

    def _start_host(self) -> HostProcess:
        agent, log = os.getpid(), self.spec.launcher_log_of(self.node_rank)

        def become_host() -> NoReturn:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            lead_group()
            redirect_output(log)
            be_host(self.spec.spec_path, self.node_rank, agent, self.secrets)

        return ForkedProcess(become_host)


def _run(request: AgentRequest) -> int:
    if "place" in request:
        return run_warm_node(request)
    return ForkingAgent(Path(request["spec"]), int(request["rank"])).run()


def main() -> None:
    """Import what steps need, and serve."""
    ignore_interrupts()
    adopt_orphans()
    software()  # of the code as loaded here, whatever happens to its files
    for protocol in sys.argv[2:]:
        load_back_end(protocol)
    import_preloads("torch")
    try:
        WarmAgents(float(sys.argv[1])).serve()
    finally:
        end_children()
        leave(0)


if __name__ == "__main__":
    main()
