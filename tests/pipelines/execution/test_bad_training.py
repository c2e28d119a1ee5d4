"""Trainings that must be refused or fail, on data of a few small pictures."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torchvision.models import resnet18, squeezenet1_1

from pipelines.document.document import PipelineDocument
from pipelines.forecasting.run_forecast import forecast_run
from pipelines.runs.run_service import RunService
from tests.json_values import as_json
from tests.pipelines.conftest import run, statuses
from tests.pipelines.execution.refusals import failure, refused
from tests.pipelines.execution.small_trainings import pictures, trained


@pytest.fixture(scope="module")
def two_classes(tmp_path_factory: pytest.TempPathFactory) -> str:
    return pictures(tmp_path_factory.mktemp("two"), "ab", 4)


@pytest.mark.parametrize(
    ("training", "validation", "code", "port"),
    [
        ("-", "ab", "0024", "training_dataset"),
        ("ab", "-", "0024", "validation_dataset"),
        ("ab", "abc", "0018", "validation_dataset"),
        ("abc", "ab", "0018", "validation_dataset"),
    ],
    ids=["unlabelled", "validation unlabelled", "more classes", "fewer classes"],
)
def test_labels_that_do_not_fit(
    training: str, validation: str, code: str, port: str, shared_runs: RunService, tmp_path: Path
) -> None:
    document = trained(
        pictures(tmp_path / "training", training, 4),
        pictures(tmp_path / "validation", validation, 2),
    )
    problem = failure(shared_runs, document, "train")
    assert (problem["code"], problem["port"]) == (code, port)
    if code == "0018":
        assert "has c" in problem["message"]
        assert [name for name, _ in (problem["details"] or {})["rows"]] == ["c"]
        ports = ["training_dataset", "validation_dataset"]
        assert problem["remedy"] == {"across": {"module": "align_classes", "ports": ports}}


@pytest.mark.parametrize(("batch_size", "code", "fitting"), [(9, "0007", 8), (1, "0005", 2)])
def test_batches_too_large_and_too_small(
    batch_size: int, code: str, fitting: int, two_classes: str, shared_runs: RunService
) -> None:
    problem = failure(shared_runs, trained(two_classes, batch_size=batch_size), "train")
    assert (problem["code"], problem["parameter"]) == (code, "batch_size")
    assert problem["remedy"] == {"set": {"batch_size": fitting}}


def test_batches_of_all_processes_together_must_fit(
    two_classes: str, shared_runs: RunService
) -> None:
    settings = {"process_count_per_node": 2}
    document = trained(two_classes, batch_size=5, run_settings=settings)
    problem = failure(shared_runs, document, "train")
    assert problem["code"] == "0007"
    assert "2 processes x batch size 5" in problem["message"]


def test_images_of_unequal_size_name_the_modules_to_insert(
    shared_runs: RunService, tmp_path: Path
) -> None:
    pictures(tmp_path / "mixed", "a", 3)
    source = pictures(tmp_path / "mixed", "b", 3, (40, 24))
    problem = failure(shared_runs, trained(source), "train")
    assert problem["code"] == "0018"
    assert sorted((problem["details"] or {})["rows"]) == [
        ["32 x 32", "3 images"],
        ["40 x 24", "3 images"],
    ]
    inserted = ["init_image_transformation", "apply_image_transformation"]
    assert (problem["remedy"] or {})["insert"] == inserted
    assert (problem["remedy"] or {})["parameters"].keys() == {inserted[0]}


def test_one_image_a_class_trains(shared_runs: RunService, tmp_path: Path) -> None:
    source = pictures(tmp_path / "few", "ab", 1)
    assert failure(shared_runs, trained(source), "train")["code"] == "0007"
    _, state = run(shared_runs, trained(source, batch_size=2))
    assert state.status == "completed", state.problem
    assert set(statuses(state).values()) <= {"completed", "reused"}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_loss_that_is_no_number_names_a_rate_to_try(
    processes: int, two_classes: str, shared_runs: RunService
) -> None:
    settings = {"process_count_per_node": processes}
    document = trained(two_classes, batch_size=2, learning_rate=1e30, run_settings=settings)
    problem = failure(shared_runs, document, "train")
    assert (problem["code"], problem["parameter"]) == ("3101", "learning_rate")
    assert problem["remedy"] == {"set": {"learning_rate": 0.1}}


def test_pretrained_without_a_network_fails_quickly(
    two_classes: str, shared_runs: RunService
) -> None:
    started = time.monotonic()
    document = trained(two_classes, model={"model_name": "resnet34", "pretrained": True})
    problem = failure(shared_runs, document, "train")
    assert time.monotonic() - started < 60
    assert (problem["code"], problem["parameter"]) == ("0162", "pretrained")
    assert str(shared_runs.workspace.weights_dir) in problem["cure"]
    assert "resnet34-" in problem["cure"]
    assert not list(shared_runs.workspace.weights_dir.iterdir())


@pytest.mark.parametrize(
    "name", ["gone.pth", "text.pth", "cut.pth", "cut.safetensors", "other.pth"]
)
def test_bad_weights_files_fail_the_node_that_names_them(
    name: str, two_classes: str, shared_runs: RunService, tmp_path: Path
) -> None:
    path = weights_file(tmp_path / name)
    document = trained(two_classes, model={"weights_path": str(path)})
    if path.exists():
        warned = forecast_findings(shared_runs, document, "resnet")
        assert len(warned) == (name != "other.pth")  # to tell that takes torch
    problem = failure(shared_runs, document, "resnet")
    assert (problem["code"], problem["parameter"]) == ("0159", "weights_path")
    assert "weights_only" not in problem["message"]


def weights_file(path: Path) -> Path:
    """A file that is no ResNet-18's: text, one cut short, or another network's."""
    if path.stem == "gone":
        return path
    network = squeezenet1_1 if path.stem == "other" else resnet18
    torch.save(network().state_dict(), path)
    if path.suffix == ".safetensors":
        save_file(network().state_dict(), path)
    if path.stem == "cut":
        os.truncate(path, path.stat().st_size // 2)
    if path.stem == "text":
        path.write_text("no weights")
    return path


def forecast_findings(
    runs: RunService, document: PipelineDocument, name: str
) -> list[dict[str, Any]]:
    [result] = [
        node for node in as_json(forecast_run(runs, document))["nodes"] if node["node"] == name
    ]
    return list(result["findings"])


def test_the_command_fails_with_exit_code_1(
    two_classes: str, shared_runs: RunService, tmp_path: Path
) -> None:
    report = refused(shared_runs, trained(two_classes, batch_size=99), tmp_path)
    assert report["nodes"]["train"]["problem"]["code"] == "0007"
    assert report["nodes"]["score"]["status"] == "skipped"
