"""Datasets: deleted only where nothing refers to them, so that nothing breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from modules.datasets.registered import list_datasets, register_dataset
from pipelines.registry.datasets import DatasetInUseError, delete_dataset
from pipelines.runs.run_service import Runs
from pipelines.store.pipelines import PipelineStore
from tests.pipelines.conftest import build, run


@pytest.fixture
def birds(runs: Runs, tmp_path: Path) -> Path:
    """A dataset of two versions, registered as ``birds``."""
    folder = tmp_path / "birds"
    for name in ("robin", "wren"):
        (folder / name).mkdir(parents=True)
        Image.new("RGB", (8, 8)).save(folder / name / "1.png")
    for _ in range(2):
        register_dataset(folder, "birds", runs.workspace.datasets_dir)
    return runs.workspace.datasets_dir / "birds"


def test_a_dataset_goes_only_after_what_refers_to_it(runs: Runs, birds: Path) -> None:
    source = {"module": "import_images", "source": "dataset:birds@1"}
    run_id, state = run(runs, build({}, {"images": source}))
    assert state.status == "completed", state.problem
    with pytest.raises(DatasetInUseError, match=f"the run {run_id}"):
        delete_dataset(runs, "birds", 1)
    with pytest.raises(DatasetInUseError):
        delete_dataset(runs, "birds")
    assert delete_dataset(runs, "birds", 2) == [2]
    assert runs.artifacts.verify(str(state.steps["images"].artifact_id)) == []
    runs.history.delete(run_id)
    assert delete_dataset(runs, "birds") == [1]
    assert not birds.exists()
    assert list_datasets(runs.workspace.datasets_dir) == []


def test_who_asks_for_no_version_needs_the_newest(runs: Runs, birds: Path) -> None:
    source = {"module": "import_images", "source": "dataset:birds"}
    pipeline = PipelineStore(runs.database).create(build({}, {"images": source}).to_json())
    with pytest.raises(DatasetInUseError, match="the pipeline toy"):
        delete_dataset(runs, "birds", 2)
    assert delete_dataset(runs, "birds", 1) == [1]
    PipelineStore(runs.database).set_deleted(pipeline.pipeline_id, True)
    assert delete_dataset(runs, "birds") == [2]
    assert not birds.exists()


@pytest.mark.parametrize("name", ["finches", "torchvision", "../artifacts", ""])
def test_what_is_no_dataset_is_refused(runs: Runs, name: str) -> None:
    with pytest.raises((LookupError, ValueError)):
        delete_dataset(runs, name)
    assert runs.workspace.artifacts_dir.is_dir()
