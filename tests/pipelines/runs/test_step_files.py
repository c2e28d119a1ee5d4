"""Files that a step's own processes write: seen while they run and afterwards, and no others."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from modules.errors import ModuleOutOfMemoryError
from modules.foreign_model import ForeignModel
from pipelines.errors import NotFoundError, RefusedError
from pipelines.registry.models import ModelRegistry
from pipelines.registry.written_files import register_file
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.runs.step_files import StepFiles
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import build, finish
from tests.polling import wait_for
from tests.workspaces import store_without_runner

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
    assert [file["path"] for file in listed["files"]] == WRITTEN
    to = str(tmp_path / "copies")
    done = designer(runs, "runs", "download", writing, "own", "outputs/here.txt", "--to", to)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "copies" / "here.txt").read_text() == "node-0 outputs"
    for path in ("outputs/none.txt", "source/here.txt", "outputs/link.txt"):
        assert designer(runs, "runs", "download", writing, "own", path).exit_code == 1
    runs.stop_and_keep(writing)
    assert finish(runs, writing).status == "completed"


def test_a_file_is_kept_as_a_model_while_the_step_runs_and_stays(
    runs: RunService, writing: str
) -> None:
    file = ("--node", "own", "--file", "outputs/here.txt")
    for version in (1, 2):
        done = designer(runs, "models", "register", "own", writing, *file)
        assert f"own@{version}" in done.output
    absent = designer(runs, "models", "register", "own", writing, "--file", "outputs/here.txt")
    assert "--file requires --node" in absent.output
    runs.stop_and_keep(writing)
    finish(runs, writing)
    runs.runner.stop()
    for command in (("runs", "delete", writing, "--yes"), ("gc",)):
        done = designer(runs, *command)
        assert done.exit_code == 0, done.output
    registry = ModelRegistry(runs.database, runs.artifacts)
    first, second = (registry.find(f"own@{item}") for item in (1, 2))
    assert first.version.artifact == second.version.artifact
    assert isinstance(first.artifact, ForeignModel)
    assert first.artifact.main_path.read_text() == "node-0 outputs"
    assert runs.artifacts.verify(first.version.artifact.split("/")[0]) == []


@pytest.fixture
def weights(runs: RunService, tmp_path: Path) -> Callable[..., object]:
    """Registers a file; whatever goes wrong, nothing half-made is left."""
    registry = ModelRegistry(runs.database, runs.artifacts)
    run_id = store_without_runner(runs).create({}, ["own"], name="n", experiment="e")
    file = tmp_path / "weights.bin"
    file.write_bytes(b"first half")
    return partial(register_file, registry, file, run_id, "own")


@pytest.mark.parametrize(
    ("trouble", "raised", "said"),
    [
        (lambda file, _: file.write_bytes(b"both halves"), RefusedError, "being written"),
        (lambda file, _: (file.unlink(), file.stat()), NotFoundError, "no longer exists"),
        (lambda *_: _full(), ModuleOutOfMemoryError, "full"),
    ],
)
def test_what_goes_wrong_while_it_is_copied_leaves_nothing(
    runs: RunService,
    weights: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[Path, Path], object],
    raised: type[Exception],
    said: str,
) -> None:
    monkeypatch.setattr("pipelines.registry.model_files.shutil.copyfile", trouble)
    with pytest.raises(raised, match=said):
        weights("own")
    assert list(runs.artifacts.root.iterdir()) == []
    with pytest.raises(RefusedError):
        weights("own", alias="1")


def _full() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    "path",
    ["../step.json", "outputs/../../../step.json", "/etc/hostname", "", "outputs", "step.json"],
)
def test_nothing_else_is_given(runs: RunService, path: str) -> None:
    record = store_without_runner(runs).create({}, ["own"], name="n", experiment="e")
    node_dir = runs.workspace.node_dir(record, "own")
    (node_dir / "attempt-0" / "working" / "node-0" / "outputs").mkdir(parents=True)
    (node_dir / "attempt-0" / "step.json").write_text("{}")
    assert StepFiles(runs, record, "own").find(path) is None
