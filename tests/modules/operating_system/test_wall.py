from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from modules.operating_system.wall import can_wall, wall

needs_wall = pytest.mark.skipif(
    not (can_wall(network=True) and can_wall(network=False)), reason="bubblewrap does not run here"
)
CONNECT = """
import socket
with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    socket.create_connection(server.getsockname()).close()
    print(server.getsockname()[1], end=" ")
try:
    socket.create_connection(("192.0.2.1", 9), timeout=5)
except OSError as error:
    print(error.strerror)
"""


def run(code: str, packages: list[Path], *, network: bool, cwd: Path) -> str:
    command = wall([sys.executable, "-c", code], packages, network=network)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    return (done.stdout + done.stderr).strip()


def test_there_is_no_wall_where_bubblewrap_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    can_wall.cache_clear()
    assert not can_wall(network=True)
    can_wall.cache_clear()


@needs_wall
def test_packages_cannot_be_written_and_all_else_can(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    write = "open('packages/new', 'w')"
    assert "Read-only file system" in run(write, [packages], network=True, cwd=tmp_path)
    assert run("open('new', 'w').write('1')", [packages], network=True, cwd=tmp_path) == ""
    assert (tmp_path / "new").read_text(encoding="utf-8") == "1"


@needs_wall
def test_without_a_network_there_is_loopback_alone(tmp_path: Path) -> None:
    port, _, said = run(CONNECT, [], network=False, cwd=tmp_path).partition(" ")
    assert port.isdigit()
    assert said == "Network is unreachable"
