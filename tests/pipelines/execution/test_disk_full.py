"""A disk that is really full: 0138, nothing half-written, and on it goes when there is room."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pipelines.document.document import dump_document
from pipelines.errors import WorkspaceGoneError
from pipelines.execution.disk_exhaustion import DiskExhaustion
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.report import run_report
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests import toy
from tests.modules.image_directories.pictures import png_bytes
from tests.pipelines.cli.commands import as_process
from tests.pipelines.conftest import build, finish, run, statuses
from tests.pipelines.execution.feature_storing import (
    PER_CLASS,
    heads,
    stored,
    unfinished,
    until_storing,
)
from tests.pipelines.execution.refusals import (
    assert_nothing_is_left,
    converted,
    failure,
    node,
    refused,
    wired,
)
from tests.pipelines.execution.small_trainings import pictures
from tests.small_disks import small_disk_at

pytestmark = pytest.mark.extended

MEGABYTE = 2**20
DISK_BYTES = 12 * MEGABYTE

WRITER = '''
from pydantic import Field

from modules.context import Context
from modules.declare import module
from modules.parameters import Parameters
from modules.artifacts import AnyDirectory


class WriteParameters(Parameters):
    megabytes: int = Field(1, gt=0, title="Megabytes", description="How much to write.")


@module(title="Write", category="Test", summary="Write much.", distributed=True)
def write_much(parameters: WriteParameters, context: Context) -> AnyDirectory:
    """Write so many megabytes."""
    folder = context.new_folder()
    name = "much" if context.rank == 0 else f"much-{context.rank}"
    with (folder / name).open("wb") as file:
        for _ in range(parameters.megabytes):
            file.write(bytes(2**20))
    return AnyDirectory.write(folder)
'''


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of a few megabytes, gone afterwards."""
    with small_disk_at(tmp_path / "disk", DISK_BYTES) as place:
        yield place


@pytest.fixture
def small_runs(small_disk: Path) -> Iterator[RunService]:
    """A workspace on the small disk; its runner ends before the disk goes."""
    runs = WorkspaceSession(Workspace.at(small_disk / "workspace").make()).runs
    try:
        runs.workspace.modules_dir.mkdir()
        (runs.workspace.modules_dir / "write.py").write_text(WRITER, encoding="utf-8")
        yield runs
    finally:
        runs.runner.stop()
        runs.database.close()


def fill(folder: Path, *, leaving: int) -> Path:
    """A file that takes all of the disk but ``leaving`` bytes."""
    path = folder / "ballast"
    with path.open("wb", buffering=0) as file:
        while (room := free_bytes(folder) - leaving) > 0:
            with suppress(OSError):  # a runner that lives writes there too
                file.write(bytes(min(MEGABYTE, room)))
    return path


def free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def test_a_step_that_fills_the_disk_fails_and_is_resumed_when_there_is_room(
    small_runs: RunService, small_disk: Path
) -> None:
    warm = wired([node("write", "write_much", megabytes=1)])
    assert run(small_runs, warm)[1].status == "completed"
    ballast = fill(small_disk, leaving=3 * MEGABYTE)
    document = wired(
        [node("write", "write_much", megabytes=5), node("convert", "convert_to_image_directory")],
        "write.output -> convert.input_dataset",
    )
    problem = failure(small_runs, document, "write")
    assert problem["code"] == "0138"
    assert "disk" in problem["message"]
    assert free_bytes(small_disk) > 2 * MEGABYTE, "what it wrote takes room still"
    shown = json.loads(as_process(small_runs, "runs", "show", "last", "--json").stdout)
    assert shown["status"] == "failed"
    assert shown["nodes"]["write"]["problem"]["code"] == "0138"
    assert shown["nodes"]["convert"]["status"] == "skipped"
    ballast.unlink()
    small_runs.resume(shown["run_id"])
    state = finish(small_runs, shown["run_id"])
    assert statuses(state)["write"] == "completed"
    output = Path(small_runs.artifacts.outputs(state.steps["write"])["output"])
    assert (output / "much").stat().st_size == 5 * MEGABYTE
    # Convert finds no images in it: the step that failed for want of room is not the one here.
    assert_nothing_is_left(small_runs, shown["run_id"], "convert")


def test_ranks_that_fill_the_disk_together_fail_with_0138(
    small_runs: RunService, small_disk: Path
) -> None:
    settings = {"process_count_per_node": 2}
    together = {"module": "write_much", "megabytes": 1, "run_settings": settings}
    assert run(small_runs, build({}, {"write": together}))[1].status == "completed"
    ballast = fill(small_disk, leaving=3 * MEGABYTE)
    problem = failure(small_runs, build({}, {"write": {**together, "megabytes": 5}}), "write")
    assert problem["code"] == "0138"
    assert free_bytes(small_disk) > 2 * MEGABYTE, "what they wrote takes room still"
    ballast.unlink()


@pytest.mark.full  # as any step
def test_converting_more_than_fits_is_0138_and_works_with_room(
    small_runs: RunService, small_disk: Path, tmp_path: Path
) -> None:
    for number in range(24):
        place = tmp_path / "photos" / "ab"[number % 2] / f"{number}.png"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(png_bytes(number, (260, 260)))
    warm = wired([node("write", "write_much", megabytes=1)])
    assert run(small_runs, warm)[1].status == "completed"
    ballast = fill(small_disk, leaving=2 * MEGABYTE)
    report = refused(small_runs, converted(tmp_path / "photos"), tmp_path)
    problem = report["nodes"]["convert"]["problem"]
    assert problem["code"] == "0138"
    assert "designer gc" in problem["cure"]
    assert report["nodes"]["split"]["status"] == "skipped"
    assert_nothing_is_left(small_runs, report["run_id"], "convert")
    ballast.unlink()
    resumed = as_process(small_runs, "runs", "resume", report["run_id"], "--json")
    assert resumed.returncode == 0, resumed.stderr
    nodes = run_report(small_runs, report["run_id"]).nodes
    assert nodes["convert"].summary == "24 images, 2 classes"
    assert nodes["split"].status == "completed"


@pytest.mark.full  # as one that stays full
def test_a_disk_full_to_the_last_byte_is_told_by_every_command(
    small_runs: RunService, small_disk: Path, tmp_path: Path
) -> None:
    """Not even the run itself can be written down."""
    warm = wired([node("write", "write_much", megabytes=1)])
    assert run(small_runs, warm)[1].status == "completed"
    ballast = fill(small_disk, leaving=0)
    again = wired([node("write", "write_much", megabytes=2)])
    report = refused(small_runs, again, tmp_path)
    assert (report["run_id"], report["problem"]["code"]) == (None, "0138")
    resumed = as_process(small_runs, "runs", "resume", "last")
    assert resumed.returncode in (0, 1)
    assert "Traceback" not in resumed.stderr
    shown = json.loads(as_process(small_runs, "runs", "show", "last", "--json").stdout)
    assert shown["status"] == "completed"
    ballast.unlink()
    assert run(small_runs, again)[1].status == "completed"


def test_a_disk_that_stays_full_ends_the_run_with_0138(
    small_runs: RunService, small_disk: Path
) -> None:
    toy.install(small_runs.workspace.modules_dir)
    nodes = [node("two", "constant", value=2.0), node("long", "sleep", seconds=4.0)]
    document = wired(nodes, "two.output -> long.a")
    run_id = small_runs.submit(RunRequest(document))
    for _ in small_runs.follow(run_id):
        if small_runs.store.state(run_id).steps["long"].status == "running":
            break
    ballast = fill(small_disk, leaving=0)
    state = finish(small_runs, run_id)
    assert state.status == "failed"
    assert state.problem is not None
    assert state.problem["code"] == "0138"
    shown = json.loads(as_process(small_runs, "runs", "show", "last", "--json").stdout)
    assert shown["problem"]["code"] == "0138"
    ballast.unlink()
    assert current_runner(small_runs.workspace) is not None, "the runner must survive"
    small_runs.resume(run_id)
    assert finish(small_runs, run_id).status == "completed"


@pytest.mark.full  # as any step; features that were not stored: test_feature_faults
def test_features_that_do_not_fit_fail_with_0138_and_are_recomputed_with_room(
    small_runs: RunService, small_disk: Path, tmp_path: Path
) -> None:
    source = pictures(tmp_path / "pictures", "ab", PER_CLASS, (40, 40))
    run_id = small_runs.submit(RunRequest(heads(source, 1)))
    until_storing(small_runs)
    ballast = fill(small_disk, leaving=0)
    state = finish(small_runs, run_id)
    assert state.status == "failed"
    assert state.problem is not None
    assert state.problem["code"] == "0138"
    ballast.unlink()
    assert not unfinished(small_runs), "what was stored of them takes room still"
    small_runs.resume(run_id)
    state = finish(small_runs, run_id)  # the model of 18 MB does not fit on this disk
    assert len(stored(small_runs, state)) == 2 * PER_CLASS


def starved(runs: RunService, folder: Path, tmp_path: Path) -> subprocess.Popen[str]:
    """``designer run`` where there is room for the run and none for its end or the reserve."""
    warm = wired([node("write", "write_much", megabytes=1)])
    assert run(runs, warm)[1].status == "completed"
    runs.workspace.reserve_path.unlink()
    fill(folder, leaving=65_536)
    path = tmp_path / "pipeline.json"
    document = wired([node("write", "write_much", megabytes=2)])
    path.write_text(dump_document(document), encoding="utf-8")
    arguments = [sys.executable, "-m", "pipelines.cli", "run", str(path), "--json", "--workspace"]
    return subprocess.Popen(
        [*arguments, str(runs.workspace.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.full  # as a disk that stays full
def test_a_disk_without_room_for_the_reserve_ends_the_command_with_0138(
    small_runs: RunService, small_disk: Path, tmp_path: Path
) -> None:
    command = starved(small_runs, small_disk, tmp_path)
    said, errors = command.communicate(timeout=120)
    report = json.loads(said)
    assert (command.returncode, report["status"]) == (1, "failed")
    assert report["problem"]["code"] == "0138"
    assert "Traceback" not in errors
    (small_disk / "ballast").unlink()
    if report["run_id"] is not None:
        state = finish(small_runs, report["run_id"])
        assert state.status in ("failed", "cancelled")


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param(signal.SIGINT, marks=pytest.mark.full),
        signal.SIGTERM,
    ],  # it ends in the same way
)
def test_a_starved_command_can_be_ended(
    small_runs: RunService, small_disk: Path, tmp_path: Path, ending: signal.Signals
) -> None:
    command = starved(small_runs, small_disk, tmp_path)
    while command.poll() is None and not small_runs.store.unfinished():
        continue
    command.send_signal(ending)
    _, errors = command.communicate(timeout=120)
    assert command.returncode in (1, 130, -ending)
    assert "Traceback" not in errors
    assert list(small_disk.glob("ballast")), "it ended while the disk was full"


def test_a_workspace_that_is_gone_is_no_full_disk(tmp_path: Path) -> None:
    exhaustion = DiskExhaustion(Workspace.at(tmp_path / "gone"))
    with pytest.raises(WorkspaceGoneError, match="was deleted"):
        exhaustion.check(has_news=False)
