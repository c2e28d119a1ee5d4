"""The promise: exported files answer as Score Image Model, for pictures of any size and mode.

Pixels come from the code in the README of an export. Score runs in fp32 with torch.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from modules.artifacts import AnyDirectory, ImageDirectory, TrainedModel
from modules.context import Context
from modules.errors import ModelNotExportedError
from modules.export.architectures import NOT_ONNX
from modules.export.exported_file import Export
from modules.export.readme import readme
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.models.architectures import IMAGE_MODELS
from modules.models.build import minimum_image_size
from modules.scoring.score_image_model import score_image_model
from modules.transforms.operations import draft_size
from tests.modules.export.pictures import lively_model, picture_files

NEAR = ("resnet18", "densenet121")
LABELS_AGREE, WITHIN = 0.999, 0.002


@dataclass(frozen=True)
class Result:
    """Agreement on images that scoring decodes in full, and on JPEG files that it decodes smaller.

    The latter have other pixels in other programs, so only most of their labels must agree.
    """

    images: int
    agreed: int
    largest: float
    reduced: int
    reduced_agreed: int
    reduced_largest: float
    seconds: float

    def keep(self) -> None:
        assert self.agreed >= LABELS_AGREE * self.images
        assert self.largest <= WITHIN
        assert self.reduced_agreed >= 0.8 * self.reduced  # these networks are hardly trained


def directory(folder: Path, files: list[tuple[str, bytes]]) -> ImageDirectory:
    """Convert files as the pipeline does."""
    source = folder / "files"
    source.mkdir(parents=True)
    for name, content in files:
        (source / name).write_bytes(content)
    named = AnyDirectory.write(Context(folder / "named").new_folder(), source)
    context = Context(folder / "store/converted")
    converted = convert_to_image_directory(named, ConvertParameters(), context)[0]
    assert isinstance(converted, ImageDirectory)
    return converted


def from_readme(folder: Path, card: dict[str, Any]) -> Any:
    """The function of the README that reads an image."""
    code = readme(card, ["a"], "model.onnx").partition("```python\n")[2].partition("session =")[0]
    (folder / "readme.py").write_text(code, encoding="utf-8")
    return runpy.run_path(str(folder / "readme.py"))["rgb"]


def compared_with_score(folder: Path, model: TrainedModel, images: ImageDirectory) -> Result:
    """Export, then compare with Score on every picture."""
    import onnxruntime

    folder.mkdir()
    started = time.monotonic()
    card = Export(model, "promise", "onnx").write(folder / "model.onnx")
    seconds = time.monotonic() - started
    context = Context(folder / "scored", cache_dir=folder / "cache", threads=1)
    rows = score_image_model(model, images, context)[0].rows.set_index("path")
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    labels = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
    rgb = from_readme(folder, card)
    compared: dict[str, tuple[bool, float]] = {}
    for path, file in zip(images.images["path"], images.file_paths(), strict=True):
        probabilities, label = session.run(None, {"pixels": rgb(file)})
        row = rows.loc[path]
        wanted = np.array([row[f"Scored Probabilities_{name}"] for name in labels])
        difference = float(np.abs(wanted - probabilities).max())
        compared[path] = labels[int(label)] == row["Scored Labels"], difference
    reduced = _reduced(model, images)
    full = [compared[path] for path in compared if path not in reduced]
    others = [compared[path] for path in reduced]
    return Result(*_counts(full), *_counts(others), seconds)


def _counts(compared: list[tuple[bool, float]]) -> tuple[int, int, float]:
    """The number of images, of equal labels, and the largest difference."""
    agreed = sum(is_equal for is_equal, _ in compared)
    return len(compared), agreed, max((difference for _, difference in compared), default=0.0)


def _reduced(model: TrainedModel, images: ImageDirectory) -> set[str]:
    """The paths of JPEG files that scoring decodes at a reduced size."""
    operations = model.description["inference_transformation"]
    table = images.images
    rows = zip(map(str, table["path"]), table["width"], table["height"], strict=True)
    return {
        path
        for path, width, height in rows
        if path.endswith(".jpg") and draft_size(operations, int(width), int(height)) is not None
    }


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> ImageDirectory:
    return directory(tmp_path_factory.mktemp("pictures"), list(picture_files(64)))


@pytest.mark.parametrize("architecture", NEAR)
def test_pictures_of_odd_sizes_and_modes(
    architecture: str, pictures: ImageDirectory, tmp_path: Path
) -> None:
    model = lively_model(tmp_path / "model", architecture, 64)
    result = compared_with_score(tmp_path / "compared", model, pictures)
    assert result.images + result.reduced == 64
    assert result.images > 40
    result.keep()


@pytest.mark.extended
def test_photographs(tmp_path: Path, shared_data: Path) -> None:
    """As PNG, every program decodes the same pixels; of JPEG files only labels are compared."""
    photos = shared_data / "imagenet-sample"
    files = sorted(path for path in photos.rglob("*") if path.suffix.lower() in (".jpeg", ".jpg"))
    contents = [(f"{n:04d}.jpg", path.read_bytes()) for n, path in enumerate(files[:50])]
    contents += [(f"{n:04d}.png", _as_png(path)) for n, path in enumerate(files[50:100])]
    model = lively_model(tmp_path / "model", "resnet18", 64)
    compared_with_score(
        tmp_path / "compared", model, directory(tmp_path / "photos", contents)
    ).keep()


def _as_png(path: Path) -> bytes:
    buffer = io.BytesIO()
    Image.open(path).convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.full  # test_pictures_of_odd_sizes_and_modes has three architectures
@pytest.mark.parametrize("architecture", sorted(set(IMAGE_MODELS) - set(NEAR)))
def test_all_architectures(architecture: str, pictures: ImageDirectory, tmp_path: Path) -> None:
    size = max(64, minimum_image_size(architecture))
    model = lively_model(tmp_path / "model", architecture, size)
    if architecture in NOT_ONNX:
        with pytest.raises(ModelNotExportedError):
            Export(model, "promise", "onnx").write(tmp_path / "model.onnx")
        return
    result = compared_with_score(tmp_path / "compared", model, pictures)
    if folder := os.environ.get("AGREEMENT_TABLE"):
        facts = {"architecture": architecture, "size": size, **vars(result)}
        with Path(folder).open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")
    result.keep()
