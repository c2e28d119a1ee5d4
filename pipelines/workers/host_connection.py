"""Connection between a fork server and one of its hosts, both ends."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from modules.operating_system.orphans import end_children
from modules.operating_system.signals import KILL
from pipelines.workers.fork_server_protocol import DONE, StartHost, decode, encode
from pipelines.workers.step_host import run_host
from pipelines.workers.step_spec import StepSpec


@dataclass(frozen=True)
class HostConnection:
    """Host process as seen by its fork server."""

    pid: int
    connection: socket.socket

    def request(self, message: StartHost) -> None:
        """Send a step to the host; if it was killed meanwhile, only its end is reported."""
        with suppress(OSError):
            self.connection.sendall(encode(message))

    def receive_done(self) -> bool:
        """Return True if the host reported that it is done, False if it exits without a report."""
        with suppress(OSError):
            return self.connection.recv(len(DONE)) == DONE
        return False

    def kill(self) -> None:
        """Kill it."""
        self.connection.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, KILL)


def run_requested(connection: socket.socket, *, reports_done: bool) -> int:
    """Wait, in a host, for the request; run the step and return the exit code.

    With ``reports_done`` it notifies the fork server when the step's output is written.
    """
    with connection.makefile() as lines:
        line = lines.readline()
    if not line:  # its server ended before a step needed it
        return 0
    request = decode(line)
    assert isinstance(request, StartHost)
    spec = StepSpec.read(Path(request.spec_path))
    code = run_host(spec, request.node_rank, request.secrets)
    end_children()
    if code == 0 and reports_done:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.send(DONE)
    return code
