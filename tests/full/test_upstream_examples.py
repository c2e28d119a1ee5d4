"""Frameworks' own example scripts, as they are in their repositories, on two machines.

They are no part of this project. ``EXAMPLE_REPOSITORIES`` names a folder with clones of
``Lightning-AI/pytorch-lightning`` and ``horovod/horovod``, by their names; else all is skipped.
Their pictures of digits are made here, as these scripts would fetch them from the web.
"""

from __future__ import annotations

import gzip
import os
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from pipelines.documents.document import parse_document
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.conftest import run

pytestmark = [pytest.mark.full, pytest.mark.slow]
FOLDER = os.environ.get("EXAMPLE_REPOSITORIES", "")
LIGHTNING = [
    *("--trainer.num_nodes=2", "--trainer.devices=1", "--trainer.accelerator=cpu"),
    *("--trainer.strategy=ddp", "--trainer.max_epochs=1", "--trainer.limit_train_batches=60"),
    *("--trainer.limit_val_batches=10", "--trainer.limit_test_batches=10"),
    *("--trainer.limit_predict_batches=1", "--trainer.default_root_dir=./outputs"),
]
SYNTHETIC = [
    *("--no-cuda", "--model=squeezenet1_1", "--batch-size=2", "--num-warmup-batches=1"),
    *("--num-batches-per-iter=1", "--num-iters=2"),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    with WorkspaceSession(Workspace.at(tmp_path_factory.mktemp("ws"))) as session:
        yield session.runs
        session.runs.runner.stop()


def example(path: str, folder: Path) -> Path:
    """A copy of a script, where it lies in its repository."""
    source = Path(FOLDER, path)
    if not FOLDER or not source.is_file():
        pytest.skip(f"EXAMPLE_REPOSITORIES has no {path}")
    (folder / path).parent.mkdir(parents=True)
    return Path(shutil.copy(source, folder / path))


def digits(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Noise of 28 pixels squared with a bright stripe, whose place is the class."""
    generator = torch.Generator().manual_seed(count)
    labels = torch.randint(0, 10, (count,), generator=generator)
    pictures = torch.randint(0, 60, (count, 28, 28), generator=generator)
    stripes = torch.arange(28)[None, None, :] // 2 - 2 == labels[:, None, None]
    return pictures.masked_fill(stripes, 220).to(torch.uint8), labels


def write_idx(folder: Path, name: str, count: int) -> None:
    """MNIST's own files, packed and not."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures, labels = digits(count)
    files = {
        f"{name}-images-idx3-ubyte": struct.pack(">IIII", 2051, count, 28, 28)
        + pictures.numpy().tobytes(),
        f"{name}-labels-idx1-ubyte": struct.pack(">II", 2049, count)
        + labels.to(torch.uint8).numpy().tobytes(),
    }
    for file, content in files.items():
        (folder / file).write_bytes(content)
        (folder / f"{file}.gz").write_bytes(gzip.compress(content, 1))


def metrics_of(
    runs: RunService, parameters: dict[str, Any], settings: dict[str, Any]
) -> dict[str, float]:
    """What the script logged, run by two processes on two machines."""
    node = {
        "id": "train",
        "module": "run_training_script",
        "parameters": {"model_file": None, **parameters},
        "run_settings": {"target": "simulated", "node_count": 2, **settings},
    }
    content = {"format": "pipeline-designer/2", "id": "upstream", "nodes": [node]}
    document = parse_document(content)
    runs.checks.allow_code_of(document)
    run_id, state = run(runs, document)
    assert state.steps["train"].status == "completed", state.steps["train"].problem
    metrics: dict[str, float] = run_report(runs, run_id)["nodes"]["train"]["metrics"]
    return metrics


def test_lightnings_classifier_is_tested_with_the_checkpoint_of_rank_0(
    runs: RunService, tmp_path: Path
) -> None:
    path = "pytorch-lightning/examples/pytorch/basics/backbone_image_classifier.py"
    script = example(path, tmp_path)
    root = script.parents[2]
    (root / "Datasets/MNIST/complete").mkdir(parents=True)
    torch.save(digits(60_000), root / "Datasets/MNIST/complete/training.pt")
    torch.save(digits(1_000), root / "Datasets/MNIST/complete/test.pt")
    parameters = {
        "source_folder": str(root),
        "script": script.relative_to(root).as_posix(),
        "arguments": LIGHTNING,
        "outputs_of": "all processes together",
        "declared_outputs": ["outputs/lightning_logs/**/*.ckpt"],
    }
    environment = {"launcher": "pytorch_node", "environment": "pytorch-lightning"}
    settings = {**environment, "variables": {"PL_USE_MOCKED_MNIST": "1"}}
    assert 0 < metrics_of(runs, parameters, settings)["test_loss"] < 2.5


@pytest.mark.parametrize(
    ("name", "arguments", "metric"),
    [
        ("pytorch_mnist.py", ["--epochs=1", "--no-cuda"], "Accuracy: ([0-9.]+)%"),
        ("pytorch_synthetic_benchmark.py", SYNTHETIC, "Total img/sec on 2 CPU.s.: ([0-9.]+)"),
    ],
)
def test_horovods_examples_run_on_its_stand_in(
    runs: RunService, name: str, arguments: list[str], metric: str, tmp_path: Path
) -> None:
    script = example(f"horovod/examples/pytorch/{name}", tmp_path)
    if name == "pytorch_mnist.py":
        write_idx(tmp_path / "data/MNIST/raw", "train", 6_000)
        write_idx(tmp_path / "data/MNIST/raw", "t10k", 1_000)
        arguments = [*arguments, f"--data-dir={tmp_path / 'data'}"]
    parameters = {
        "source_folder": str(script.parent),
        "script": name,
        "arguments": arguments,
        "log_patterns": [f"seen = {metric}"],
    }
    assert metrics_of(runs, parameters, {})["seen"] > (90 if "mnist" in name else 0)
