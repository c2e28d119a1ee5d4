"""Exported files: what they answer, what they contain, and what is refused."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from safetensors.torch import load_file

from modules.artifacts import ImageDirectory, TrainedModel
from modules.errors import ModelNotExportedError
from modules.export import formats, network
from modules.export.agreement import EXACT, ROUNDED, Agreement, RoundedAgreement, compare
from modules.export.architectures import check_architecture
from modules.export.card import difference_text
from modules.export.check_images import check_images
from modules.export.exported_file import Export, onnx_predictor
from modules.export.local_paths import without_local_paths
from modules.export.network import load_network
from modules.export.preparation import Preparation
from modules.export.readme import labels_text, readme
from tests.modules.export.pictures import CLASSES, lively_model, soft_directory, soft_picture


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    return lively_model(tmp_path_factory.mktemp("model"), "resnet18")


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> ImageDirectory:
    folder = tmp_path_factory.mktemp("store") / "a/out"
    return soft_directory(folder, 25)


@pytest.fixture(scope="module")
def exported(
    model: TrainedModel, images: ImageDirectory, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any]]:
    file = tmp_path_factory.mktemp("exported") / "model.onnx"
    card = Export(model, "pets@1", "onnx", training=images, validation=images).write(file)
    return file, card


def test_one_file_from_pixels_to_labels(exported: tuple[Path, dict[str, Any]]) -> None:
    file, card = exported
    session = onnxruntime.InferenceSession(str(file))
    [pixels] = session.get_inputs()
    assert (pixels.name, pixels.type, pixels.shape) == (
        "pixels",
        "tensor(uint8)",
        ["height", "width", 3],
    )
    assert [output.name for output in session.get_outputs()] == ["probabilities", "label"]
    image = np.asarray(soft_picture(90, 77, 1))
    probabilities, label = session.run(None, {"pixels": image})
    assert probabilities.shape == (len(CLASSES),)
    assert probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert int(label) == int(probabilities.argmax())
    assert list(file.parent.iterdir()) == [file]
    assert card["agreement"]["images"] == 25
    assert card["agreement"]["label_agreement"] == 1.0
    assert card["agreement"]["largest_difference"] < 1e-4
    assert card["validation_images"] == dict.fromkeys(CLASSES, 5)
    assert sum(row["images"] for row in card["per_class"]) == 25


def test_metadata_name_the_classes_and_hide_this_machine(
    exported: tuple[Path, dict[str, Any]],
) -> None:
    file, card = exported
    content = file.read_bytes()
    for text in ("/home/me", "secret", str(Path.cwd()), "site-packages", "stack_trace"):
        assert text.encode() not in content
    stored = onnx.load(str(file))
    texts = {entry.key: entry.value for entry in stored.metadata_props}
    assert json.loads(texts["labels"]) == CLASSES
    assert json.loads(texts["card"]) == card
    assert json.loads(texts["pipeline-designer"])["nodes"] == [{"source": "file:pets"}]
    domains = [opset.domain for opset in stored.opset_import]
    assert len(domains) == len(set(domains))


@pytest.mark.extended
def test_equal_models_are_equal_files(
    model: TrainedModel,
    images: ImageDirectory,
    exported: tuple[Path, dict[str, Any]],
    tmp_path: Path,
) -> None:
    again = tmp_path / "again.onnx"
    Export(model, "pets@1", "onnx", training=images, validation=images).write(again)
    assert again.read_bytes() == exported[0].read_bytes()


def test_a_batch_for_servers(model: TrainedModel, images: ImageDirectory, tmp_path: Path) -> None:
    file = tmp_path / "batch.onnx"
    card = Export(model, "pets", "onnx", batch=True, validation=images).write(file)
    assert card["agreement"]["largest_difference"] < 1e-4
    session = onnxruntime.InferenceSession(str(file))
    assert session.get_inputs()[0].shape == ["images", 64, 64, 3]
    pixels = np.stack([np.asarray(soft_picture(64, 64, seed)) for seed in range(5)])
    probabilities, labels = session.run(None, {"pixels": pixels})
    assert probabilities.shape == (5, len(CLASSES))
    assert list(labels) == list(probabilities.argmax(axis=1))
    [first] = session.run(["probabilities"], {"pixels": pixels[:1]})
    assert np.abs(first[0] - probabilities[0]).max() < 1e-5


def test_eight_bit_integers_are_a_quarter_of_the_size(tmp_path: Path) -> None:
    model = lively_model(tmp_path / "model", "resnet18")
    images = soft_directory(tmp_path / "store/a/out", 20)
    card = Export(model, "pets", "onnx-int8", training=images).write(tmp_path / "int8.onnx")
    assert card["agreement"]["label_agreement"] >= 0.95
    assert (tmp_path / "int8.onnx").stat().st_size < 13_000_000  # 44.7 MB in float32
    kinds = {node.op_type for node in onnx.load(str(tmp_path / "int8.onnx")).graph.node}
    assert "QuantizeLinear" in kinds
    assert sorted(path.name for path in tmp_path.iterdir()) == ["int8.onnx", "model", "store"]
    with pytest.raises(ModelNotExportedError, match="images"):
        Export(model, "pets", "onnx-int8").write(tmp_path / "none.onnx")
    assert not (tmp_path / "none.onnx").exists()


@pytest.mark.extended
def test_models_trained_in_bf16_are_compared_with_their_scores_too(
    images: ImageDirectory, tmp_path: Path
) -> None:
    model = lively_model(tmp_path / "model", "resnet18", precision="bf16")
    card = Export(model, "pets", "onnx", validation=images).write(tmp_path / "model.onnx")
    agreement = card["agreement"]
    assert agreement["compared_with"] == "Score Image Model in fp32"
    assert agreement["largest_difference"] < 1e-4
    assert agreement["in_bf16"]["compared_with"] == "Score Image Model in bf16"
    assert agreement["in_bf16"]["label_agreement"] >= 0.95
    assert 1e-4 < agreement["in_bf16"]["largest_difference"] < 0.2
    text = readme(card, CLASSES, "model.onnx")
    assert "Agreement with Score Image Model in fp32" in text
    assert "scores in bf16" in text
    rounded = RoundedAgreement(num_agreed=23, largest_difference=0.1)
    result = Agreement("images", 25, 25, 0.0, in_bf16=rounded)
    with pytest.raises(ModelNotExportedError, match="scores this model in bf16: 23 of 25"):
        result.check(EXACT)
    result.check(ROUNDED)


@pytest.mark.extended
def test_a_torch_program(model: TrainedModel, tmp_path: Path) -> None:
    file = tmp_path / "model.pt2"
    card = Export(model, "pets", "torch-export").write(file)
    assert card["agreement"]["images_from"] == "generated images"
    assert str(Path.cwd()).encode() not in file.read_bytes()
    texts = {"labels.json": "", "card.json": ""}
    program = torch.export.load(file, extra_files=texts).module()
    assert json.loads(texts["labels.json"]) == CLASSES
    assert json.loads(texts["card.json"]) == card
    pixels = torch.from_numpy(np.asarray(soft_picture(64, 64, 3)).copy())[None].repeat(3, 1, 1, 1)
    probabilities, labels = program(pixels)
    assert probabilities.shape == (3, len(CLASSES))
    assert labels.tolist() == probabilities.argmax(dim=1).tolist()


def test_weights_alone(model: TrainedModel, tmp_path: Path) -> None:
    card = Export(model, "pets", "safetensors").write(tmp_path / "model.safetensors")
    assert "agreement" not in card
    assert load_file(tmp_path / "model.safetensors").keys() == load_file(model.weights_path).keys()


def test_a_file_that_answers_differently_is_refused(
    model: TrainedModel, images: ImageDirectory, exported: tuple[Path, dict[str, Any]]
) -> None:
    preparation = Preparation.of(model)
    predict = onnx_predictor(exported[0].read_bytes(), batch=False)
    loaded = load_network(model)
    checked = list(check_images(images, preparation))

    def shifted(image: Any) -> Any:
        return np.roll(predict(image), 1)

    def broken(image: Any) -> Any:
        return predict(image) * float("nan")

    for wrong in (shifted, broken):
        result = compare(checked, "images", wrong, loaded, preparation.normalisation)
        with pytest.raises(ModelNotExportedError, match="differs"):
            result.check(EXACT)
    compare(checked, "images", predict, loaded, preparation.normalisation).check(EXACT)
    Agreement("none", 100, 99, 0.001).check(EXACT)
    with pytest.raises(ModelNotExportedError):
        Agreement("none", 100, 98, 0.001).check(EXACT)


def test_missing_packages_and_networks_that_cannot_be_exported(
    model: TrainedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(formats, "find_spec", lambda name: None if name == "onnxscript" else name)
        with pytest.raises(ModelNotExportedError, match="onnxscript") as refusal:
            Export(model, "pets", "onnx").write(tmp_path / "model.onnx")
    assert "pip install" in refusal.value.cure
    with monkeypatch.context() as patch:
        patch.setattr(network, "ONNX_BYTES", 1000)
        with pytest.raises(ModelNotExportedError, match="GB"):
            Export(model, "pets", "onnx").write(tmp_path / "model.onnx")
    check_architecture("resnet18", "onnx")
    check_architecture("vit_h_14", "torch-export")
    with pytest.raises(ModelNotExportedError, match=r"2\.5 GB"):
        check_architecture("vit_h_14", "onnx")
    assert list(tmp_path.iterdir()) == []


CODE = """
from torch import nn

class Deciding(nn.Module):
    def __init__(self, num_classes):
        super().__init__()
        self.head = nn.Linear(3, num_classes)

    def forward(self, images):
        means = images.mean(dim=(2, 3))
        if means.sum() > 0:
            return self.head(means)
        return self.head(-means)
"""


@pytest.mark.parametrize("chosen", ["onnx", "torch-export"])
def test_control_flow_that_depends_on_pixels(
    chosen: formats.Format, model: TrainedModel, tmp_path: Path
) -> None:
    import pandas as pd

    from modules.models.build import build_model
    from modules.models.own_network import own_recipe
    from modules.models.serialization import save_trained

    recipe = own_recipe(CODE, None)
    built = build_model(recipe, len(CLASSES), weights_dir=None, seed=1)
    description = {**model.description, "recipe": recipe.to_json()}
    (tmp_path / "own").mkdir()
    own = save_trained(tmp_path / "own", built, description, pd.DataFrame({"Valid loss": [1.0]}))
    target = tmp_path / f"own{formats.SUFFIXES[chosen]}"
    with pytest.raises(ModelNotExportedError, match="Deciding") as refusal:
        Export(own, "own", chosen).write(target)
    assert "control flow" in refusal.value.cure
    assert not target.exists()


def test_differences_are_never_shown_as_none() -> None:
    texts = [difference_text(value) for value in (0.0, 1e-9, 0.00123, 0.5, 2e-6)]
    assert texts == ["0.000001", "0.000001", "0.00123", "0.5", "0.000002"]


def test_local_paths_are_reduced_to_names() -> None:
    content = {
        "source": "file:/home/me/pets.zip",
        "windows": "C:\\Users\\me\\pets",
        "home": ["~/pets", "~"],
        "kept": ["sample:digits", "https://example.org/a/b", "a/b", "s3://bucket/a", "1/2"],
        "code": "import os\nopen('/etc/hosts')",
        "number": 3,
    }
    assert without_local_paths(content) == {
        **content,
        "source": "file:pets.zip",
        "windows": "pets",
        "home": ["pets", ""],
    }


def test_the_readme_shows_the_card_and_escapes_names(
    exported: tuple[Path, dict[str, Any]],
) -> None:
    card = {**exported[1], "name": "a|b\n# c <script>"}
    labels = ["x | y", "two\nlines", "`code`"]
    rows = [
        {"class": label, "images": 3, "precision": 0.5, "recall": None, "f1": 0.25}
        for label in labels
    ]
    text = readme({**card, "per_class": rows}, labels, "model.onnx")
    assert text.startswith("# a\\|b \\# c \\<script\\>\n")
    assert "| x \\| y |" in text
    assert "| two lines |" in text
    assert "25 of 25 labels equal" in text
    for language in ("python", "javascript", "csharp"):
        assert f"```{language}" in text
    assert labels_text(labels) == "x | y\ntwo lines\n`code`\n"


def test_the_python_example_of_the_readme_runs(
    exported: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
) -> None:
    file, card = exported
    soft_picture(90, 70, 3).save(tmp_path / "photo.jpg")
    (tmp_path / "model.onnx").write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    code = readme(card, CLASSES, "model.onnx").partition("```python\n")[2].partition("```")[0]
    Path("example.py").write_text(code, encoding="utf-8")
    runpy.run_path("example.py")
    assert capsys.readouterr().out.split()[0] in CLASSES
