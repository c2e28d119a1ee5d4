"""A workspace with the toy modules and a server of its API."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.execution.runner_lock import announce, try_lock
from pipelines.workspace import Workspace
from tests import toy
from tests.designer_app.http import Client, Server
from tests.workspaces import empty, opened


@pytest.fixture(autouse=True)
def _program() -> Iterator[None]:
    """Streamlit's AppTest leaves its page as ``__main__``, which spawned processes would run."""
    program = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = program


@pytest.fixture(scope="module")
def workspace(shared_place: Workspace) -> Iterator[Workspace]:
    """A workspace with the toy modules, empty for each file of tests."""
    toy.install(shared_place.make().modules_dir)
    yield shared_place
    with opened(shared_place) as runs:
        empty(runs)


@pytest.fixture(scope="module")
def server(workspace: Workspace) -> Iterator[Server]:
    made = Server(workspace, data_roots=(), more_hosts=())
    yield made
    made.stop()


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[Server]:
    """A server of a workspace whose runner is this process: runs stay as a test writes them."""
    made = Workspace.at(tmp_path / "quiet").make()
    lock = try_lock(made.runner_lock_path)
    assert lock is not None
    announce(made)
    server = Server(made, data_roots=(), more_hosts=())
    yield server
    server.stop()
    lock.close()


@pytest.fixture(scope="module")
def client(server: Server) -> Client:
    return server.client
