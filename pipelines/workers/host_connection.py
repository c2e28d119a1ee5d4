"""The line between a fork server and one of its hosts, from both ends."""

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
    """A host's process, as its fork server knows it."""

    pid: int
    connection: socket.socket

    def request(self, message: StartHost) -> None:
        """Have it run a step; of one that was killed meanwhile only its end is seen."""
        with suppress(OSError):
            self.connection.sendall(encode(message))

    def receive_done(self) -> bool:
        """True where it has said that it is done; False where it ends without a word."""
        with suppress(OSError):
            return self.connection.recv(len(DONE)) == DONE
        return False

    def kill(self) -> None:
        """End it."""
        self.connection.close()
        with suppress(ProcessLookupError):
            os.kill(self.pid, KILL)


def run_requested(connection: socket.socket, *, reports_done: bool) -> int:
    """In a host: wait for the request, run the step and give the exit code.

    With ``reports_done`` the fork server is told once all that the step made is written.
    """
    with connection.makefile() as lines:
        request = decode(lines.readline())
    assert isinstance(request, StartHost)
    spec = StepSpec.read(Path(request.spec_path))
    code = run_host(spec, request.node_rank, request.secrets)
    end_children()
    if code == 0 and reports_done:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.send(DONE)
    return code
