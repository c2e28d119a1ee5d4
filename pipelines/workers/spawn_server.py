"""Replacement of the fork server on systems without fork, with hosts started in advance.

``python -m pipelines.workers.spawn_server CONNECTION PRELOAD`` speaks the fork server's protocol.
Each host imports what it needs, seconds of work with torch. A few hosts therefore wait with their
imports done; a used one is replaced after its step has had the cores to start. Further requests at
the same time wait for their imports.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import time

from modules.operating_system.forking import kill_group, leave
from modules.operating_system.parent_death import die_with_parent
from modules.operating_system.signals import ignore_interrupts
from modules.operating_system.spawning import connection_to_parent
from modules.spec import Preload
from pipelines.workers.fork_server_protocol import (
    HostEnded,
    HostStarted,
    Message,
    MessageReader,
    Ready,
    StartHost,
    encode,
)
from pipelines.workers.preloads import preload_from
from pipelines.workers.spawned_host import SpawnedHost

NUM_SPARES = 2
"""Number of spares: two trainings may start at once; each spare with torch uses some 400 MB."""
REFILL_DELAY_SECONDS = 2.0
"""Delay after a start before the next spare may use a core for its imports."""


class SpawnServer:
    """Process that starts hosts and reports their ends."""

    def __init__(self, connection: socket.socket, preload: Preload) -> None:
        self._connection = connection
        self._preload: Preload = preload
        self._reader = MessageReader()
        self._tokens: dict[int, str] = {}
        """Tokens, by pid, of hosts whose end was not reported yet."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection, selectors.EVENT_READ)
        self._spares = [SpawnedHost.spawn(preload)]
        self._refill_seconds = REFILL_DELAY_SECONDS if preload == "torch" else 0.0
        self._refill_at = time.monotonic() + self._refill_seconds

    def serve(self) -> None:
        """Start hosts until the runner closes the connection."""
        self._send(Ready(0.0))
        while True:
            for key, _ in self._selector.select(self._seconds_to_refill()):
                if key.fileobj is not self._connection:
                    self._receive_end(key.data)
                elif not self._receive_requests():
                    return
            if self._seconds_to_refill() == 0.0:
                self._add_spare()

    def _receive_requests(self) -> bool:
        """Start the requested hosts; return False if the runner is gone."""
        received = self._connection.recv(65_536)
        for message in self._reader.feed(received):
            if isinstance(message, StartHost):
                self._start(message)
        return bool(received)

    def _start(self, request: StartHost) -> None:
        self._spares = [spare for spare in self._spares if spare.is_running()]
        host = self._spares.pop(0) if self._spares else SpawnedHost.spawn(self._preload)
        self._tokens[host.pid] = request.token
        host.request(request)
        self._selector.register(host.connection, selectors.EVENT_READ, host)
        self._send(HostStarted(request.token, host.pid))
        self._refill_at = time.monotonic() + self._refill_seconds

    def _seconds_to_refill(self) -> float | None:
        """Return the seconds until the next spare starts; None if there are enough."""
        if len(self._spares) >= NUM_SPARES:
            return None
        return max(0.0, self._refill_at - time.monotonic())

    def _add_spare(self) -> None:
        self._spares.append(SpawnedHost.spawn(self._preload))
        self._refill_at = time.monotonic() + self._refill_seconds

    def _receive_end(self, host: SpawnedHost) -> None:
        """Handle a host that is done, or whose connection closed because it ends."""
        code = 0 if host.receive_done() else host.exit_code()
        self._selector.unregister(host.connection)
        host.connection.close()
        kill_group(host.pid)
        self._send(HostEnded(self._tokens.pop(host.pid), code))

    def _send(self, message: Message) -> None:
        self._connection.sendall(encode(message))


def main() -> None:
    """Serve the runner at the other end of a connection."""
    connection, preload = connection_to_parent(sys.argv[1]), preload_from(sys.argv[2])
    die_with_parent(os.getppid())
    ignore_interrupts()
    try:
        SpawnServer(connection, preload).serve()
    finally:
        leave(0)


if __name__ == "__main__":
    main()
