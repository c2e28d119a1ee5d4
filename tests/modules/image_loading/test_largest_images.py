"""The largest images of a dataset, and what forecasts report of them."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from modules.catalog import builtin_catalog
from modules.context import Context
from modules.datasets.folder_summary import forecast_of
from modules.forecast import ArtifactForecast, StepForecast
from modules.image_loading import largest_images
from modules.image_loading.largest_images import decoding_bytes, images_of
from modules.training.forecast import forecast_training
from modules.training.parameters import TrainParameters

RESIZE = {"operation": "resize", "size": 224}
CROP = {"operation": "center_crop", "size": 224}
LARGE = {
    "a/opaque.png": ("RGB", (3_000, 2_000)),
    "a/strip.png": ("RGB", (40_000, 1)),
    "b/photo.jpg": ("RGB", (4_000, 4_000)),
    "b/transparent.png": ("RGBA", (1_000, 1_000)),
}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two classes of small images with a few large ones."""
    small = {f"{label}/{number:02d}.png": ("L", (8, 8)) for label in "ab" for number in range(20)}
    for path, (mode, size) in {**small, **LARGE}.items():
        (tmp_path / "dataset" / path).parent.mkdir(parents=True, exist_ok=True)
        Image.new(mode, size).save(tmp_path / "dataset" / path)
    return tmp_path / "dataset"


def forecast_by(module: str, inputs: dict[str, ArtifactForecast]) -> StepForecast:
    found = builtin_catalog().get(module)
    assert found is not None
    assert found.forecast is not None
    answer = found.forecast(inputs, found.parameters_type(), Context(Path()))
    assert isinstance(answer, StepForecast)
    return answer


def test_the_largest_images_and_the_longest_one_are_known(dataset: Path) -> None:
    images = images_of(forecast_of(dataset))
    assert [image.path for image in images[:3]] == [
        "b/photo.jpg",
        "a/opaque.png",
        "b/transparent.png",
    ]
    assert "a/strip.png" in {image.path for image in images}
    assert len(images) <= largest_images.NUM_KEPT + 1
    (strip,) = (image for image in images if image.path == "a/strip.png")
    assert (strip.height, strip.width) == (1, 40_000)


def test_of_many_files_the_largest_and_some_others_are_read(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(largest_images, "MAX_HEADERS", 8)
    images = images_of(forecast_of(dataset))
    assert {"a/opaque.png", "b/photo.jpg", "b/transparent.png"} <= {each.path for each in images}
    assert len(images) <= 12


def test_a_changed_file_is_read_again(dataset: Path) -> None:
    assert images_of(forecast_of(dataset))[0].path == "b/photo.jpg"
    Image.new("RGB", (10, 10)).save(dataset / "b/photo.jpg")
    assert images_of(forecast_of(dataset))[0].path == "a/opaque.png"


def test_memory_counts_as_many_images_as_are_decoded_at_once(dataset: Path) -> None:
    images = {image.path: image for image in images_of(forecast_of(dataset))}
    opaque, transparent = images["a/opaque.png"], images["b/transparent.png"]
    assert decoding_bytes([opaque], (), 1) == 4 * 6_000_000
    assert decoding_bytes([opaque, transparent], (), 1) == 4 * 6_000_000
    assert decoding_bytes([opaque, transparent], (), 2) == 4 * 6_000_000 + 16 * 1_000_000
    resized = 4 * 224 * 336
    assert decoding_bytes([opaque], [RESIZE, CROP], 1) == 4 * 6_000_000 + resized
    photo = images["b/photo.jpg"]  # a decoder scales it down
    assert decoding_bytes([photo], [RESIZE, CROP], 1) == 4 * 250_000 + 4 * 224 * 224
    assert decoding_bytes([photo], (), 1) == 4 * 16_000_000
    strip = images["a/strip.png"]  # only what the crop keeps is resized
    assert decoding_bytes([strip], [RESIZE, CROP], 1) < 500_000
    assert decoding_bytes([strip], [RESIZE], 1) == 4 * 40_000 + 4 * 224 * 8_960_000


def test_the_forecast_of_a_training_counts_the_largest_image(dataset: Path) -> None:
    images = replace(forecast_of(dataset), image_height=32, image_width=32)
    known = replace(images, transformation=(), num_classes=2)
    recipe = ArtifactForecast(recipe={"family": "ResNet", "architecture": "resnet18"})
    context = Context(Path(), threads=1)

    def memory(training: ArtifactForecast, validation: ArtifactForecast) -> int:
        inputs = {"training_dataset": training, "validation_dataset": validation}
        answer = forecast_training(
            {"untrained_model": recipe, **inputs}, TrainParameters(batch_size=2), context
        )
        assert answer.memory_bytes is not None
        return answer.memory_bytes

    small = replace(known, largest_images=None)
    assert memory(known, small) - memory(small, small) == 4 * 16_000_000
    assert memory(small, known) - memory(small, small) == 4 * 16_000_000


def test_images_over_the_limit_are_reported_by_name(dataset: Path) -> None:
    content = b"IHDR" + struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    chunks = struct.pack(">I", 13) + content + struct.pack(">I", zlib.crc32(content))
    chunks += struct.pack(">I4s", 0, b"IDAT") + struct.pack(">I", zlib.crc32(b"IDAT"))
    (dataset / "a" / "huge.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    converted = forecast_by("convert_to_image_directory", {"input_dataset": forecast_of(dataset)})
    remaining = images_of(converted.outputs["output_image_directory"])
    assert remaining[0].path == "b/photo.jpg"
    assert "a/huge.png" not in {image.path for image in remaining}
    (finding,) = converted.findings
    assert (finding.severity, finding.parameter) == ("warning", "on_unreadable_image")
    assert "more than 178 megapixels" in finding.message
    assert "a/huge.png" in finding.message


def test_a_strip_without_a_crop_is_reported_before_it_runs(dataset: Path) -> None:
    images = forecast_of(dataset)

    def findings(*operations: dict[str, object]) -> list[str]:
        inputs = {
            "input_image_directory": images,
            "input_image_transformation": ArtifactForecast(transformation=operations),
        }
        return [each.message for each in forecast_by("apply_image_transformation", inputs).findings]

    (message,) = findings(RESIZE)
    assert message.startswith("The image a/strip.png (40,000 x 1 pixels) is too narrow")
    assert findings(RESIZE, CROP) == findings() == []
