"""Images that are long strips: a resize costs no more than the crop behind it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from modules.artifacts import ImageDirectory
from modules.errors import ImageExceedsLimitError
from modules.image_loading.reader import Reader
from modules.transforms.operations import apply_prefix, is_huge_strip
from tests.modules.training.noise import noise_squares

RESIZE: dict[str, Any] = {"operation": "resize", "size": 224}
CROP: dict[str, Any] = {"operation": "center_crop", "size": 224}


def strips(folder: Path, size: tuple[int, int]) -> ImageDirectory:
    return noise_squares(folder / "store/a/out", ["cat", "dog"], 1, sizes=[(40, 36), size])


@pytest.mark.parametrize("size", [(40_000, 1), (1, 40_000)])
def test_a_long_strip_is_read_in_little_memory(tmp_path: Path, size: tuple[int, int]) -> None:
    reader = Reader.of(strips(tmp_path, size), [RESIZE, CROP])
    assert [reader.pixels(index).shape for index in (0, 1)] == [(224, 224, 3)] * 2


@pytest.mark.parametrize("size", [(501, 1), (500, 1), (1, 700), (1_004, 2)])
@pytest.mark.parametrize("crop", [64, 101, 300])
def test_its_middle_is_what_the_whole_would_show(size: tuple[int, int], crop: int) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    image = Image.fromarray(noise)
    resize = {"operation": "resize", "size": 224}
    assert is_huge_strip(224, *size)
    whole = apply_prefix(
        apply_prefix(image, [resize]), [{"operation": "center_crop", "size": crop}]
    )
    part = apply_prefix(image, [resize, {"operation": "center_crop", "size": crop}])
    assert part.size == whole.size
    difference = np.abs(np.asarray(part, dtype=int) - np.asarray(whole, dtype=int))
    assert difference.max() <= 4  # of noise, which a hundredth of a pixel changes


@pytest.mark.parametrize("size", [(4_000, 3_000), (2_000, 100), (100, 100), (1_000, 32)])
def test_other_images_are_resized_as_a_whole(size: tuple[int, int]) -> None:
    assert not any(is_huge_strip(edge, *size) for edge in (64, 224, 384))


def test_a_strip_without_a_crop_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ImageExceedsLimitError, match=r"0001\.png \(40,000 x 1 "):
        Reader.of(strips(tmp_path, (40_000, 1)), [RESIZE, {"operation": "grayscale"}])
