"""Export of a model from a page: with the images of its run, in a process that has torch."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import onnx
import pytest

from pipelines.errors import InspectionError
from pipelines.inspection.client import Inspector
from pipelines.inspection.questions import EXPORT
from pipelines.inspection.run_images import run_images
from pipelines.inspection.run_outputs import RunOutputs
from tests.pipelines.inspection.runs import HOSTILE, IMAGES_PER_CLASS

SECONDS = 1800.0
"""Timeout of an export, as in the app: on a busy machine it takes minutes."""


@pytest.fixture(scope="module")
def exporter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inspector]:
    """The process of exports; it ends with these tests."""
    made = Inspector(tmp_path_factory.mktemp("exporter") / "log", SECONDS)
    yield made
    made.close()


def test_the_images_of_the_run_are_found(outputs: RunOutputs) -> None:
    images = run_images(outputs.runs, outputs.run_id, "train")
    assert images.training is not None
    assert images.validation is not None
    count = len(images.training.images) + len(images.validation.images)
    assert count == 3 * IMAGES_PER_CLASS
    for run_id, node in ((None, "train"), (outputs.run_id, None), ("none", "train")):
        assert run_images(outputs.runs, run_id, node) == type(images)()
    assert run_images(outputs.runs, outputs.run_id, "resnet") == type(images)()
    # a node that passes the model on leads to the training
    assert run_images(outputs.runs, outputs.run_id, "score").training is not None


def test_a_model_is_exported_as_a_file_and_as_a_page(
    outputs: RunOutputs, exporter: Inspector, tmp_path: Path
) -> None:
    images = run_images(outputs.runs, outputs.run_id, "train")
    assert images.validation is not None
    model = outputs.output("train", "trained_model")
    assert model is not None
    facts = {
        "model": str(model.folder),
        "name": "mine",
        "training": None,
        "validation": str(images.validation.path),
    }
    for chosen, target in (("onnx", tmp_path / "m.onnx"), ("page", tmp_path / "a/m.zip")):
        answer = exporter.ask(EXPORT, **facts, format=chosen, target=str(target))
        agreement = answer["agreement"]
        assert agreement is not None
        assert agreement["images"] == len(images.validation.images)
        assert agreement["label_agreement"] == 1.0
        assert agreement["images_from"] == "validation images"
    texts = {entry.key: entry.value for entry in onnx.load(tmp_path / "m.onnx").metadata_props}
    assert HOSTILE in json.loads(texts["labels"])
    assert str(tmp_path.parent.parent) not in texts["pipeline-designer"]
    assert "file:" in texts["pipeline-designer"]
    with zipfile.ZipFile(tmp_path / "a/m.zip") as archive:
        names = set(archive.namelist())
        assert {"index.html", "model.onnx", "model.json", "README.md", "labels.txt"} <= names
        assert "ort-wasm-simd-threaded.wasm" in names
        assert archive.read("model.onnx") == (tmp_path / "m.onnx").read_bytes()


def test_a_damaged_model_leaves_no_file(
    outputs: RunOutputs, exporter: Inspector, tmp_path: Path
) -> None:
    model = outputs.output("train", "trained_model")
    assert model is not None
    damaged = shutil.copytree(model.folder, tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"none")
    facts = {"model": str(damaged), "name": "m", "training": None, "validation": None}
    target = tmp_path / "out" / "m.onnx"
    with pytest.raises(InspectionError, match="damaged"):
        exporter.ask(EXPORT, **facts, format="onnx", target=str(target))
    assert list(target.parent.iterdir()) == []
