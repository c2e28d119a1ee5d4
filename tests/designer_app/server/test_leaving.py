"""Clients that leave in the middle of a request, an answer or a stream, before the real server."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from designer_app.application import workspace_token
from designer_app.security.credentials import Credentials
from pipelines.execution.runner_lock import announce, try_lock
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.http import Client
from tests.designer_app.server.app_process import app
from tests.polling import wait_for

pytestmark = pytest.mark.extended

EACH = 10
"""Clients that leave from each kind of request."""


class Live(NamedTuple):
    """The app in its own process, and a run that stays under way."""

    client: Client
    workspace: Workspace
    run_id: str
    log: Path


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("leaving")
    workspace = Workspace.at(folder / "workspace").make()
    lock = try_lock(workspace.runner_lock_path)  # no runner executes the run: it stays open
    assert lock is not None
    announce(workspace)
    runs = WorkspaceSession(workspace).runs
    run_id = runs.store.create(document(), ["two"], name="n", experiment="e")
    runs.database.close()
    with app(folder) as (_, port):
        yield Live(Client(port, workspace_token(workspace)), workspace, run_id, folder / "out.txt")
    lock.close()


def test_nobody_who_leaves_is_a_traceback(live: Live) -> None:
    port = live.client.port
    beginnings = (
        (_head(live, "POST", "/api/validate", "application/json") + b"{", nothing),
        (_head(live, "POST", "/api/datasets?name=x", "application/zip") + b"PK", nothing),
        (_head(live, "POST", "/api/replays", "application/zip") + b"PK", nothing),
        (_head(live, "GET", f"/api/runs/{live.run_id}/events"), until(b"curves")),
        (_head(live, "GET", "/api/modules"), nothing),
        (_head(live, "GET", "/design"), until(b"200 OK")),
        (_web_socket(live), until(b"101 Switching Protocols")),
    )
    with ExitStack() as open_ones:
        clients = [
            (open_ones.enter_context(socket.create_connection(("127.0.0.1", port), 120)), *each)
            for each in beginnings
            for _ in range(EACH)
        ]
        for client, begun, _ in clients:
            client.sendall(begun)
        for client, _, seen in clients:
            seen(client)
        uploads = wait_for(lambda: _uploads(live) or None)
        assert len(uploads) <= EACH
        for number, (client, *_) in enumerate(clients):
            if number % 2:  # the others end in order: both ways a browser leaves
                reset = struct.pack("ii", 1, 0)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            client.close()
    wait_for(lambda: not _uploads(live))
    assert live.client.get("/api/datasets").json["datasets"] == []
    assert live.client.post("/api/validate", document()).status == 200
    said = live.log.read_text()
    assert "Traceback" not in said
    assert "ClientDisconnect" not in said


def nothing(_: socket.socket) -> None:
    """The client leaves as soon as it has sent."""


def until(word: bytes) -> Callable[[socket.socket], None]:
    """The client leaves in the middle of the answer: after a word of it."""

    def read(client: socket.socket) -> None:
        seen = b""
        while word not in seen:
            part = client.recv(4096)
            assert part, seen
            seen += part

    return read


def _head(live: Live, method: str, path: str, content_type: str = "") -> bytes:
    body = f"Content-Type: {content_type}\r\nContent-Length: 100000\r\n" if content_type else ""
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{live.client.port}\r\n"
        f"X-Designer-Token: {live.client.token}\r\n{body}\r\n"
    ).encode()


def _web_socket(live: Live) -> bytes:
    """Of a page of Streamlit's; its cookie is that of a browser which was let in."""
    credentials = Credentials(live.client.token, live.client.port)
    host = f"127.0.0.1:{live.client.port}"
    return (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
        f"Cookie: {credentials.cookie_name}={credentials.cookie_value}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


def _uploads(live: Live) -> list[Path]:
    return [path for path in live.workspace.cache_dir.glob(".upload-*") if path.is_dir()]
