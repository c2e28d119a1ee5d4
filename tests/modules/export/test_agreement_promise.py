"""The promise: exported files answer as Score Image Model, for pictures of any size and mode.

Pixels come from the code in the README of an export. Score runs in fp32 with torch.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from modules.artifacts import ImageDirectory, TrainedModel
from modules.context import Context
from modules.errors import ModelNotExportedError
from modules.export.architectures import NOT_ONNX
from modules.export.exported_file import Export
from modules.export.readme import readme
from modules.models.architectures import IMAGE_MODELS
from modules.models.build import minimum_image_size
from modules.scoring.score_image_model import score_image_model
from tests.modules.export.pictures import directory, lively_model, picture_files, soft_picture

NEAR = "resnet18"
DAILY = "mobilenet_v3_small"
LARGER = ("efficientnet_b0", "resnet50", "shufflenet_v2_x0_5")
NUM_PICTURES, NUM_MANY, NUM_PHOTOGRAPHS = 64, 200, 40
LARGE_SIZES = ((2400, 1799), (1201, 2003), (4000, 700))
NUM_LARGE = len(LARGE_SIZES)
LABELS_AGREE, WITHIN = 0.999, 0.002


@dataclass(frozen=True)
class Result:
    """Agreement of an exported file with Score."""

    images: int
    agreed: int
    largest: float
    seconds: float

    def keep(self) -> None:
        assert self.agreed >= LABELS_AGREE * self.images
        assert self.largest <= WITHIN


def from_readme(folder: Path, card: dict[str, Any]) -> Any:
    """The function of the README that reads an image."""
    code = readme(card, ["a"], "model.onnx").partition("```python\n")[2].partition("session =")[0]
    (folder / "readme.py").write_text(code, encoding="utf-8")
    return runpy.run_path(str(folder / "readme.py"))["rgb"]


@dataclass(frozen=True)
class Exported:
    """A model and its file."""

    model: TrainedModel
    folder: Path
    card: dict[str, Any]
    seconds: float


def exported(folder: Path, architecture: str, size: int = 64) -> Exported:
    """Export a network that was trained for a moment."""
    model = lively_model(folder / "model", architecture, size)
    started = time.monotonic()
    card = Export(model, "promise", "onnx").write(folder / "model.onnx")
    return Exported(model, folder, card, time.monotonic() - started)


def compared_with_score(folder: Path, made: Exported, images: ImageDirectory) -> Result:
    """Compare with Score on every picture."""
    import onnxruntime

    context = Context(folder / "scored", cache_dir=folder / "cache", threads=1)
    rows = score_image_model(made.model, images, context)[0].rows.set_index("path")
    session = onnxruntime.InferenceSession(str(made.folder / "model.onnx"))
    labels = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
    rgb = from_readme(folder, made.card)
    agreed, largest = 0, 0.0
    for path, file in zip(images.images["path"], images.file_paths(), strict=True):
        probabilities, label = session.run(None, {"pixels": rgb(file)})
        row = rows.loc[path]
        wanted = np.array([row[f"Scored Probabilities_{name}"] for name in labels])
        largest = max(largest, float(np.abs(wanted - probabilities).max()))
        agreed += labels[int(label)] == row["Scored Labels"]
    return Result(len(rows), agreed, largest, made.seconds)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> ImageDirectory:
    return directory(tmp_path_factory.mktemp("pictures"), list(picture_files(NUM_PICTURES)))


@pytest.mark.extended
def test_pictures_of_odd_sizes_and_modes(pictures: ImageDirectory, tmp_path: Path) -> None:
    result = compared_with_score(tmp_path, exported(tmp_path, NEAR), pictures)
    assert result.images == NUM_PICTURES
    result.keep()


@pytest.fixture(scope="module")
def daily(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return exported(tmp_path_factory.mktemp("exported"), DAILY)


@pytest.mark.full  # as test_photographs
@pytest.mark.extended
def test_large_pictures_too(daily: Exported, tmp_path: Path) -> None:
    images = directory(tmp_path / "pictures", [*picture_files(NUM_PICTURES), *large_files()])
    result = compared_with_score(tmp_path, daily, images)
    assert result.images == NUM_PICTURES + NUM_LARGE
    result.keep()


@pytest.mark.full  # as test_large_pictures_too
@pytest.mark.parametrize("architecture", [DAILY, *LARGER])
def test_many_pictures(architecture: str, tmp_path: Path) -> None:
    files = [*picture_files(NUM_MANY), *large_files()]
    images = directory(tmp_path / "pictures", files)
    result = compared_with_score(tmp_path, exported(tmp_path, architecture), images)
    assert result.images == NUM_MANY + NUM_LARGE
    note(architecture, 64, result)
    result.keep()


def large_files() -> Iterator[tuple[str, bytes]]:
    """JPEG files that training decodes at an eighth of their size; ONNX resizes them in float32."""
    for number, size in enumerate(LARGE_SIZES):
        buffer = io.BytesIO()
        soft_picture(*size, number).save(buffer, "JPEG", quality=90)
        yield f"large-{number}.jpg", buffer.getvalue()


@pytest.mark.extended
def test_photographs(daily: Exported, tmp_path: Path, shared_data: Path) -> None:
    found = sorted((shared_data / "imagenet-sample").rglob("*"))
    files = [path for path in found if path.suffix.lower() in (".jpeg", ".jpg")]
    half = NUM_PHOTOGRAPHS // 2
    contents = [(f"{n:04d}.jpg", path.read_bytes()) for n, path in enumerate(files[:half])]
    contents += [(f"{n:04d}.png", _as_png(path)) for n, path in enumerate(files[half : 2 * half])]
    images = directory(tmp_path / "photos", contents)
    compared_with_score(tmp_path, daily, images).keep()


def _as_png(path: Path) -> bytes:
    buffer = io.BytesIO()
    Image.open(path).convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.full  # as test_pictures_of_odd_sizes_and_modes
@pytest.mark.parametrize("architecture", sorted(set(IMAGE_MODELS) - {NEAR}))
def test_all_architectures(architecture: str, pictures: ImageDirectory, tmp_path: Path) -> None:
    size = max(64, minimum_image_size(architecture))
    if architecture in NOT_ONNX:
        with pytest.raises(ModelNotExportedError):
            exported(tmp_path, architecture, size)
        return
    result = compared_with_score(tmp_path, exported(tmp_path, architecture, size), pictures)
    note(architecture, size, result)
    result.keep()


def note(architecture: str, size: int, result: Result) -> None:
    """Append the figures to the file that ``AGREEMENT_TABLE`` names, if it is set."""
    if path := os.environ.get("AGREEMENT_TABLE"):
        facts = {"architecture": architecture, "size": size, **vars(result)}
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")
