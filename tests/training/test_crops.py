"""Random crops of files: JPEGs decoded straight into tensors, by either decoder."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from PIL import Image

from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.images.card import CardImages, fastest_reader
from modules.images.decode import open_rgb, read_header
from modules.images.jpeg import decode_plain, plain_size
from modules.images.source import CroppedImages, open_images
from modules.ports import ImageDirectory
from modules.training.distributed import Group

CROP = {"operation": "random_resized_crop", "size": 24, "scale": [0.2, 1], "ratio": [0.75, 4 / 3]}


def picture(mode: str = "RGB", width: int = 61, height: int = 45) -> Image.Image:
    y, x = np.mgrid[0:height, 0:width]
    waves = np.stack([np.sin(x / 7), np.cos(y / 5), np.sin((x + y) / 9)], axis=-1)
    return Image.fromarray((waves * 100 + 128).astype(np.uint8)).convert(mode)


def jpeg(mode: str = "RGB", **options: Any) -> bytes:
    written = BytesIO()
    picture(mode).save(written, "JPEG", quality=90, **options)
    return written.getvalue()


def with_orientation(value: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = value
    return exif


PLAIN: Mapping[str, bytes] = {
    "colour": jpeg(),
    "full colour": jpeg(subsampling=0),
    "grey": jpeg("L"),
    "progressive": jpeg(progressive=True),
}
OTHERS: Mapping[str, bytes] = {
    "turned": jpeg(exif=with_orientation(6)),
    "four inks": jpeg("CMYK"),
    "cut off": jpeg()[:-100],
    "empty": b"",
    "only a start": b"\xff\xd8\xff\xd9",
    "markers without end": b"\xff\xd8" + b"\xff\xe0\x00\x00" * 9 + b"\xff\xd9",
}


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


def crops(folder: Path, files: Mapping[str, bytes]) -> CroppedImages:
    """Random crops of these files."""
    out = folder / "store/a/out"
    (out / "images").mkdir(parents=True)
    rows = []
    for name, content in files.items():
        (out / "images" / name).write_bytes(content)
        header = read_header(content)
        rows.append([name, "a", header.width, header.height, len(content), name, ""])
    table = pd.DataFrame(rows, columns=list(ImageDirectory.COLUMNS))
    dataset = ImageDirectory.write(out, table, ["a"], None)
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
    group = Group(context, torch.device("cpu"))
    images = open_images(dataset, (), context, group, random_operations=(CROP,))
    assert isinstance(images, CroppedImages)
    return images


def mixed() -> dict[str, bytes]:
    """Plain JPEGs, and files that are none."""
    png = BytesIO()
    picture().save(png, "PNG")
    return {**PLAIN, "turned": OTHERS["turned"], "png": png.getvalue()}


def test_crops_of_jpegs_are_those_of_pillow(tmp_path: Path) -> None:
    images = crops(tmp_path, mixed())
    for seed in range(20):
        drawn = images.drawn(seed)
        squares_NHWC = drawn.read(range(len(images)))
        for index, square in enumerate(squares_NHWC):
            top, left, height, width = drawn.box(index)
            whole = open_rgb(images.reader.dataset.file_path(index))
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
        read = CardImages(images, device).drawn(seed).read(indices)
        assert np.array_equal(read, images.drawn(seed).read(indices))
    assert fastest_reader(images, device) is images, "there is no card here to measure"
    images.close()


def test_a_file_that_went_bad_is_named_by_either(tmp_path: Path) -> None:
    images = crops(tmp_path, {"good": jpeg(), "bad": jpeg()})
    path = images.reader.dataset.file_path(1)
    for content in (jpeg()[:-300], b"no image", b""):
        path.write_bytes(content)
        for each in (images, CardImages(images, torch.device("cpu"))):
            with pytest.raises(InvalidDatasetError, match="bad can no longer be read"):
                each.read([0, 1])
    images.close()
