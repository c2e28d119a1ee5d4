"""Where nothing forks, hosts wait before they are asked for; one that is gone is not counted on."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from modules.operating_system.processes import ProcessIdentity
from modules.operating_system.signals import KILL
from modules.operating_system.spawning import spawn
from pipelines.workers.fork_server_protocol import (
    HostEnded,
    HostStarted,
    Message,
    MessageReader,
    Ready,
    StartHost,
    encode,
)
from pipelines.workers.spawn_server import NUM_SPARES
from tests.polling import wait_for


@pytest.fixture
def server() -> Iterator[tuple[psutil.Process, socket.socket]]:
    process, connection = spawn("pipelines.workers.spawn_server", "nothing")
    connection.settimeout(60)
    yield psutil.Process(process.pid), connection
    connection.close()
    assert process.wait(120) == 0


def messages(connection: socket.socket, count: int) -> list[Message]:
    reader, messages_read = MessageReader(), list[Message]()
    while len(messages_read) < count:
        messages_read += reader.feed(connection.recv(65_536))
    return messages_read


def test_spares_wait_and_are_replaced(
    server: tuple[psutil.Process, socket.socket], tmp_path: Path
) -> None:
    process, connection = server
    assert isinstance(messages(connection, 1)[0], Ready)
    wait_for(lambda: len(process.children()) == NUM_SPARES)
    spares = process.children()
    gone = ProcessIdentity.of(spares[0].pid)
    gone.signal(KILL)
    wait_for(lambda: not gone.is_alive)
    connection.sendall(encode(StartHost("token", str(tmp_path / "none.json"), 0)))
    started, ended = messages(connection, 2)
    assert started == HostStarted("token", spares[1].pid)
    assert ended == HostEnded("token", 1)
    wait_for(
        lambda: len([child for child in process.children() if child.is_running()]) >= NUM_SPARES
    )
    assert not {child.pid for child in process.children()} & {spares[0].pid}
