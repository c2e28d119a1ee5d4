"""The app and the command, started in a folder as a user starts them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.store.database.pipelines import PipelineStore
from pipelines.workspace import Workspace
from tests.designer_app.documents import document
from tests.designer_app.http import Client
from tests.polling import wait_for
from tests.project.source import ROOT

COMMAND = (sys.executable, "-m", "designer_app.command")


@contextmanager
def app(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start the app in a folder, and yield its process and port."""
    arguments = [*COMMAND, "app", "--workspace", str(folder / "workspace"), "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (folder / "out.txt").open("w") as out:
        process = subprocess.Popen(
            [*arguments, *options],
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        text = wait_for(
            lambda: re.search(r"http://127\.0\.0\.1:(\d+)", (folder / "out.txt").read_text())
        )
        yield process, int(text.group(1))
    finally:
        process.kill()
        process.wait()


def designer(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the designer in a folder."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def client_of(folder: Path, port: int) -> Client:
    """Return a client with the token of the folder's workspace."""
    return Client(port, (folder / "workspace" / "token").read_text())


@contextmanager
def opened(folder: Path) -> Iterator[RunService]:
    """Yield the runs of the folder's workspace."""
    runs = WorkspaceSession(Workspace.at(folder / "workspace")).runs
    try:
        yield runs
    finally:
        runs.database.close()


def saved(folder: Path) -> set[str]:
    """Return the ids of the pipelines that the folder's workspace has saved."""
    with opened(folder) as runs:
        return {each.id for each in PipelineStore(runs.database).all()}


def save(client: Client, *names: str) -> None:
    """Save a small pipeline under each of these ids."""
    for name in names:
        assert client.post("/api/pipelines", document(name)).status == 201
