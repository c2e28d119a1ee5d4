"""16-bit images that use few of their bits are warned of by Convert to Image Directory."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert


def grey16(brightest: int, format: str) -> bytes:
    ramp_HW = np.linspace(0, brightest, 48, dtype=np.uint16).reshape(6, 8)
    buffer = io.BytesIO()
    Image.fromarray(ramp_HW).save(buffer, format)
    return buffer.getvalue()


@pytest.mark.parametrize(("suffix", "format"), [("png", "PNG"), ("tif", "TIFF"), ("pgm", "PPM")])
@pytest.mark.parametrize(("brightest", "bits"), [(4095, 12), (1023, 10), (65535, 0), (40000, 0)])
def test_images_that_use_few_bits_are_warned_of(
    workplace: Workplace,
    fill: Callable[..., Path],
    suffix: str,
    format: str,
    brightest: int,
    bits: int,
) -> None:
    content = grey16(brightest, format)
    other = grey16(brightest // 2, format)
    convert(fill({f"a/1.{suffix}": content, f"b/2.{suffix}": other}), workplace)
    assert [f"use only {bits} of 16 bits" in each for each in workplace.warnings] == (
        [True] if bits else []
    )


def test_images_of_8_bits_are_not(workplace: Workplace, fill: Callable[..., Path]) -> None:
    convert(fill({"a/1.png": None, "b/2.png": None}), workplace)
    assert not workplace.warnings
