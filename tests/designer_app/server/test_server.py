"""The server as a user starts it: its address, its manners, its end."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from designer_app.application import workspace_token
from designer_app.editor.static_files import bundle
from designer_app.security.credentials import Credentials
from designer_app.server.server import listen
from pipelines.execution.runner_lock import announce, try_lock
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.http import Client
from tests.designer_app.server.app_process import COMMAND, app
from tests.polling import wait_for
from tests.project.source import ROOT


def get(port: int, path: str, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


@pytest.mark.parametrize(
    "ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.extended)]
)
def test_it_serves_pages_and_ends_in_order(tmp_path: Path, ending: signal.Signals) -> None:
    with app(tmp_path) as (process, port):
        assert get(port, "/")[0] == 401
        assert get(port, "/_stcore/health")[0] == 401
        token = {"X-Designer-Token": workspace_token(Workspace.at(tmp_path / "workspace"))}
        assert get(port, "/_stcore/health", **token)[0] == 200
        built = bundle()
        design, home = (get(port, path, **token)[1].decode() for path in ("/design", "/"))
        assert built is not None
        assert f'"{built["js"]}"' in design
        assert f'rel="prefetch" as="script" crossorigin href="{built["js"]}"' in home
        assert all("BACKEND_BASE_URL" in page for page in (design, home))
        assert get(port, "/api/pipelines")[0] == 401
        assert get(port, "/_stcore/metrics")[0] == 404
        assert get(port, "/", Host="evil.example")[0] == 403
        process.send_signal(ending)
        assert process.wait(timeout=120) == 0
    said = (tmp_path / "out.txt").read_text()
    assert "Traceback" not in said
    assert "has stopped" in said or ending == signal.SIGTERM


@pytest.mark.extended
def test_an_open_stream_ends_with_the_server_and_in_order(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    lock = try_lock(workspace.runner_lock_path)  # no runner executes the run: it stays open
    assert lock is not None
    announce(workspace)
    runs = WorkspaceSession(workspace).runs
    run_id = runs.store.create(document(), ["two"], name="n", experiment="e")
    runs.database.close()
    with app(tmp_path) as (process, port):
        client = Client(port, workspace_token(workspace))
        listed = client.get("/api/runs").json["runs"]  # what a stream needs is loaded now
        assert [each["headline"] for each in listed] == [None]
        with client.stream(f"/api/runs/{run_id}/events") as messages:
            assert [next(messages).kind, next(messages).kind] == ["snapshot", "curves"]
            process.send_signal(signal.SIGTERM)
            assert list(messages) == []
        assert process.wait(timeout=120) == 0
    lock.close()
    said = (tmp_path / "out.txt").read_text()
    assert "Traceback" not in said
    assert "Cancel" not in said


@pytest.mark.extended
def test_a_request_that_takes_too_long_is_broken_off_without_a_traceback(tmp_path: Path) -> None:
    with app(tmp_path) as (process, port):
        token = workspace_token(Workspace.at(tmp_path / "workspace"))
        head = (
            f"POST /api/forecast HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"X-Designer-Token: {token}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
        )
        with socket.create_connection(("127.0.0.1", port)) as waiting:
            waiting.sendall(head.encode())
            assert get(port, "/_stcore/health", **{"X-Designer-Token": token})[0] == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=120) == 0
    said = (tmp_path / "out.txt").read_text()
    assert "running task" in said
    assert "Traceback" not in said


def test_the_first_line_is_the_address_with_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESIGNER_ALLOWED_HOSTS", "lab.example:443")
    with app(tmp_path) as (process, port):
        said = tmp_path / "out.txt"
        wait_for(lambda: "lab.example:443" in said.read_text())
        first, *others = said.read_text().splitlines()
        address = f"Pipeline Designer: http://127.0.0.1:{port}/"
        assert first.startswith(f"{address}?code=")
        code = first.removeprefix(f"{address}?")
        status, page = get(port, f"/?{code}", Host="lab.example:443")
        assert (status, b"location.replace" in page) == (200, True)
        command_line = Path(f"/proc/{process.pid}/cmdline")
        if command_line.exists():
            assert code.encode() not in command_line.read_bytes()
        assert any(f"lab.example:443: add /?{code}" in each for each in others)
    assert not list((tmp_path / "workspace").glob(".designer-opening-*"))


@pytest.mark.parametrize("command", [["app", "--no-browser"], ["runs", "list"]])
def test_a_workspace_that_cannot_be_made_is_told_with_its_cure(
    command: list[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "workspace"
    done = subprocess.run(
        [*COMMAND, *command, "--workspace", str(place)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 1
    assert f"Cannot create the workspace {place}: Not a directory." in done.stderr
    assert "Choose a folder with write permission with --workspace" in done.stderr


@contextmanager
def _taken(port: int) -> Iterator[None]:
    """Nobody can have the port inside; somebody else's app may let go of it only now."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        wait_for(lambda: _is_bound(taken, port))
        taken.listen()
        yield


def _is_bound(taken: socket.socket, port: int) -> bool:
    try:
        taken.bind(("127.0.0.1", port))
    except OSError:
        return False
    return True


def test_it_listens_on_this_machine_only_and_finds_a_free_port(tmp_path: Path) -> None:
    import psutil

    with _taken(8501), app(tmp_path) as (process, port):
        assert port != 8501
        listening = [
            each.laddr
            for each in psutil.Process(process.pid).net_connections("tcp")
            if each.status == psutil.CONN_LISTEN
        ]
        assert [each.ip for each in listening] == ["127.0.0.1"]
        done = subprocess.run(
            [*COMMAND, "app", "--workspace", str(tmp_path / "w"), "--port", str(port)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=120,
            check=False,
        )
        assert done.returncode == 1
        assert "--port" in done.stderr


def test_no_answer_waits_for_its_head_to_be_acknowledged() -> None:
    # asyncio sets TCP_NODELAY on the connections of sockets that say what they speak
    with listen(0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_only_a_page_of_ours_in_a_browser_that_was_let_in_opens_the_websocket(
    tmp_path: Path,
) -> None:
    with app(tmp_path) as (_, port):
        credentials = Credentials(workspace_token(Workspace.at(tmp_path / "workspace")), port)
        here = f"Origin: http://127.0.0.1:{port}\r\n"
        cookie = f"Cookie: {credentials.cookie_name}={credentials.cookie_value}\r\n"
        tried = {
            "": 403,
            here: 403,
            cookie: 403,
            cookie + "Origin: http://evil.example\r\n": 403,
            cookie + "Origin: http://127.0.0.1:1\r\n": 403,
            cookie + here: 101,
        }
        for headers, status in tried.items():
            head = (
                f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}"
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                "Sec-WebSocket-Protocol: streamlit\r\n\r\n"
            )
            with socket.create_connection(("127.0.0.1", port), timeout=120) as connection:
                connection.sendall(head.encode())
                assert str(status).encode() in connection.recv(100).split(b"\r\n")[0], headers


def test_the_help_names_the_app_and_loads_nothing_heavy() -> None:
    done = subprocess.run([*COMMAND, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert "app " in done.stdout
    program = "import designer_app.command, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True
    )
    assert not {"streamlit", "starlette", "torch", "pandas"} & set(loaded.stdout.split())


def test_the_bundle_is_found_by_its_manifest(tmp_path: Path) -> None:
    assert bundle(tmp_path) is None
    (tmp_path / "manifest.json").write_text('{"src/main.tsx": {"file": "editor-abc.js"}}')
    assert bundle(tmp_path) is None
    (tmp_path / "editor-abc.js").write_text("export default () => {}")
    assert bundle(tmp_path) == {"js": "/ui/editor-abc.js", "css": []}
    (tmp_path / "manifest.json").write_text("[")
    assert bundle(tmp_path) is None
