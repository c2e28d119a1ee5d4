"""``designer score --target``: a run scores the folder; the command follows or resumes it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from PIL import Image

from pipelines.cli.score_on_target import RUN_FILE, _started, scoring_document
from pipelines.events import Event
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import as_process
from tests.pipelines.registry.trained import trained_run


def _pictures(folder: Path, count: int) -> Path:
    folder.mkdir(parents=True)
    for number in range(count):
        Image.new("RGB", (32, 32), (number * 9 % 256, 40, 200)).save(folder / f"{number:03}.png")
    return folder


def _registered(runs: RunService) -> None:
    registry = ModelRegistry(runs.database, runs.artifacts)
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs))
    registry.register(artifact_id, port, "m")


def _answer(runs: RunService, *arguments: str | Path) -> dict[str, Any]:
    done = as_process(runs, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content


@pytest.mark.full  # as on this machine: tests/modules/scoring
@pytest.mark.extended
def test_a_folder_is_scored_by_a_run(tmp_path: Path, runs: RunService) -> None:
    pictures = _pictures(tmp_path / "pictures", 12)
    (pictures / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nxx")
    _registered(runs)
    command = ("score", "m", pictures, tmp_path / "out", "--target", "simulated")
    first = _answer(runs, *command)
    assert (first["images"], first["failed"], first["scored_now"]) == (13, 1, 12)
    table = pd.read_parquet(tmp_path / "out/predictions.parquet")
    assert list(table["file"]) == sorted(path.name for path in pictures.iterdir())
    assert list(table["error"].notna()) == [name == "broken.png" for name in table["file"]]
    assert len(pd.read_csv(tmp_path / "out/predictions.csv")) == 13
    assert _answer(runs, *command[:3], tmp_path / "here")["images"] == 13
    other = pd.read_parquet(tmp_path / "here/predictions.parquet")
    assert list(other.columns) == list(table.columns)
    assert list(other["label"].dropna()) == list(table["label"].dropna())
    assert _answer(runs, *command)["scored_now"] == 0
    refused = as_process(runs, *command[:-1], "nowhere")
    assert refused.returncode == 1
    assert "'nowhere' not found" in refused.stderr


def test_the_output_notes_its_run(tmp_path: Path, runs: RunService) -> None:
    _registered(runs)
    pictures, output = _pictures(tmp_path / "pictures", 1), tmp_path / "out"
    output.mkdir()
    document = scoring_document("m@1", pictures, "local")
    run_id = _started(runs, document, output)
    assert json.loads((output / RUN_FILE).read_text()) == {"run": run_id}
    assert _started(runs, document, output) == run_id  # it is followed
    runs.runner.stop()
    runs.store.append_to(run_id, [Event("RunFinished", data={"status": "cancelled"})])
    assert _started(runs, document, output) == run_id  # it is resumed
    assert not runs.store.state(run_id).is_finished
    other = scoring_document("m@1", pictures, "simulated")
    assert _started(runs, other, output) != run_id
    for content in ("", "[]", '{"run": 7}', '{"run": "../../x"}', '{"key": "x"}', '{"key": 7}'):
        (output / RUN_FILE).write_text(content)
        assert _started(runs, document, output) not in ("", "../../x")
    for started in runs.store.unfinished():
        runs.cancel(started)


KILLED = """
import os, signal, sys
from pathlib import Path
from pipelines.cli.score_on_target import _started, scoring_document
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace

workspace, pictures, output, moment = sys.argv[1:]
runs = WorkspaceSession(Workspace.at(Path(workspace))).runs
owner, name = {"before": (runs.store, "create"), "after": (runs.runner, "ensure")}[moment]
setattr(owner, name, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
_started(runs, scoring_document("m@1", Path(pictures), "local"), Path(output))
"""


@pytest.mark.extended
@pytest.mark.parametrize(("moment", "submitted"), [("before", 0), ("after", 1)])
def test_a_kill_while_it_is_submitted_starts_no_second_run(
    tmp_path: Path, runs: RunService, moment: str, submitted: int
) -> None:
    _registered(runs)
    pictures, output = _pictures(tmp_path / "pictures", 1), tmp_path / "out"
    output.mkdir()
    before = {record.id for record in runs.store.newest(limit=100)}
    places = map(str, (runs.workspace.root, pictures, output))
    command = [sys.executable, "-c", KILLED, *places, moment]
    assert subprocess.run(command, check=False, timeout=60).returncode == -signal.SIGKILL
    made = {record.id for record in runs.store.newest(limit=100)} - before
    assert len(made) == submitted
    run_id = _started(runs, scoring_document("m@1", pictures, "local"), output)
    assert {record.id for record in runs.store.newest(limit=100)} - before == {run_id}
    assert made <= {run_id}
    assert json.loads((output / RUN_FILE).read_text()) == {"run": run_id}
    runs.cancel(run_id)
