"""Files that a step's own processes write: seen while they run and afterwards, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.runs.step_files import StepFiles
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish
from tests.pipelines.execution.test_crashes import wait_for

WRITE = '''
import time
from modules import AnyDirectory, Context, module


@module(title="Write", category="Own", summary="Write files.", stoppable=True)
def write(context: Context) -> AnyDirectory:
    """Write outputs and logs, and a link to what is nobody's business."""
    for place in ("node-0", "node-1"):
        for name in ("outputs", "logs", "source"):
            folder = context.attempt_dir / "working" / place / name
            folder.mkdir(parents=True)
            (folder / "here.txt").write_text(f"{place} {name}")
    (context.attempt_dir / "working" / "inputs" / "images").mkdir(parents=True)
    link = context.attempt_dir / "working/node-0/outputs/link.txt"
    link.symlink_to(context.attempt_dir / "step.json")
    while not context.stop_requested:
        context.progress(1, 2, "files")
        time.sleep(0.01)
    folder = context.new_folder()
    (folder / "data").mkdir()
    return AnyDirectory.write(folder)
'''
WRITTEN = ["logs/here.txt", "node-1/logs/here.txt", "node-1/outputs/here.txt", "outputs/here.txt"]


@pytest.fixture
def writing(runs: RunService) -> str:
    """A run whose only step has written its files and waits."""
    (runs.workspace.modules_dir / "write.py").write_text(WRITE, encoding="utf-8")
    run_id = runs.submit(RunRequest(build({}, {"own": {"module": "write"}})))
    wait_for(lambda: runs.store.state(run_id).steps["own"].progress is not None)
    return run_id


def test_files_are_seen_while_the_step_runs(runs: RunService, writing: str, tmp_path: Path) -> None:
    listed = json.loads(designer(runs, "runs", "files", writing, "own", "--json").output)
    assert [each["path"] for each in listed["files"]] == WRITTEN
    to = str(tmp_path / "copies")
    done = designer(runs, "runs", "download", writing, "own", "outputs/here.txt", "--to", to)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "copies" / "here.txt").read_text() == "node-0 outputs"
    for path in ("outputs/none.txt", "source/here.txt", "outputs/link.txt"):
        assert designer(runs, "runs", "download", writing, "own", path).exit_code == 1
    runs.stop_and_keep(writing)
    assert finish(runs, writing).status == "completed"


@pytest.mark.parametrize(
    "path",
    ["../step.json", "outputs/../../../step.json", "/etc/hostname", "", "outputs", "step.json"],
)
def test_nothing_else_is_given(runs: RunService, path: str) -> None:
    record = runs.store.create({}, ["own"], name="n", experiment="e")
    node_dir = runs.workspace.node_dir(record, "own")
    (node_dir / "attempt-0" / "working" / "node-0" / "outputs").mkdir(parents=True)
    (node_dir / "attempt-0" / "step.json").write_text("{}")
    assert StepFiles(runs, record, "own").find(path) is None
