"""Files that claim to be images."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from modules.errors import ImageExceedsLimitError
from modules.image_loading.decoding import (
    ImageHeader,
    UnreadableImageError,
    open_rgb,
    open_scaled,
    verify_image,
)
from modules.image_loading.image_formats import has_image_signature
from tests.modules.image_directories.pictures import (
    encoded,
    jpeg_bytes,
    noise,
    png_bytes,
    png_of_declared_size,
    with_orientation,
)

Colour = tuple[int, ...]
RED, WHITE = (255, 0, 0), (255, 255, 255)
# Where the red quarter is after turning: (left, top) in halves of the picture, by orientation.
RED_QUARTER = {
    1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1),
}  # fmt: skip


def _samples() -> dict[str, bytes]:
    image = noise(1, (40, 30))
    return {
        "jpeg": encoded(image, "JPEG"),
        "progressive": encoded(image, "JPEG", progressive=True),
        "cmyk": encoded(image.convert("CMYK"), "JPEG"),
        "png": encoded(image, "PNG"),
        "palette": encoded(image.convert("P"), "PNG", transparency=0),
        "ppm": encoded(image, "PPM"),
        "pgm": encoded(image.convert("L"), "PPM"),
        "bmp": encoded(image, "BMP"),
        "tiff": encoded(image, "TIFF", compression="tiff_lzw"),
        "webp": encoded(image, "WEBP"),
        "gif": encoded(image, "GIF", save_all=True, append_images=[noise(2, (40, 30))]),
    }


SAMPLES = _samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_each_format_is_read_whatever_its_name(name: str, tmp_path: Path) -> None:
    image = open_rgb(SAMPLES[name])
    assert (image.mode, image.size) == ("RGB", (40, 30))
    path = tmp_path / "picture.txt"
    path.write_bytes(SAMPLES[name])
    assert open_rgb(path).tobytes() == image.tobytes()
    assert has_image_signature(SAMPLES[name][:16])
    assert verify_image(path)[:2] == (40, 30)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_the_orientation_is_applied_once(orientation: int, file_format: str) -> None:
    data = with_orientation(orientation, file_format)
    image = open_rgb(data)
    size = (12, 16) if orientation >= 5 else (16, 12)
    assert image.size == size == verify_image(data)[:2]
    left, top = RED_QUARTER[orientation]
    x, y = size[0] // 4 + left * size[0] // 2, size[1] // 4 + top * size[1] // 2
    assert _distance(_at(image, x, y), RED) < 12
    assert open_rgb(encoded(image, "PNG")).size == size


def test_the_turned_pictures_of_a_camera_stand_upright(shared_data: Path) -> None:
    """Three of the sign language pictures were never resized: 3024 x 3024, turned by EXIF."""
    folder = shared_data / "sign-language-digits"
    paths = [path for path in sorted(folder.glob("*/*.JPG")) if path.stat().st_size > 500_000]
    turned = [(path, _exif_orientation(path)) for path in paths]
    turned = [(path, orientation) for path, orientation in turned if orientation != 1]
    assert turned
    for path, orientation in turned:
        with Image.open(path) as stored:
            stored.draft("RGB", (378, 378))
            pixels_HWC = np.asarray(stored.convert("RGB"))
        quarter_turns = {3: 2, 6: 3, 8: 1}[orientation]
        upright = open_scaled(path, (378, 378)).image
        assert np.array_equal(np.asarray(upright), np.rot90(pixels_HWC, quarter_turns))


def _exif_orientation(path: Path) -> int:
    with Image.open(path) as image:
        return int(image.getexif().get(0x0112, 1))


def test_a_damaged_exif_block_does_not_matter() -> None:
    data = jpeg_bytes(exif=b"Exif\0\0MM\0*\0\0\0\x08\0\x05garbage" + bytes(range(60)))
    assert open_rgb(data).size == (16, 12)
    assert verify_image(data) == ImageHeader(16, 12, "JPEG")


def test_a_draft_is_never_too_small() -> None:
    data = jpeg_bytes(size=(640, 480))
    for wanted in ((64, 64), (161, 10), (320, 240), (321, 1), (2000, 2000)):
        scaled = open_scaled(data, wanted)
        width, height = scaled.image.size
        assert scaled.size == (640, 480)
        assert width >= min(wanted[0], 640)
        assert height >= min(wanted[1], 480)
    assert open_scaled(data, (80, 60)).image.size == (80, 60)
    assert open_scaled(png_bytes(), (1, 1)).image.size == (16, 12)


def test_a_draft_of_a_turned_picture_takes_its_upright_size() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encoded(noise(0, (640, 320)), "JPEG", exif=exif)
    assert open_scaled(data, (40, 80)).image.size == (40, 80)
    assert open_scaled(data, (80, 40)).image.size == (80, 160)


def _pixel(image: Image.Image, file_format: str = "PNG", **options: object) -> Colour:
    return _at(open_rgb(encoded(image, file_format, **options)), 0, 0)


def _at(image: Image.Image, x: int, y: int) -> Colour:
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return pixel


def _distance(one: Colour, other: Colour) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def test_alpha_is_composited_on_white() -> None:
    assert _pixel(Image.new("RGBA", (2, 2), (255, 0, 0, 0))) == WHITE
    assert _pixel(Image.new("RGBA", (2, 2), (255, 0, 0, 255))) == RED
    assert _pixel(Image.new("LA", (2, 2), (0, 0))) == WHITE
    assert _pixel(Image.new("LA", (2, 2), (100, 255))) == (100, 100, 100)
    half = _pixel(Image.new("RGBA", (2, 2), (0, 0, 0, 128)))
    assert _distance(half, (127, 127, 127)) <= 1
    palette = Image.new("P", (2, 2), 0)
    palette.putpalette([0, 0, 255, 255, 0, 0])
    assert _pixel(palette) == (0, 0, 255)
    assert _pixel(palette, transparency=0) == WHITE
    assert _pixel(palette, transparency=bytes([0, 255])) == WHITE
    assert _pixel(Image.new("RGB", (2, 2), RED), transparency=RED) == WHITE
    assert _pixel(Image.new("L", (2, 2), 7), transparency=7) == WHITE


def test_grey_of_any_depth_becomes_rgb() -> None:
    assert _pixel(Image.new("1", (2, 2), 1)) == WHITE
    assert _pixel(Image.new("L", (2, 2), 77)) == (77, 77, 77)
    sixteen = Image.fromarray(np.array([[0, 65535], [257 * 128, 0]], dtype=np.uint16))
    for file_format in ("PNG", "TIFF", "PPM"):
        image = open_rgb(encoded(sixteen, file_format))
        assert [image.getpixel(at) for at in ((0, 0), (1, 0), (0, 1))] == [
            (0, 0, 0), WHITE, (128, 128, 128),
        ]  # fmt: skip
    integers = Image.fromarray(np.array([[-1000, 1_000_000]], dtype=np.int32))
    image = open_rgb(encoded(integers, "TIFF"))
    assert [image.getpixel(at) for at in ((0, 0), (1, 0))] == [(0, 0, 0), WHITE]


def test_floating_point_grey_becomes_rgb() -> None:
    unit = Image.fromarray(np.array([[0.0, 1.0, 0.5]], dtype=np.float32))
    image = open_rgb(encoded(unit, "TIFF"))
    assert [image.getpixel((x, 0)) for x in range(3)] == [(0,) * 3, WHITE, (128,) * 3]
    beyond = Image.fromarray(np.array([[10.0, 20.0]], dtype=np.float32))
    image = open_rgb(encoded(beyond, "TIFF"))
    assert [image.getpixel((x, 0)) for x in range(2)] == [(0,) * 3, WHITE]
    assert _pixel(Image.new("F", (2, 2), 5.0), "TIFF") == (0, 0, 0)


@pytest.mark.parametrize(
    ("pixels", "reason"),
    [
        ([[0.0, np.nan, 1.0]], "1 pixel is NaN or infinite"),
        ([[np.inf, -np.inf, 1.0]], "2 pixels are NaN or infinite"),
        (np.full((40, 40), np.nan), "1,600 pixels are NaN or infinite"),
    ],
)
@pytest.mark.parametrize("read", [open_rgb, verify_image], ids=["pixels", "check"])
def test_pixels_that_are_not_numbers_are_unreadable(
    pixels: object, reason: str, read: Callable[[bytes], object]
) -> None:
    file = encoded(Image.fromarray(np.array(pixels, dtype=np.float32)), "TIFF")
    with pytest.raises(UnreadableImageError) as refused:
        read(file)
    assert refused.value.reason == reason


def test_cmyk_and_lab_become_rgb() -> None:
    cmyk = Image.new("CMYK", (8, 8), (0, 255, 255, 0))
    assert _distance(_pixel(cmyk, "TIFF"), RED) <= 2
    lab = Image.new("LAB", (8, 8), (255, 128, 128))
    assert min(_pixel(lab, "TIFF")) > 245


def test_of_an_animation_the_first_frame_counts() -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    for file_format in ("GIF", "WEBP", "PNG", "TIFF"):
        options: dict[str, object] = {"save_all": True, "append_images": frames[1:]}
        if file_format == "WEBP":
            options["lossless"] = True
        assert _pixel(frames[0], file_format, **options) == RED


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not an image in a supported format"),
        (b"path,label\na.jpg,cat\n", "not an image in a supported format"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "not an image in a supported format"),
        (SAMPLES["jpeg"][:-40], "the file is truncated"),
        (SAMPLES["png"][:-60], "the file is truncated"),
        (SAMPLES["bmp"][:-40], "the file is truncated"),
        (SAMPLES["ppm"][:-40], "the file is truncated"),
    ],
)
def test_unreadable_files_say_why(data: bytes, reason: str) -> None:
    for read in (open_rgb, verify_image):
        with pytest.raises(UnreadableImageError) as caught:
            read(data)
        assert caught.value.reason == reason


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_that_is_cut_off_is_never_whole(name: str) -> None:
    # The first of the two frames of the GIF is half of it.
    for share in (0.1, 0.4) if name == "gif" else (0.1, 0.5, 0.8):
        data = SAMPLES[name][: int(len(SAMPLES[name]) * share)]
        for read in (open_rgb, verify_image):
            with pytest.raises(UnreadableImageError):
                read(data)


def test_a_missing_file_and_a_folder_are_unreadable(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.png", tmp_path):
        with pytest.raises(UnreadableImageError):
            open_rgb(path)


@pytest.mark.parametrize("size", [(30_000, 30_000), (15_000, 15_000), (2**31 - 1, 1)])
def test_the_header_is_checked_before_decoding(size: tuple[int, int]) -> None:
    data = png_of_declared_size(*size)
    for read in (open_rgb, verify_image):
        with pytest.raises(ImageExceedsLimitError, match="178 megapixels"):
            read(data)


def test_the_limit_can_be_lowered() -> None:
    with pytest.raises(ImageExceedsLimitError):
        open_rgb(png_bytes(), max_pixels=100)
    assert open_rgb(png_bytes(), max_pixels=16 * 12).size == (16, 12)


def test_big_but_allowed_images_cause_no_warning() -> None:
    data = encoded(Image.new("1", (10_000, 10_000)), "PNG")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert verify_image(data) == ImageHeader(10_000, 10_000, "PNG")
    assert not caught


@given(st.sampled_from(sorted(SAMPLES)), st.integers(0, 2**32), st.integers(1, 30), st.booleans())
def test_hostile_bytes_raise_nothing_else(name: str, seed: int, flips: int, cut: bool) -> None:
    chance = random.Random(seed)
    data = bytearray(SAMPLES[name])
    for _ in range(flips):
        # Headers first: that is where decoders are led astray.
        at = chance.randrange(min(len(data), 200)) if chance.random() < 0.7 else 0
        data[at or chance.randrange(len(data))] = chance.randrange(256)
    if cut:
        del data[chance.randrange(len(data)) :]
    for read in (verify_image, open_rgb):
        try:
            read(bytes(data), max_pixels=4_000_000)
        except (UnreadableImageError, ImageExceedsLimitError):
            continue


def test_other_formats_of_pillow_are_not_touched() -> None:
    for file_format in ("ICO", "TGA", "PCX", "EPS"):
        with pytest.raises(UnreadableImageError):
            open_rgb(encoded(noise(0, (16, 16)), file_format))


def test_importing_it_imports_no_library() -> None:
    code = (
        "import sys, modules.image_loading.decoding\n"
        "assert not {'PIL', 'numpy', 'torch', 'pandas'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_result_does_not_depend_on_the_source_file() -> None:
    file = BytesIO(png_bytes())
    image = open_rgb(file.getvalue())
    file.close()
    assert image.getpixel((3, 3)) == noise().getpixel((3, 3))
