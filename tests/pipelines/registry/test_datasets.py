"""Datasets: deleted only where nothing refers to them, so that nothing breaks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image

from modules.datasets.folder_summary import summary_of_version
from modules.datasets.registered import list_datasets, register_dataset
from modules.errors import NotInRangeValueError
from pipelines.document.document import parse_document
from pipelines.errors import InUseError
from pipelines.inspection.dataset_pictures import pictures_of_version, strip_of_version
from pipelines.registry.datasets import RegisteredDatasets
from pipelines.runs.history import RunHistory
from pipelines.runs.run_service import RunService
from pipelines.store.database.pipelines import PipelineStore
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


def test_a_dataset_that_a_parameter_of_the_pipeline_names_is_not_deleted(
    runs: RunService, birds: Path
) -> None:
    document = build({}, {"images": {"module": "import_images"}}).to_json()
    asked = {"id": "data", "title": "Data", "type": "string", "binds": ["images.source"]}
    document["parameters"] = [{**asked, "default": "dataset:birds@1"}]
    PipelineStore(runs.database).create(document)
    with pytest.raises(InUseError, match="the pipeline toy"):
        RegisteredDatasets(runs.workspace, runs.database).delete("birds", 1)
    run_id, state = run(runs, parse_document(document))
    assert state.status == "completed", state.problem
    with pytest.raises(InUseError, match=f"the run {run_id}"):
        RegisteredDatasets(runs.workspace, runs.database).delete("birds", 1)
    assert birds.exists()


@pytest.mark.usefixtures("birds")
def test_pipelines_of_one_name_are_distinguished_by_their_ids(runs: RunService) -> None:
    source = {"module": "import_images", "source": "dataset:birds@1"}
    document = {**build({}, {"images": source}).to_json(), "name": "Birds"}
    saved = PipelineStore(runs.database)
    ids = [saved.create(document).pipeline_id for _ in range(2)]
    with pytest.raises(InUseError) as refused:
        RegisteredDatasets(runs.workspace, runs.database).delete("birds", 1)
    assert sorted(refused.value.users) == [f"the pipeline Birds ({key})" for key in sorted(ids)]


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


def test_a_name_that_differs_in_case_only_is_refused(birds: Path) -> None:
    source = birds / "1"
    with pytest.raises(
        NotInRangeValueError, match="A dataset named birds already exists"
    ) as refused:
        register_dataset(source, "Birds", birds.parent)
    assert refused.value.cure == "Use birds, or choose another name."
    assert register_dataset(source, "birds", birds.parent) == 3


def test_what_is_added_anew_under_a_name_is_not_taken_for_what_was(
    runs: RunService, birds: Path, tmp_path: Path
) -> None:
    datasets = RegisteredDatasets(runs.workspace, runs.database)
    assert summary_of_version(birds / "1").images == 2
    assert [item.name for item in pictures_of_version(birds / "1").classes] == ["robin", "wren"]
    before = strip_of_version(birds / "1")
    datasets.delete("birds")
    folder = tmp_path / "others" / "magpie"
    folder.mkdir(parents=True)
    for number in range(3):
        Image.new("RGB", (8, 8), (number, 0, 0)).save(folder / f"{number}.png")
    assert datasets.add(folder.parent, "birds").version == 1
    assert summary_of_version(birds / "1").images == 3
    assert [item.name for item in pictures_of_version(birds / "1").classes] == ["magpie"]
    assert strip_of_version(birds / "1") != before


def test_the_same_files_are_added_once(runs: RunService, birds: Path, tmp_path: Path) -> None:
    datasets = RegisteredDatasets(runs.workspace, runs.database)
    first = datasets.add(birds, None)
    again = datasets.add(birds, None)
    assert (first.was_known, again.was_known) == (False, True)
    assert (again.name, again.version) == (first.name, first.version)
    assert {path.name for path in datasets.folder.iterdir()} == {birds.name, first.name}
    more = tmp_path / "more" / birds.name
    shutil.copytree(birds, more)
    next(path for path in more.rglob("*") if path.is_file()).write_bytes(b"other")
    other = datasets.add(more, None)
    assert not other.was_known
    assert other.name != first.name
    named = datasets.add(birds, first.name)  # asked for: the next version
    assert (named.version, named.was_known) == (2, False)


def test_pipelines_of_a_version_are_found(runs: RunService, birds: Path) -> None:
    datasets = RegisteredDatasets(runs.workspace, runs.database)
    added = datasets.add(birds, "mine")
    assert datasets.pipelines_of("mine", 1) == []
    content = build({}, {"import": {"module": "import_images", "source": added.source}}).to_json()
    made = PipelineStore(runs.database).create(content).pipeline_id
    assert [row.id for row in datasets.pipelines_of("mine", 1)] == [made]
    assert datasets.pipelines_of("mine", 2) == []
