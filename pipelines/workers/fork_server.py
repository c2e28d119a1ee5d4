"""Fork server: imports what modules need once, then forks a module host for each step.

``python -m pipelines.workers.fork_server CONNECTION PRELOAD``, started by the runner
(``fork_server_client``) and ended with it; ``fork_server_protocol`` defines their messages. Users'
files are loaded only in hosts, never here. Systems without fork use ``spawn_server``.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
import time

from modules.operating_system.forking import (
    ended_children,
    kill_group,
    leave,
    wake_at_ends_of_children,
)
from modules.operating_system.orphans import adopt_orphans, end_children
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
from pipelines.workers.forked_host import WarmUp, fork_host
from pipelines.workers.host_connection import HostConnection
from pipelines.workers.preloads import import_preloads, preload_from


class ForkServer:
    """Process that forks hosts and reports their ends.

    A light server, without torch, has two optimizations for short steps:

    - It forks the next host in advance: the spare, which loads the code of the last step and waits.
      A spare that has loaded a user's file only runs steps of that file.
    - A host reports when it is done and counts as ended: process teardown, which takes longer than
      many a step, delays nothing. (With torch teardown matters: only then is a GPU's memory free.)

    States of a host: spare -> requested (``HostStarted``) -> done or ended, whichever is first
    (``HostEnded``) -> reaped. A spare that does not fit is killed and reaped without a report.
    """

    def __init__(self, connection: socket.socket, *, is_light: bool) -> None:
        self._connection = connection
        self._is_light = is_light
        self._reader = MessageReader()
        self._tokens: dict[int, str | None] = {}
        """Tokens of hosts not yet reaped, by pid; None if the end needs no report any more."""
        self._spare: HostConnection | None = None
        self._warm_up: WarmUp | None = None
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)

    def preload(self, preload: Preload) -> None:
        """Import modules on behalf of all hosts."""
        started = time.perf_counter()
        import_preloads(preload)
        self._send(Ready(time.perf_counter() - started))

    def serve(self) -> None:
        """Fork and reap until the runner closes the connection."""
        wake_at_ends_of_children(self._wake_write)
        self._selector.register(self._connection, selectors.EVENT_READ)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._connection:
                    if not self._receive_requests():
                        return
                elif key.fileobj is self._wake_read:
                    os.read(self._wake_read, 4096)
                    self._reap()
                else:
                    self._receive_done(key.data)

    def _receive_requests(self) -> bool:
        """Start the requested hosts; return False if the runner is gone."""
        received = self._connection.recv(65_536)
        for message in self._reader.feed(received):
            if isinstance(message, StartHost):
                self._start(message)
        if received and self._is_light and self._spare is None:
            self._spare = self._fork(self._warm_up)
        return bool(received)

    def _start(self, request: StartHost) -> None:
        if self._spare is not None and self._warm_up and not self._warm_up.suits(request.origin):
            self._discard(self._spare)
        host = self._spare or self._fork(None)
        self._spare = None
        self._tokens[host.pid] = request.token
        host.request(request)
        self._selector.register(host.connection, selectors.EVENT_READ, host)
        self._send(HostStarted(request.token, host.pid))
        self._warm_up = WarmUp.after(request) if self._is_light else None

    def _fork(self, warm_up: WarmUp | None) -> HostConnection:
        return fork_host(warm_up, reports_done=self._is_light, release=self._release)

    def _release(self) -> None:
        """Close, in a host, the resources of the fork server."""
        for key in self._selector.get_map().values():
            if isinstance(key.data, HostConnection):
                key.data.connection.close()
        self._selector.close()
        self._connection.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _discard(self, spare: HostConnection) -> None:
        self._spare = None
        self._tokens[spare.pid] = None
        spare.kill()

    def _receive_done(self, host: HostConnection) -> None:
        """Handle a host that is done, or whose connection closed because it ends."""
        is_done = host.receive_done()
        self._selector.unregister(host.connection)
        host.connection.close()
        if is_done and host.pid in self._tokens:
            self._end(host.pid, 0)
            self._tokens[host.pid] = None

    def _reap(self) -> None:
        ended = dict(ended_children())
        spare = [self._spare.pid] if self._spare else []
        end_children(keep={*self._tokens, *spare} - ended.keys())  # orphans of a killed host
        for pid, code in ended.items():
            if self._spare is not None and pid == self._spare.pid:
                self._spare.connection.close()
                self._spare = None
            self._end(pid, code)
            self._tokens.pop(pid, None)

    def _end(self, pid: int, code: int) -> None:
        """Kill the orphans of a host's module, and report the end unless that was done."""
        kill_group(pid)
        token = self._tokens.get(pid)
        if token is not None:
            self._send(HostEnded(token, code))

    def _send(self, message: Message) -> None:
        self._connection.sendall(encode(message))


def main() -> None:
    """Serve the runner at the other end of an inherited socket."""
    connection, preload = connection_to_parent(sys.argv[1]), preload_from(sys.argv[2])
    die_with_parent(os.getppid())
    adopt_orphans()
    ignore_interrupts()
    server = ForkServer(connection, is_light=preload != "torch")
    server.preload(preload)
    try:
        server.serve()
    finally:
        leave(0)


if __name__ == "__main__":
    main()
