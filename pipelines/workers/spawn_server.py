"""The fork server's stand-in where nothing forks: it has a host ready before one is asked for.

``python -m pipelines.workers.spawn_server CONNECTION PRELOAD``; it says what a fork server says.
What a host needs it imports by itself, seconds of work where torch is among it: so the next one
is started at once when one is put to use. Several hosts at once wait for their imports.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys

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


class SpawnServer:
    """Starts hosts and reports their ends."""

    def __init__(self, connection: socket.socket, preload: Preload) -> None:
        self._connection = connection
        self._preload: Preload = preload
        self._reader = MessageReader()
        self._tokens: dict[int, str] = {}
        """By pid, those of hosts whose end is not reported yet."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection, selectors.EVENT_READ)
        self._spare = SpawnedHost.spawn(preload)

    def serve(self) -> None:
        """Start hosts until the runner closes the connection."""
        self._send(Ready(0.0))
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is not self._connection:
                    self._receive_end(key.data)
                elif not self._receive_requests():
                    return

    def _receive_requests(self) -> bool:
        """Start what is asked for; False where the runner has gone."""
        received = self._connection.recv(65_536)
        for message in self._reader.feed(received):
            if isinstance(message, StartHost):
                self._start(message)
        return bool(received)

    def _start(self, request: StartHost) -> None:
        host = self._spare if self._spare.is_running() else SpawnedHost.spawn(self._preload)
        self._tokens[host.pid] = request.token
        host.request(request)
        self._selector.register(host.connection, selectors.EVENT_READ, host)
        self._send(HostStarted(request.token, host.pid))
        self._spare = SpawnedHost.spawn(self._preload)

    def _receive_end(self, host: SpawnedHost) -> None:
        """A host is done, or its connection has closed because it ends."""
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
