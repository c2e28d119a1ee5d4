"""Connections that are begun and not gone on with."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from designer_app.server.body_clock import BodyClock
from designer_app.server.connections import MAX_HALF_REQUESTS
from designer_app.settings import ConnectionLimits
from pipelines.workspace import Workspace
from tests.designer_app.http import Client, Server
from tests.polling import wait_for

BEGUN = b"GET /api/pipelines HTTP/1.1\r\nHost: "
FOR_EVER = ConnectionLimits(head_seconds=3600.0, body_idle_seconds=3600.0)
SHORT_HEAD = ConnectionLimits(head_seconds=0.3, body_idle_seconds=3600.0, check_seconds=0.05)
SHORT_BODY = ConnectionLimits(body_idle_seconds=0.3, body_window_seconds=3600, check_seconds=0.05)
FAST_BODY = ConnectionLimits(
    body_idle_seconds=3600.0,
    body_window_seconds=0.5,
    min_body_bytes_per_second=10_000,
    check_seconds=0.05,
)


@pytest.fixture(scope="module")
def server(workspace: Workspace, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server with the limits that a test names."""
    limits = getattr(request, "param", ConnectionLimits())
    made = Server(workspace, data_roots=(), more_hosts=(), connection_limits=limits)
    yield made
    made.stop()


def body_of(server: Server, path: str, content_type: str, length: int = 10**9) -> bytes:
    """The head of a request whose body is to follow."""
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"X-Designer-Token: {server.application.token}\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


@pytest.fixture
def half_requests(server: Server) -> Iterator[list[socket.socket]]:
    """Five hundred connections of somebody who has all the time in the world."""
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


@pytest.mark.parametrize("server", [FOR_EVER], indirect=True)
def test_half_requests_keep_nobody_out(client: Client, half_requests: list[socket.socket]) -> None:
    for connection in half_requests:
        with suppress(OSError):  # it was one too many
            connection.sendall(BEGUN)
    assert client.get("/api/pipelines").status == 200
    wait_for(lambda: sum(map(is_closed, half_requests)) >= 500 - MAX_HALF_REQUESTS)
    for connection in half_requests[-3:]:
        connection.sendall(b"1")
        assert client.get("/api/pipelines").status == 200


@pytest.mark.parametrize("server", [SHORT_HEAD], indirect=True)
def test_a_head_that_comes_byte_by_byte_is_not_waited_for(server: Server, client: Client) -> None:
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


@pytest.mark.parametrize("server", [SHORT_HEAD], indirect=True)
def test_a_second_request_of_a_connection_is_not_waited_for_either(server: Server) -> None:
    head = f"127.0.0.1:{server.port}\r\nX-Designer-Token: {server.application.token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as slow:
        slow.sendall(BEGUN + head.encode())
        answer = b""
        while b"pipelines" not in answer:
            answer += slow.recv(10_000)
        slow.setblocking(False)
        slow.sendall(BEGUN)
        wait_for(lambda: is_closed(slow))


@pytest.mark.parametrize("server", [SHORT_HEAD], indirect=True)
def test_a_long_body_is_not_cut_off(server: Server) -> None:
    body = b"{" + b" " * 500_000
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as slow:
        slow.sendall(body_of(server, "/api/validate", "application/json", len(body)))
        for start in range(0, len(body), 25_000):  # longer than a head may take
            slow.sendall(body[start : start + 25_000])
            select.select([slow], [], [], 0.075)
        assert slow.recv(1000).startswith(b"HTTP/1.1 200")


BODIES = (
    ("/api/validate", "application/json"),
    ("/api/datasets?name=slow", "application/zip"),
    ("/api/replays", "application/zip"),
)


@pytest.fixture
def bodies(server: Server) -> Iterator[list[socket.socket]]:
    """Sixty connections that have begun to send a body."""
    with ExitStack() as open_ones:
        made = [
            open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(60)
        ]
        for number, connection in enumerate(made):
            path, kind = BODIES[number % len(BODIES)]
            length = 10**9 if "datasets" in path else 10**6
            connection.sendall(body_of(server, path, kind, length) + b"{")
        yield made


def is_nothing_left(server: Server) -> bool:
    """Whether no file is there of uploads that were broken off."""
    return not list(server.application.settings.workspace.cache_dir.glob(".upload-*"))


@pytest.mark.parametrize("server", [SHORT_BODY], indirect=True)
def test_bodies_that_stop_are_not_waited_for(
    server: Server, client: Client, bodies: list[socket.socket]
) -> None:
    wait_for(lambda: all(map(is_closed, bodies)))
    wait_for(lambda: is_nothing_left(server))
    assert client.get("/api/datasets").json["datasets"] == []


@pytest.mark.parametrize("server", [FAST_BODY], indirect=True)
def test_bodies_that_come_byte_by_byte_are_not_waited_for(
    server: Server, client: Client, bodies: list[socket.socket]
) -> None:
    def are_closed() -> bool:
        for connection in bodies:
            with suppress(OSError):  # closed
                connection.send(b" ")
        return all(map(is_closed, bodies))

    wait_for(are_closed)
    wait_for(lambda: is_nothing_left(server))
    assert client.get("/api/datasets").json["datasets"] == []


@pytest.mark.parametrize("server", [SHORT_HEAD], indirect=True)
def test_what_follows_an_answer_is_not_waited_for(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as slow:
        slow.sendall(body_of(server, "/api/nothing-there", "application/json", 10**6) + b"{")
        assert slow.recv(1000).startswith(b"HTTP/1.1 404")

        def is_hung_up() -> bool:
            with suppress(OSError):
                slow.send(b" ")
            return is_closed(slow)

        wait_for(is_hung_up)


@pytest.mark.parametrize("server", [SHORT_BODY], indirect=True)
def test_the_second_of_two_requests_in_one_packet_is_watched_too(server: Server) -> None:
    first = body_of(server, "/api/validate", "application/json", 2) + b"{}"
    second = body_of(server, "/api/validate", "application/json", 10**6) + b"{"
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as slow:
        slow.sendall(first + second)
        answer = b""
        while part := _received(slow):
            answer += part
        assert answer.count(b"HTTP/1.1 ") == 1


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(10_000)
    except ConnectionResetError:
        return b""


# the pace of a body, without a clock


def is_cut_off(parts: list[tuple[float, int]], *, is_reading: bool = True) -> bool:
    """Whether a body is given up of which so many bytes come after so many seconds each."""
    clock = BodyClock(ConnectionLimits())
    for seconds, num_bytes in parts:
        for _ in range(int(seconds)):
            if clock.is_late(1.0, is_reading=is_reading, is_answered=False):
                return True
        clock.received(num_bytes)
    return False


@pytest.mark.parametrize(
    ("parts", "is_late"),
    [
        ([(1, 600)] * 100_000, False),  # 27 hours at 600 bytes a second
        ([(29, 64_000)] * 5_000, False),  # 40 hours with long pauses
        ([(50, 0)], True),  # nothing for half a minute
        ([(1, 1)] * 59, False),  # a minute of grace
        ([(1, 1)] * 61, True),
        ([(1, 10**9), *[(1, 1)] * 121], True),  # bytes of earlier do not count
    ],
)
def test_the_pace_of_a_body_counts_and_not_its_time(
    parts: list[tuple[float, int]], is_late: bool
) -> None:
    assert is_cut_off(parts) == is_late
    assert not is_cut_off(parts, is_reading=False)  # a server that takes nothing waits for itself
