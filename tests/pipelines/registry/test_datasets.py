"""Datasets: deleted only where nothing refers to them, so that nothing breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from modules.datasets.registered import list_datasets, register_dataset
from pipelines.errors import InUseError
from pipelines.registry.datasets import RegisteredDatasets
from pipelines.runs.history import RunHistory
from pipelines.runs.run_service import RunService
from pipelines.store.pipelines import PipelineStore
from tests.pipelines.conftest import build, run


@pytest.fixture
def birds(runs: RunService, tmp_path: Path) -> Path:
    """A dataset of two versions, registered as ``birds``."""
    folder = tmp_path / "birds"
    for name in ("robin", "wren"):
        (folder / name).mkdir(parents=True)
        Image.new("RGB", (8, 8)).save(folder / name / "1.png")
    for _ in range(2):
        register_dataset(folder, "birds", runs.workspace.datasets_dir)
    return runs.workspace.datasets_dir / "birds"


def test_a_dataset_goes_only_after_what_refers_to_it(runs: RunService, birds: Path) -> None:
    source = {"module": "import_images", "source": "dataset:birds@1"}
    run_id, state = run(runs, build({}, {"images": source}))
    assert state.status == "completed", state.problem
    with pytest.raises(InUseError, match=f"the run {run_id}"):
        RegisteredDatasets(runs.workspace, runs.database).delete("birds", 1)
    with pytest.raises(InUseError):
        RegisteredDatasets(runs.workspace, runs.database).delete("birds")
    assert RegisteredDatasets(runs.workspace, runs.database).delete("birds", 2) == [2]
    assert runs.artifacts.verify(str(state.steps["images"].artifact_id)) == []
    RunHistory(runs).delete(run_id)
    assert RegisteredDatasets(runs.workspace, runs.database).delete("birds") == [1]
    assert not birds.exists()
    assert list_datasets(runs.workspace.datasets_dir) == []


def test_who_asks_for_no_version_needs_the_newest(runs: RunService, birds: Path) -> None:
    source = {"module": "import_images", "source": "dataset:birds"}
    pipeline = PipelineStore(runs.database).create(build({}, {"images": source}).to_json())
    with pytest.raises(InUseError, match="the pipeline toy"):
        RegisteredDatasets(runs.workspace, runs.database).delete("birds", 2)
    assert RegisteredDatasets(runs.workspace, runs.database).delete("birds", 1) == [1]
    PipelineStore(runs.database).set_deleted(pipeline.pipeline_id, True)
    assert RegisteredDatasets(runs.workspace, runs.database).delete("birds") == [2]
    assert not birds.exists()


@pytest.mark.parametrize("name", ["finches", "torchvision", "../artifacts", ""])
def test_what_is_no_dataset_is_refused(runs: RunService, name: str) -> None:
    with pytest.raises((LookupError, ValueError)):
        RegisteredDatasets(runs.workspace, runs.database).delete(name)
    assert runs.workspace.artifacts_dir.is_dir()
