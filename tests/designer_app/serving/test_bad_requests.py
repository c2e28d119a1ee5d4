"""Requests that an endpoint refuses, and callers that it survives."""

from __future__ import annotations

import base64
import io
import json
import socket
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest
from PIL import Image

from designer_app.serving.settings import EndpointSettings, ServingLimits
from designer_app.settings import ConnectionLimits
from pipelines.registry.caller_keys import CallerKeys, digest_of
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.designer_app.serving.endpoints import Caller, Reply, Running, picture, running
from tests.polling import wait_for

KEY = "a-key-of-this-test-only"


def png_header(width: int, height: int) -> bytes:
    """A PNG file that announces a size and has next to no pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checked = kind + content
        return struct.pack(">I", len(content)) + checked + struct.pack(">I", zlib.crc32(checked))

    facts = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", facts) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def of_mode(mode: str) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, (50, 40)).save(buffer, "TIFF" if mode == "CMYK" else "PNG")
    return buffer.getvalue()


def not_a_number() -> bytes:
    buffer = io.BytesIO()
    Image.new("F", (50, 40), float("nan")).save(buffer, "TIFF")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"plain text, not a picture", 422),
        (picture(1)[:300], 422),
        (picture(1)[:-40], 422),
        (png_header(60_000, 60_000), 422),
        (png_header(9_000, 9_000), 422),
        (picture(1, kind="PNG")[:-60], 422),
        (b"\xff\xd8\xff\xe0" + bytes(500), 422),
        (b"GIF89a" + bytes(20), 422),
        (not_a_number(), 422),
    ],
    ids=["empty", "text", "cut", "tail", "bomb", "large", "png", "zeros", "gif", "nan"],
)
def test_bodies_that_are_no_picture(caller: Caller, body: bytes, status: int) -> None:
    reply = caller.score(body)
    assert reply.status == status
    assert reply.error
    assert caller.score(picture(1)).status == 200


@pytest.mark.parametrize("mode", ["CMYK", "I;16", "1", "LA", "P"])
def test_odd_modes_are_answered(caller: Caller, mode: str) -> None:
    assert caller.score(of_mode(mode), "image/tiff").status == 200


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"image": NaN}', "application/json", 400),
        (b'{"image": "*"}', "application/json", 422),
        (b'{"instances": []}', "application/json", 422),
        (b'{"instances": [1]}', "application/json", 400),
        (json.dumps({"instances": ["AA=="] * 65}).encode(), "application/json", 413),
        (b"[" * 100_000, "application/json", 400),
        (b"no boundary", "multipart/form-data", 400),
        (b"--X--\r\n", "multipart/form-data; boundary=X", 422),
        (b"a=b", "application/x-www-form-urlencoded", 415),
        (b"x", "", 415),
    ],
)
def test_bodies_of_another_form(
    caller: Caller, body: bytes, content_type: str, status: int
) -> None:
    reply = caller.score(body, content_type)
    assert reply.status == status, reply.body
    assert reply.error


def test_100_megabytes_are_refused_before_they_are_read(caller: Caller) -> None:
    with socket.create_connection(("127.0.0.1", caller.port), timeout=30) as connection:
        connection.sendall(
            f"POST /score HTTP/1.1\r\nHost: 127.0.0.1:{caller.port}\r\n"
            "Content-Type: image/jpeg\r\nContent-Length: 100000000\r\n\r\n".encode()
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")


def test_a_client_that_sends_100_megabytes_at_once_reads_the_reason(caller: Caller) -> None:
    reply = caller.score(bytes(100_000_000))
    assert reply.status == 413
    assert reply.error == "too_large"


def test_an_endless_body_without_a_length_is_cut(caller: Caller) -> None:
    with socket.create_connection(("127.0.0.1", caller.port), timeout=30) as connection:
        connection.sendall(
            f"POST /score HTTP/1.1\r\nHost: 127.0.0.1:{caller.port}\r\n"
            "Content-Type: image/jpeg\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        part = b"100000\r\n" + bytes(2**20) + b"\r\n"
        answer = b""
        with suppress(OSError):
            for _ in range(64):
                connection.sendall(part)
        with suppress(OSError):
            answer = connection.recv(4096)
        assert answer == b"" or answer.startswith(b"HTTP/1.1 413")
    assert caller.score(picture(1)).status == 200


def test_other_hosts_and_sites(caller: Caller) -> None:
    body = picture(1)
    assert caller.score(body, Host="evil.example").error == "wrong_host"
    assert caller.score(body, Origin="https://evil.example").error == "wrong_origin"
    assert caller.score(body, Sec_Fetch_Site="cross-site").error == "wrong_origin"
    assert caller.get("/nothing").error == "not_found"
    assert caller.send("DELETE", "/score").error == "not_found"


# keys


@pytest.fixture(scope="module")
def locked(place: Workspace, runs: RunService) -> Iterator[Running]:
    """An endpoint with a key from its command line."""
    assert runs.workspace == place
    settings = EndpointSettings(place, "m@1", "locked", key_digests=(digest_of(KEY),))
    with running(settings) as made:
        yield made


def test_a_missing_or_wrong_key(locked: Running) -> None:
    port = locked.settings.port
    for key in (None, "wrong", "", KEY[:-1], KEY + "x", "k\xe9y"):
        reply = Caller(port, key).score(picture(1))
        assert (reply.status, reply.error) == (401, "wrong_key")
        assert reply.headers["www-authenticate"] == "Bearer"
    for path in ("/metrics", "/status", "/log"):
        assert Caller(port).get(path).status == 401
    for path in ("/health/ready", "/", "/page.js", "/page.css"):
        assert Caller(port).get(path).status == 200
    assert Caller(port, KEY).score(picture(1)).status == 200


def test_keys_are_rotated_one_at_a_time_while_it_runs(locked: Running, runs: RunService) -> None:
    port, keys = locked.settings.port, CallerKeys(runs.database, "endpoint:locked")
    first, second = keys.rotate(1), keys.rotate(2)
    wait_for(lambda: Caller(port, second).get("/status").status == 200)
    assert Caller(port, first).get("/status").status == 200
    third = keys.rotate(1)
    wait_for(lambda: Caller(port, first).get("/status").status == 401)
    assert Caller(port, second).get("/status").status == 200
    assert Caller(port, third).get("/status").status == 200
    stored = "".join(keys.digests())
    assert third not in stored
    keys.clear()


# load


@pytest.fixture
def small(place: Workspace, runs: RunService) -> Iterator[Running]:
    """An endpoint that waits for few pictures, and not for slow senders."""
    assert runs.workspace == place
    limits = ServingLimits(queue_pictures=8, buffered_bytes=2**20)
    slow = ConnectionLimits(head_seconds=0.5, body_idle_seconds=0.5, check_seconds=0.1)
    with running(
        EndpointSettings(place, "m@1", "m", limits=limits, connection_limits=slow)
    ) as made:
        yield made


@contextmanager
def held(endpoint: Running) -> Iterator[Callable[[], bool]]:
    """The thread of the model does nothing until the block ends; whether a batch waits for it."""
    model = endpoint.server.endpoint.versions.current
    assert model is not None
    assert model._thread is not None
    over = threading.Event()
    model._thread.submit(over.wait)
    waiting = model._thread._work_queue
    wait_for(lambda: waiting.qsize() == 0)
    try:
        yield lambda: waiting.qsize() > 0
    finally:
        over.set()


def test_a_full_queue_says_when_to_come_again(small: Running) -> None:
    replies: list[Reply] = []
    threads = [
        threading.Thread(target=lambda: replies.append(small.caller.score(picture(1))))
        for _ in range(30)
    ]
    with held(small):
        for thread in threads:
            thread.start()
        wait_for(lambda: len(replies) == 22)
        assert {reply.status for reply in replies} == {503}
        assert {reply.error for reply in replies} == {"busy"}
        assert {reply.headers["retry-after"] for reply in replies} == {"1"}
        assert small.server.endpoint.queue.num_admitted == 8
    for thread in threads:
        thread.join()
    assert [reply.status for reply in replies[22:]] == [200] * 8
    assert small.caller.score(picture(1)).status == 200


def test_a_request_that_waits_too_long_is_given_up(place: Workspace, runs: RunService) -> None:
    assert runs.workspace == place
    limits = ServingLimits(deadline_seconds=0.3)
    with running(EndpointSettings(place, "m@1", "m", limits=limits)) as endpoint:
        with held(endpoint):
            reply = endpoint.caller.score(picture(1))
            assert (reply.status, reply.error) == (504, "timed_out")
        wait_for(lambda: endpoint.caller.score(picture(1)).status == 200)


def test_a_caller_that_leaves_is_dropped_from_the_queue(small: Running) -> None:
    statistics, queue = small.server.endpoint.statistics, small.server.endpoint.queue
    body = picture(1)
    first = threading.Thread(target=small.caller.score, args=(body,))
    with held(small) as has_batch:
        first.start()
        wait_for(has_batch)
        with ExitStack() as stack:
            for _ in range(6):
                connection = stack.enter_context(
                    socket.create_connection(("127.0.0.1", small.settings.port))
                )
                connection.sendall(
                    f"POST /score HTTP/1.1\r\nHost: 127.0.0.1:{small.settings.port}\r\n"
                    f"Content-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                    + body
                )
            wait_for(lambda: queue.num_admitted == 7)
        wait_for(lambda: statistics.num_left == 6)
        assert queue.num_admitted == 1
    first.join()
    assert small.caller.score(body).status == 200
    assert statistics.num_pictures == 2  # the first one and the last one


def test_slow_bodies_are_closed(small: Running) -> None:
    with socket.create_connection(("127.0.0.1", small.settings.port), timeout=20) as connection:
        connection.sendall(
            f"POST /score HTTP/1.1\r\nHost: 127.0.0.1:{small.settings.port}\r\n"
            "Content-Type: image/jpeg\r\nContent-Length: 1000\r\n\r\nabc".encode()
        )
        with suppress(ConnectionResetError):
            assert connection.recv(100) == b""


def test_a_thousand_idle_connections_block_nobody(small: Running) -> None:
    with ExitStack() as stack:
        for _ in range(1000):
            stack.enter_context(socket.create_connection(("127.0.0.1", small.settings.port)))
        assert small.caller.score(picture(1)).status == 200


def test_bodies_together_are_bounded(small: Running) -> None:
    gate = small.server.gate
    half = 300_000
    with ExitStack() as stack:
        for _ in range(4):
            connection = stack.enter_context(
                socket.create_connection(("127.0.0.1", small.settings.port))
            )
            connection.sendall(
                f"POST /score HTTP/1.1\r\nHost: 127.0.0.1:{small.settings.port}\r\n"
                f"Content-Type: image/jpeg\r\nContent-Length: {2 * half}\r\n\r\n".encode()
                + bytes(half)
            )
        wait_for(lambda: gate._buffered > 0)
        assert gate._buffered < 2**21
    wait_for(lambda: gate._buffered == 0)
    assert small.caller.score(picture(1)).status == 200


def test_nothing_is_left_of_many_bad_requests(caller: Caller, endpoint: Running) -> None:
    for number in range(40):
        caller.score(picture(number)[: 10 * number])
        caller.post("/score", {"image": base64.b64encode(bytes(number)).decode()})
    assert endpoint.server.endpoint.queue.num_admitted == 0
    wait_for(lambda: endpoint.server.gate._buffered == 0)  # it is released after its answer
    model = endpoint.server.endpoint.versions.current
    assert model is not None
    assert model.in_flight == 0
