"""A workspace that is removed stays removed: nothing that still lives makes it again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from modules.operating_system.processes import descendants
from pipelines.execution.runner_lock import current_runner
from pipelines.workspace import Workspace
from tests import toy
from tests.designer_app.documents import document, slow
from tests.designer_app.server.app_process import COMMAND, app, client_of, save
from tests.polling import wait_for
from tests.project.source import ROOT

pytestmark = pytest.mark.extended

PATHS = ("/api/pipelines", "/api/runs", "/api/modules", "/api/datasets", "/api/replays")


@contextmanager
def waiting(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that waits for a run of minutes."""
    path = folder / "pipeline.json"
    path.write_text(json.dumps(slow(300)))
    process = subprocess.Popen(
        [*COMMAND, "run", str(path)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def remove(folder: Path) -> None:
    """As ``rm -rf`` does, again and again where somebody still writes into it."""

    def is_removed() -> bool:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    wait_for(is_removed)


def test_nobody_makes_it_again(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "workspace").make()
    toy.install(workspace.modules_dir)
    with app(tmp_path) as (process, port), waiting(tmp_path) as command, ExitStack() as streams:
        client = client_of(tmp_path, port)
        save(client, "one")
        wait_for(lambda: list(workspace.runs_dir.glob("*/nap/attempt-1/*")))
        run_id = client.get("/api/runs").json["runs"][0]["run_id"]
        streams.enter_context(client.stream(f"/api/runs/{run_id}/events"))
        info = current_runner(workspace)
        assert info is not None
        family = [info.identity, *descendants(info.pid)]
        remove(workspace.root)
        _, said = command.communicate(timeout=120)
        assert command.returncode == 1
        assert "was deleted" in said
        assert "Traceback" not in said
        wait_for(lambda: not any(each.is_alive for each in family), 30)
        for path in PATHS:
            client.get(path)
        answer = client.post("/api/pipelines", document("two"))
        assert (answer.status, answer.error) == (503, "workspace")
        assert "was deleted" in answer.json["error"]["message"]
        client.post("/api/forecast", document("two"))
        client.post("/api/runs", {"document": document("two")})
        assert process.poll() is None
        assert not workspace.root.exists()
        process.terminate()
        process.wait(timeout=120)
    assert "Traceback" not in (tmp_path / "out.txt").read_text()
    assert not workspace.root.exists()
