"""Connections that are begun and not gone on with."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from designer_app.server import connections
from designer_app.server.connections import MAX_HALF_REQUESTS
from tests.designer_app.http import Client, Server, wait_for

BEGUN = b"GET /api/pipelines HTTP/1.1\r\nHost: "


@pytest.fixture
def half_requests(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[socket.socket]]:
    """Five hundred connections of somebody who has all the time in the world."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 3600.0)
    with ExitStack() as open_ones:
        yield [
            open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(500)
        ]


def is_closed(connection: socket.socket) -> bool:
    """Whether the other end has hung up."""
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_half_requests_keep_nobody_out(client: Client, half_requests: list[socket.socket]) -> None:
    for connection in half_requests:
        with suppress(OSError):  # it was one too many
            connection.sendall(BEGUN)
    assert client.get("/api/pipelines").status == 200
    wait_for(lambda: sum(map(is_closed, half_requests)) >= 500 - MAX_HALF_REQUESTS)
    for connection in half_requests[-3:]:
        connection.sendall(b"1")
        assert client.get("/api/pipelines").status == 200


def test_a_head_that_comes_byte_by_byte_is_not_waited_for(
    server: Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        for letter in BEGUN * 1000:
            try:
                slow.sendall(bytes([letter]))
            except OSError:
                break
            if select.select([slow], [], [], 0.02)[0]:
                break
        assert is_closed(slow)
    assert client.get("/api/pipelines").status == 200


def test_a_second_request_of_a_connection_is_not_waited_for_either(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    head = f"127.0.0.1:{server.port}\r\nX-Designer-Token: {server.application.token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as slow:
        slow.sendall(BEGUN + head.encode())
        answer = b""
        while b"pipelines" not in answer:
            answer += slow.recv(10_000)
        slow.setblocking(False)
        slow.sendall(BEGUN)
        wait_for(lambda: is_closed(slow))


def test_a_long_body_is_not_cut_off(
    server: Server, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 1.0)
    body = b"{" + b" " * 500_000
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as slow:
        head = (
            f"POST /api/validate HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"X-Designer-Token: {client.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        slow.sendall(head.encode())
        for start in range(0, len(body), 25_000):  # longer than a head may take
            slow.sendall(body[start : start + 25_000])
            select.select([slow], [], [], 0.075)
        assert slow.recv(1000).startswith(b"HTTP/1.1 200")
