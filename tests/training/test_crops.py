"""Random crops of files: JPEGs decoded straight into tensors, by either decoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from modules.errors import InvalidDatasetError
from modules.images.card import CardImages, fastest_reader
from modules.images.decode import open_rgb
from modules.images.jpeg import decode_plain, plain_size
from tests.training.jpegs import OTHERS, PLAIN, crops, jpeg, mixed


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_jpeg_has_the_pixels_that_pillow_gives_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / "image.jpg"
    path.write_bytes(PLAIN[name])
    pixels_CHW = decode_plain(path, (45, 61))
    assert pixels_CHW is not None
    assert np.array_equal(pixels_CHW.permute(1, 2, 0), np.asarray(open_rgb(path)))
    assert decode_plain(path, (61, 45)) is None, "it is not what was recorded"


@pytest.mark.parametrize("name", OTHERS)
def test_what_needs_interpretation_is_left_to_pillow(tmp_path: Path, name: str) -> None:
    path = tmp_path / "image.jpg"
    path.write_bytes(OTHERS[name])
    assert plain_size(memoryview(OTHERS[name])) is None
    assert decode_plain(path, (45, 61)) is None
    assert decode_plain(tmp_path / "missing.jpg", (45, 61)) is None


def test_damaged_pixels_are_left_to_pillow_too(tmp_path: Path) -> None:
    content = bytearray(jpeg())
    content[2:6] = b"\xff\xc4\x00\x03"
    path = tmp_path / "image.jpg"
    path.write_bytes(content)
    assert decode_plain(path, (45, 61)) is None


def test_crops_of_jpegs_are_those_of_pillow(tmp_path: Path) -> None:
    images = crops(tmp_path, mixed())
    for seed in range(20):
        drawn = images.drawn(seed)
        squares_NHWC = drawn.read(range(len(images)))
        for index, square in enumerate(squares_NHWC):
            top, left, height, width = drawn.boxes([index])[0].tolist()
            whole = open_rgb(images.reader.path(index))
            box = whole.crop((left, top, left + width, top + height))
            expected = box.resize((24, 24), Image.Resampling.BILINEAR)
            difference = np.abs(square.astype(int) - np.asarray(expected))
            assert difference.mean() < 0.5
            assert difference.max() <= 2
    images.close()


def test_a_card_reads_the_same_batches(tmp_path: Path) -> None:
    images = crops(tmp_path, mixed())
    device = torch.device("cpu")
    for seed, indices in ((1, [5, 0, 3, 4, 2]), (2, [4, 5]), (3, [0, 1])):
        expected = torch.from_numpy(images.drawn(seed).read(indices)).int()
        read = CardImages(images, device).drawn(seed).read(indices)
        assert (read - expected).abs().max() <= 1
    assert fastest_reader(images, device) is images, "there is no card here to measure"
    images.close()


def test_a_file_that_went_bad_is_named_by_either(tmp_path: Path) -> None:
    images = crops(tmp_path, {"good": jpeg(), "bad": jpeg()})
    path = images.reader.path(1)
    for content in (jpeg()[:-300], b"no image", b""):
        path.write_bytes(content)
        for each in (images, CardImages(images, torch.device("cpu"))):
            with pytest.raises(InvalidDatasetError, match="bad can no longer be read"):
                each.read([0, 1])
    images.close()
