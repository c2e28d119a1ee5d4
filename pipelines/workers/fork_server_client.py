"""Client for the runner's fork servers: start them on demand, request hosts, poll for ends."""

from __future__ import annotations

import os
import selectors
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from modules.operating_system.files import open_private
from modules.operating_system.forking import can_fork
from modules.operating_system.orphans import MARK
from modules.operating_system.spawning import spawn
from modules.spec import Preload
from pipelines.workers.fork_server_protocol import (
    HostEnded,
    HostStarted,
    MessageReader,
    StartHost,
    encode,
)
from pipelines.workers.preloads import TORCH_ENVIRONMENT
from pipelines.workspace_settings import DATABASE_VARIABLE

HostMessage = HostStarted | HostEnded
Receiver = Callable[[HostMessage], None]


class ForkServerClient:
    """One fork server process and the hosts forked from it."""

    def __init__(self, preload: Preload, *, log_path: Path, mark: str = "") -> None:
        """Create a client; ``mark`` labels all descendant processes as the workspace's."""
        program = "fork_server" if can_fork() else "spawn_server"
        environment = _environment(preload, mark)
        with open(open_private(log_path), "ab") as log:
            self.process, self.connection = spawn(
                f"pipelines.workers.{program}", preload, env=environment, output=log
            )
        self.preload = preload
        self.is_open = True
        self._reader = MessageReader()
        self._tokens: set[str] = set()
        """Tokens of hosts that were requested and have not ended."""

    def start_host(self, request: StartHost) -> None:
        """Request a host; ``HostStarted`` and ``HostEnded`` follow with the request's token."""
        self._tokens.add(request.token)
        try:
            self.connection.sendall(encode(request))
        except OSError:
            self.is_open = False

    def receive(self) -> Iterator[HostMessage]:
        """Return the messages received; a dead fork server ends all its hosts."""
        for message in self._reader.feed(self._received()):
            if isinstance(message, HostEnded):
                self._tokens.discard(message.token)
            if isinstance(message, HostMessage):
                yield message
        if not self.is_open:
            lost, self._tokens = self._tokens, set()
            yield from (HostEnded(token, None) for token in lost)

    def _received(self) -> bytes:
        self.connection.setblocking(False)
        try:
            received = self.connection.recv(65_536)
        except BlockingIOError:
            return b""
        except OSError:
            received = b""
        finally:
            self.connection.setblocking(True)
        self.is_open = self.is_open and bool(received)
        return received

    def stop(self) -> None:
        """Stop the server and with it its hosts."""
        self.connection.close()
        self.process.kill()
        self.process.wait()


def _environment(preload: Preload, mark: str) -> dict[str, str]:
    environment = {**os.environ, MARK: mark}
    environment.pop(DATABASE_VARIABLE, None)  # steps do not need its password
    return {**TORCH_ENVIRONMENT, **environment} if preload == "torch" else environment


class ForkServerPool:
    """Pool with one fork server per preload, started at first use and again after a crash."""

    def __init__(self, log_path: Path, mark: str = "") -> None:
        self._log_path = log_path
        self._mark = mark
        self._by_preload: dict[Preload, ForkServerClient] = {}
        self._selector = selectors.DefaultSelector()
        self._receivers: dict[str, Receiver] = {}
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        self._wake_write.setblocking(False)
        self._selector.register(self._wake_read, selectors.EVENT_READ, None)

    def get(self, preload: Preload) -> ForkServerClient:
        """Return the fork server with this preload; small preloads fork faster."""
        client = self._by_preload.get(preload)
        if client is None or not client.is_open:
            client = ForkServerClient(preload, log_path=self._log_path, mark=self._mark)
            self._by_preload[preload] = client
            self._selector.register(client.connection, selectors.EVENT_READ, client)
        return client

    def start_host(self, preload: Preload, request: StartHost, receive: Receiver) -> None:
        """Request a host; ``poll`` calls ``receive`` with each of its messages."""
        self._receivers[request.token] = receive
        self.get(preload).start_host(request)

    def wait(self, timeout_seconds: float) -> None:
        """Wait for a message, for ``wake`` from another thread, or until the timeout."""
        self._selector.select(timeout_seconds)
        with suppress(BlockingIOError):
            self._wake_read.recv(4096)

    def poll(self) -> None:
        """Deliver the received messages without waiting."""
        for key, _ in self._selector.select(0):
            client: ForkServerClient | None = key.data
            if client is None:
                continue
            for message in client.receive():
                self._hand_on(message)
            if not client.is_open:
                self._remove(client)

    def _hand_on(self, message: HostMessage) -> None:
        receive = self._receivers.get(message.token)
        if isinstance(message, HostEnded):
            self._receivers.pop(message.token, None)
        if receive is not None:
            receive(message)

    def _remove(self, client: ForkServerClient) -> None:
        self._selector.unregister(client.connection)
        # otherwise another server took its place
        if self._by_preload.get(client.preload) is client:
            del self._by_preload[client.preload]
        client.stop()

    def wake(self) -> None:
        """End a wait at once; for other threads."""
        with suppress(OSError):  # the buffer is full of unread wake-ups, or the pipe is closed
            self._wake_write.send(b"w")

    def stop(self) -> None:
        """Stop every fork server and with them every host."""
        for client in self._by_preload.values():
            client.stop()
        self._by_preload.clear()
        self._selector.close()
        self._wake_read.close()
        self._wake_write.close()
