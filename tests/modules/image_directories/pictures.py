"""Small pictures as bytes."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image


def encoded(image: Image.Image, file_format: str, **options: Any) -> bytes:
    """An image as the bytes of a file."""
    file = BytesIO()
    image.save(file, file_format, **options)
    return file.getvalue()


def noise(seed: int = 0, size: tuple[int, int] = (16, 12), mode: str = "RGB") -> Image.Image:
    """A picture of random colours; ``size`` is width, height."""
    rng = np.random.default_rng(seed)
    pixels_HWC = rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(pixels_HWC).convert(mode)


def png_bytes(seed: int = 0, size: tuple[int, int] = (16, 12)) -> bytes:
    return encoded(noise(seed, size), "PNG")


def jpeg_bytes(seed: int = 0, size: tuple[int, int] = (16, 12), **options: Any) -> bytes:
    return encoded(noise(seed, size), "JPEG", **options)


def with_orientation(orientation: int, file_format: str = "JPEG") -> bytes:
    """A 16 x 12 picture, red in its upper left quarter as stored, with an EXIF orientation."""
    image = Image.new("RGB", (16, 12), "white")
    image.paste("red", (0, 0, 8, 6))
    exif = Image.Exif()
    exif[0x0112] = orientation
    options = {"quality": 95} if file_format == "JPEG" else {}
    return encoded(image, file_format, exif=exif, **options)


def png_of_declared_size(width: int, height: int) -> bytes:
    """A PNG whose header promises these sizes; next to no pixels follow."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )
