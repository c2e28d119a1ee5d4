"""Sweeps whose pipeline or disk changes while they run."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pipelines.document.document import parse_document
from pipelines.document.settings import SweepSettings
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.store.database.damage import SCARCE_BYTES
from pipelines.store.database.run_options import RunOptions
from pipelines.sweeps.sweeps import Sweeps
from pipelines.workspace import Workspace
from tests.pipelines.sweeps.conftest import SCORE, choices, curve, install
from tests.pipelines.sweeps.sweeping import ended, numbers_run, started, states
from tests.polling import wait_for
from tests.small_disks import small_disk_at
from tests.workspaces import opened

DISK_BYTES = 48 * 2**20


def test_a_sweep_keeps_the_version_of_its_pipeline(runs: RunService) -> None:
    session = WorkspaceSession(runs.workspace)
    spaces = {"curve.x": choices(1, 2, 3, 4)}
    document = curve({"parameters": spaces, "objective": SCORE}, seconds=0.2, y=1)
    saved = session.pipelines.create(document)
    sweep = Sweeps(runs).start(document, RunOptions(pipeline_id=saved.pipeline_id), None)
    wait_for(lambda: Sweeps(runs).find(sweep.id).trials)
    edited = curve({"parameters": {"curve.y": choices(5)}, "objective": SCORE}, y=9)
    session.pipelines.commit(edited.model_copy(update={"id": saved.pipeline_id}), saved.revision)
    done = ended(runs, sweep)
    assert (done.row.state, states(done)) == ("completed", 4 * ["completed"])
    assert [trial.objective for trial in done.trials] == [5, 8, 9, 8]
    assert parse_document(done.row.document).node("curve") == document.node("curve")
    assert list(SweepSettings.model_validate(done.row.settings).parameters) == ["curve.x"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path / "disk", DISK_BYTES) as disk:
        yield disk


def filled(disk: Path, left: int) -> Path:
    """Fill a disk with a file, up to some bytes."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while shutil.disk_usage(disk).free > left:
            file.write(bytes(2**12))
    return ballast


@pytest.mark.extended
@pytest.mark.parametrize("left", [SCARCE_BYTES // 2, 0], ids=["some bytes", "nothing"])
def test_no_trial_is_to_blame_for_a_full_disk(small_disk: Path, left: int) -> None:
    workspace = Workspace.at(small_disk / "workspace").make()
    install(workspace)
    with opened(workspace) as runs:
        spaces = {"curve.x": choices(1, 2, 3, 4, 5, 6)}
        sweep = started(runs, {"parameters": spaces, "objective": SCORE}, seconds=0.5)
        wait_for(lambda: "completed" in states(Sweeps(runs).find(sweep.id)))
        ballast = filled(small_disk, left)
        time.sleep(5)  # trials start and end meanwhile, if they can
        ballast.unlink()
        stopped = ended(runs, sweep)
        assert "failed" not in states(stopped)
        if stopped.row.state == "stopped":
            assert "disk is full" in (stopped.row.reason or {})["message"]
            Sweeps(runs).resume(sweep.id)
        done = ended(runs, sweep)
        assert (done.row.state, states(done)) == ("completed", 6 * ["completed"])
        assert numbers_run(runs, done) == [0, 1, 2, 3, 4, 5]
