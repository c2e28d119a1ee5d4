"""Node without access to the workspace, forked from a process that stays warm.

Its host is forked first and waits: a node mirrors its folder in threads, and a process forked while
threads run may wait for locks forever.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from modules.files.log_output import redirect_output
from modules.operating_system.forking import lead_group, leave
from modules.operating_system.parent_death import die_with_parent
from pipelines.workers.agent import HostProcess
from pipelines.workers.agent_files import Lease
from pipelines.workers.agent_host import be_host
from pipelines.workers.forked_process import ForkedProcess
from pipelines.workers.node_folder import NodeFolder, StepLocation
from pipelines.workers.unshared_node import UnsharedAgent, run_node, run_step

LEASE = "lease"
"""File in the folder of the engine's process on the machine, touched while the step is wanted."""


class WaitingHost:
    """Forked host that gets its step later and ends with the process that forked it."""

    def __init__(self) -> None:
        self._agent = os.getpid()
        self._read, self._write = os.pipe()
        self._process = ForkedProcess(self._become_host)
        os.close(self._read)

    def start(self, spec_path: Path, node_rank: int, log: Path, secrets: Mapping[str, str]) -> None:
        """Start a node's share of a step in it."""
        task = {"spec": str(spec_path), "rank": node_rank, "log": str(log), "secrets": {**secrets}}
        with suppress(BrokenPipeError), open(self._write, "w", encoding="utf-8") as pipe:
            json.dump(task, pipe)  # otherwise it has ended and will be reaped

    @property
    def process(self) -> HostProcess:
        return self._process

    def _become_host(self) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with_parent(self._agent)
        lead_group()
        os.close(self._write)
        with open(self._read, encoding="utf-8") as pipe:
            text = pipe.read()
        if not text:
            leave(0)
        task = json.loads(text)
        redirect_output(Path(task["log"]))
        be_host(Path(task["spec"]), task["rank"], self._agent, task["secrets"])


class WarmAgent(UnsharedAgent):
    """Agent with a waiting host that ends when its lease ends."""

    def __init__(self, node: NodeFolder, host: WaitingHost, lease: Path) -> None:
        super().__init__(node)
        self.lease = Lease(self.files, self.order.lease_seconds, str(lease))
        self._host = host

    def _start_host(self) -> HostProcess:
        log = self.spec.launcher_log_of(self.node_rank)
        self._host.start(self.spec.spec_path, self.node_rank, log, self.secrets or {})
        return self._host.process


def run_warm_node(request: Mapping[str, Any]) -> int:
    """Run a node as requested; return the exit code."""
    os.environ.update(request["variables"])
    folder, location = Path(request["folder"]), StepLocation(**request["place"])
    agent = partial(WarmAgent, host=WaitingHost(), lease=folder / LEASE)
    run = partial(run_step, agent=agent)
    return run_node(folder, location, int(request["rank"]), request["secrets"], run)
