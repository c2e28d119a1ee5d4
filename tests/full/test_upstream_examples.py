"""Frameworks' own example scripts, as they are in their repositories, on two machines.

They are no part of this project. ``EXAMPLE_REPOSITORIES`` names a folder with clones of
``Lightning-AI/pytorch-lightning``, ``horovod/horovod``, ``huggingface/transformers``,
``deepspeedai/DeepSpeedExamples`` and ``Azure/azureml-examples`` (TensorFlow's tutorial for several
workers as a script), by their names; what is not there is skipped. What they would fetch from the
web is made here. Where they compare it with a known sum, a few lines that start them answer that.
"""

from __future__ import annotations

import gzip
import json
import os
import pickle
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

from pipelines.document.document import parse_document
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.full.example_scripts import DEEPSPEED_ENVIRONMENT
from tests.pipelines.conftest import run

pytestmark = pytest.mark.full
FOLDER = os.environ.get("EXAMPLE_REPOSITORIES", "")
LIGHTNING = [
    *("--trainer.num_nodes=2", "--trainer.devices=1", "--trainer.accelerator=cpu"),
    *("--trainer.strategy=ddp", "--trainer.max_epochs=1", "--trainer.limit_train_batches=60"),
    *("--trainer.limit_val_batches=10", "--trainer.limit_test_batches=10"),
    *("--trainer.limit_predict_batches=1", "--trainer.default_root_dir=./outputs"),
]
TRANSFORMERS = [
    *("--model_name_or_path=tiny", "--train_dir=pictures", "--output_dir=outputs", "--do_train"),
    *("--do_eval", "--use_cpu", "--num_train_epochs=4", "--learning_rate=0.003", "--seed=1"),
    *("--per_device_train_batch_size=8", "--remove_unused_columns=false", "--report_to=none"),
    "--save_strategy=no",
]
SYNTHETIC = [
    *("--no-cuda", "--model=squeezenet1_1", "--batch-size=2", "--num-warmup-batches=1"),
    *("--num-batches-per-iter=1", "--num-iters=2"),
]


ACCURACY = """
import datasets
import evaluate


class Accuracy(evaluate.Metric):
    def _info(self):
        numbers = datasets.Value("int32")
        features = datasets.Features({"predictions": numbers, "references": numbers})
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions, references):
        hits = [one == other for one, other in zip(predictions, references)]
        return {"accuracy": sum(hits) / len(hits)}
"""
"""The library's own metric, which lies on its hub: a folder of that name comes first."""

START_CIFAR = """
import runpy
import sys

from torchvision.datasets import CIFAR10, cifar

CIFAR10._check_integrity = cifar.check_integrity = lambda *_: True
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
START_MNIST = """
import runpy
import sys

import numpy
import tensorflow as tf

digits = numpy.load("digits.npz")
tf.keras.datasets.mnist.load_data = lambda: ((digits["pictures"], digits["labels"]), None)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    with WorkspaceSession(Workspace.at(tmp_path_factory.mktemp("ws"))) as session:
        environments = session.environments
        environments.keep("deepspeed", environments.resolve(DEEPSPEED_ENVIRONMENT))
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
    metrics = run_report(runs, run_id).nodes["train"].metrics
    return {name: value for name, value in metrics.items() if value is not None}


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


def test_transformers_classifier_is_trained_from_a_folder(runs: RunService, tmp_path: Path) -> None:
    path = "transformers/examples/pytorch/image-classification/run_image_classification.py"
    script = example(path, tmp_path)
    (script.parent / "accuracy").mkdir()
    (script.parent / "accuracy/accuracy.py").write_text(ACCURACY)
    write_pictures(script.parent / "pictures")
    write_tiny_network(script.parent / "tiny")
    parameters = {
        "source_folder": str(script.parent),
        "script": script.name,
        "arguments": TRANSFORMERS,
        "log_patterns": ["accuracy = eval_accuracy += +([0-9.]+)"],
        "declared_outputs": ["outputs/model.safetensors", "outputs/eval_results.json"],
    }
    environment = {"launcher": "pytorch_node", "environment": "transformers"}
    assert metrics_of(runs, parameters, environment)["accuracy"] > 0.8


def write_pictures(folder: Path) -> None:
    """Two shades of noise, a folder for each: what is cut out and flipped keeps its shade."""
    for name, darkest in (("dark", 0), ("light", 130)):
        (folder / name).mkdir(parents=True)
        for seed in range(60):
            noise = numpy.random.default_rng(seed).integers(darkest, darkest + 120, (28, 28, 3))
            Image.fromarray(noise.astype("uint8")).save(folder / name / f"{seed}.png")


def write_tiny_network(folder: Path) -> None:
    """The description of a small ViT with weights of its own, in the library's files."""
    folder.mkdir()
    sizes = {"image_size": 28, "patch_size": 7, "num_channels": 3, "hidden_size": 32}
    layers = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    (folder / "config.json").write_text(json.dumps({"model_type": "vit", **sizes, **layers}))
    processor = {"image_processor_type": "ViTImageProcessor", "size": {"height": 28, "width": 28}}
    (folder / "preprocessor_config.json").write_text(json.dumps(processor))
    # Nothing of it fits: the library says so and begins with weights by chance.
    save_file(
        {"vit.layernorm.weight": torch.ones(32)}, folder / "model.safetensors", {"format": "pt"}
    )


def test_deepspeeds_classifier_trains_and_is_tested(runs: RunService, tmp_path: Path) -> None:
    script = example("DeepSpeedExamples/training/cifar/cifar10_deepspeed.py", tmp_path)
    (script.parent / "start.py").write_text(START_CIFAR)
    write_cifar(script.parent / "data/cifar-10-batches-py")
    options = ["--deepspeed", "--local_rank", "$LOCAL_RANK", "--dtype=fp32", "--epochs=4"]
    parameters = {
        "source_folder": str(script.parent),
        "script": "start.py",
        "arguments": [script.name, *options],
        "log_patterns": ["accuracy = on the 100 test images: +([0-9.]+) %"],
    }
    environment = {"launcher": "pytorch_process", "environment": "deepspeed"}
    assert metrics_of(runs, parameters, environment)["accuracy"] > 20


def write_cifar(folder: Path) -> None:
    """CIFAR-10's own files, with stripes instead of its photographs."""
    folder.mkdir(parents=True)
    for name, count in [*((f"data_batch_{part}", 80) for part in range(1, 6)), ("test_batch", 100)]:
        pictures, labels = digits(count)
        grey = torch.nn.functional.pad(pictures, (2, 2, 2, 2))
        flat = grey[:, None].expand(-1, 3, -1, -1).reshape(count, -1)
        batch = {"data": numpy.ascontiguousarray(flat.numpy()), "labels": labels.tolist()}
        (folder / name).write_bytes(pickle.dumps(batch))
    names = {"label_names": [str(digit) for digit in range(10)]}
    (folder / "batches.meta").write_bytes(pickle.dumps(names))


def test_tensorflows_tutorial_trains_on_two_workers(runs: RunService, tmp_path: Path) -> None:
    folder = "azureml-examples/cli/jobs/single-step/tensorflow/mnist-distributed/src"
    script = example(f"{folder}/train.py", tmp_path)
    (script.parent / "start.py").write_text(START_MNIST)
    pictures, labels = digits(2_000)
    numpy.savez(script.parent / "digits.npz", pictures=pictures, labels=labels.to(torch.uint8))
    parameters = {
        "source_folder": str(script.parent),
        "script": "start.py",
        "arguments": [script.name, "--epochs=2", "--model-dir=outputs/keras-model"],
        "log_patterns": ["accuracy = accuracy: ([0-9.]+)"],
        "declared_outputs": ["outputs/keras-model/saved_model.pb"],
    }
    # The tutorial is of Keras 2, which the environment has TensorFlow take.
    environment = {"launcher": "tensorflow", "environment": "tensorflow"}
    assert metrics_of(runs, parameters, environment)["accuracy"] > 0.3
