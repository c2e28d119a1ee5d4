"""JPEG files of all kinds, and random crops of them."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from PIL import Image

from modules.artifacts import ImageDirectory
from modules.compute.distributed import ProcessGroup
from modules.context import Context
from modules.image_loading.datasets import CroppedImages, open_images
from modules.image_loading.decoding import verify_image

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
    "not turned": jpeg(exif=with_orientation(1)),
    "described": jpeg(xmp=b"<x:xmpmeta/>"),
    "upright by XMP": jpeg(xmp=b'<a tiff:Orientation="1"/>'),
}
OTHERS: Mapping[str, bytes] = {
    "turned": jpeg(exif=with_orientation(6)),
    "turned by XMP": jpeg(xmp=b'<rdf:Description tiff:Orientation="3"/>'),
    "turned by XMP element": jpeg(xmp=b"<tiff:Orientation>6</tiff:Orientation>"),
    "damaged EXIF": jpeg(exif=b"Exif\x00\x00MM\x00junk"),
    "four inks": jpeg("CMYK"),
    "cut off": jpeg()[:-100],
    "empty": b"",
    "only a start": b"\xff\xd8\xff\xd9",
    "markers without end": b"\xff\xd8" + b"\xff\xe0\x00\x00" * 9 + b"\xff\xd9",
}


def crops(folder: Path, files: Mapping[str, bytes]) -> CroppedImages:
    """Random crops of these files."""
    out = folder / "store/a/out"
    (out / "images").mkdir(parents=True)
    rows = []
    for name, content in files.items():
        (out / "images" / name).write_bytes(content)
        header = verify_image(content)
        rows.append([name, "a", header.width, header.height, len(content), name, ""])
    table = pd.DataFrame(rows, columns=list(ImageDirectory.COLUMNS))
    dataset = ImageDirectory.write(out, table, ["a"], None)
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=2)
    group = ProcessGroup(context, torch.device("cpu"))
    images = open_images(dataset, (), context, group, random_operations=(CROP,))
    assert isinstance(images, CroppedImages)
    return images


def mixed() -> dict[str, bytes]:
    """Plain JPEGs, and files that are none."""
    png = BytesIO()
    picture().save(png, "PNG")
    return {**PLAIN, "turned": OTHERS["turned"], "png": png.getvalue()}
