"""Sweeps whose pipeline or disk changes while they run."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.parts import RunSettings
from pipelines.document.settings import SweepSettings
from pipelines.problems import PipelineError
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.store.database.damage import SCARCE_BYTES
from pipelines.store.database.run_options import RunOptions
from pipelines.sweeps.sweeps import Sweeps
from pipelines.workspace import Workspace
from tests.pipelines.sweeps.conftest import SCORE, between, choices, curve, install
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


def test_a_target_that_is_removed_stops_a_sweep_and_no_trial_fails(runs: RunService) -> None:
    targets = WorkspaceSession(runs.workspace).targets
    targets.add("lab", "local", {"simulated_nodes": 2})
    settings = {"parameters": {"curve.x": choices(1, 2, 3)}, "objective": SCORE}
    document = with_node(curve(settings, seconds=0.5), run_settings=RunSettings(target="lab"))
    sweep = Sweeps(runs).start(document, RunOptions(), None)
    wait_for(lambda: states(Sweeps(runs).find(sweep.id)) == ["completed", "running"])
    targets.remove("lab")
    stopped = ended(runs, sweep)
    assert (stopped.row.state, "failed" in states(stopped)) == ("stopped", False)
    assert stopped.row.why == "Compute target 'lab' not found."
    assert "resume the sweep" in str(stopped.row.reason)
    targets.add("lab", "local", {"simulated_nodes": 2})
    Sweeps(runs).resume(sweep.id)
    done = ended(runs, sweep)
    assert (done.row.state, states(done)) == ("completed", 3 * ["completed"])
    assert numbers_run(runs, done) == [0, 1, 2]


def test_a_strategy_that_raises_does_not_end_the_sweep(runs: RunService) -> None:
    # An empty range, which no command accepts: Optuna refuses it, or is not installed.
    settings = {
        "parameters": {"curve.x": between(2, 1)},
        "objective": SCORE,
        "strategy": "tpe",
        "max_trials": 2,
    }
    document = curve(settings)
    assert document.settings.sweep is not None
    sweeps = Sweeps(runs)
    sweep = document.settings.sweep.model_dump(mode="json")
    sweep_id = sweeps.store.add("Curve", document.to_json(), sweep, {}, None)
    runs.runner.ensure()
    done = ended(runs, sweeps.find(sweep_id))
    assert (done.row.state, states(done)) == ("completed", 2 * ["completed"])
    assert {trial.values["curve.x"] for trial in done.trials} <= {1, 2}
    assert done.row.notes["failures"] == 2
    assert "The strategy failed (" in str(done.row.notes["message"])
    assert "values of 2 trials are random instead" in str(done.row.notes["message"])


def test_a_metric_of_a_node_that_is_not_run(runs: RunService) -> None:
    settings = {"parameters": {"base.value": choices(1, 2)}, "objective": SCORE}
    options = RunOptions(to_node="base")
    sweep = ended(runs, Sweeps(runs).start(curve(settings), options, None))
    assert (sweep.row.state, states(sweep)) == ("failed", 2 * ["failed"])
    assert "did not report the metric 'score' of 'curve'" in (sweep.row.why or "")
    with pytest.raises(PipelineError, match="'curve', which is not an enabled node"):
        Sweeps(runs).start(with_node(curve(settings), disabled=True), RunOptions(), None)


def with_node(document: PipelineDocument, **facts: Any) -> PipelineDocument:
    """The document with other facts of its curve."""
    base, node = document.nodes
    return document.model_copy(update={"nodes": (base, node.model_copy(update=facts))})


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
@pytest.mark.parametrize(
    "left",
    [
        pytest.param(SCARCE_BYTES // 2, id="some bytes", marks=pytest.mark.full),  # as nothing
        pytest.param(0, id="nothing"),
    ],
)
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
            assert "disk is full" in (stopped.row.why or "")
            Sweeps(runs).resume(sweep.id)
        done = ended(runs, sweep)
        assert (done.row.state, states(done)) == ("completed", 6 * ["completed"])
        assert numbers_run(runs, done) == [0, 1, 2, 3, 4, 5]
