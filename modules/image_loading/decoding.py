"""Decoding of image files to RGB pixels, the only place that defines supported files and pixels.

Formats: JPEG, PNG, PPM/PGM/PBM, BMP, TIFF, WebP, GIF, and, if this installation supports them, AVIF
and HEIC (``image_formats``); the content decides, never the name. Of an animation or a document of
several pages the first one is used. The EXIF orientation is applied once. Conversion of pixels:

===================================  ==========================================================
1-bit, grey, palette                 the same colours in RGB
alpha, transparent palette entries   composited on white
CMYK                                 Pillow's plain formula; colour profiles are not applied
CIELAB                               through LittleCMS to sRGB
16-bit grey                          0-65535 becomes 0-255
32-bit integer grey                  the same; beyond 0-65535, minimum to maximum becomes 0-255
floating point grey                  0-1 becomes 0-255; beyond it, minimum to maximum
===================================  ==========================================================

An image with a pixel that is NaN or infinite has no such grey level: it is unreadable.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modules.errors import ImageExceedsLimitError
from modules.files.shard_member import ShardMember, StoredFile
from modules.image_loading.image_formats import (
    CAMERA_RAW,
    SIGNATURE_BYTES,
    is_raw_preview,
    other_format,
    pillow_formats,
)
from modules.sentences import image_loading as say
from modules.sentences.sentence import Sentence, Statement, said_by
from modules.transforms.scaled_image import ScaledImage, turned_edges

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from PIL import Image

PIXELS_VERSION = 2
"""Increases if the same file produces other pixels, so that earlier caches are not used. Modules
whose results change with it increase their ``results_version``.
"""

DEFAULT_MAX_PIXELS = 178_000_000
_ORIENTATION_TAG = 0x0112
_PILLOW_WARNINGS = re.compile(r"PIL(\.|$)")


class UnreadableImageError(ValueError):
    """A file without an image that can be decoded completely; ``reason`` explains it briefly."""

    def __init__(self, said: Sentence | Statement, **facts: object) -> None:
        self.statement = said.about(facts) if isinstance(said, Sentence) else said
        super().__init__(self.statement)

    @property
    def reason(self) -> str:
        return str(self.statement)


class ImageHeader(NamedTuple):
    """Width and height in pixels after the EXIF orientation, and the format (``JPEG``)."""

    width: int
    height: int
    format: str


def open_rgb(source: bytes | StoredFile, *, max_pixels: int = DEFAULT_MAX_PIXELS) -> Image.Image:
    """Return the image in RGB, upright, completely decoded.

    Raises ``UnreadableImageError``, or ``ImageExceedsLimitError`` before decoding if the header
    announces more than ``max_pixels``.
    """
    return open_scaled(source, None, max_pixels=max_pixels).image


def open_scaled(
    source: bytes | StoredFile,
    least_size: tuple[int, int] | None,
    *,
    max_pixels: int = DEFAULT_MAX_PIXELS,
) -> ScaledImage:
    """Return the image like ``open_rgb``, or at 1/2, 1/4 or 1/8 of its size.

    Only JPEG files are scaled, never below ``least_size`` (width, height) on either side; None does
    not scale. Raises what ``open_rgb`` raises.
    """
    with _opened(source, max_pixels) as image:
        width, drafted = image.width, None
        if least_size is not None:
            turned = _header_orientation(image) >= 5
            drafted = image.draft(None, least_size[::-1] if turned else least_size)
        image.load()
        orientation = _orientation(image)
        upright = _upright(_to_rgb(image), orientation)
        if drafted is None:
            return ScaledImage.whole(upright)
        edges = turned_edges(drafted[1], image.size, orientation)
        return ScaledImage(upright, edges, round(width / drafted[1][2]))


def verify_image(
    source: bytes | StoredFile, *, max_pixels: int = DEFAULT_MAX_PIXELS
) -> ImageHeader:
    """Decode completely and return only the header; raises what ``open_rgb`` raises.

    A JPEG is decoded at an eighth of its size: every byte is read, few pixels are created.
    """
    with _opened(source, max_pixels) as image:
        size = image.size
        image.draft(None, (max(1, size[0] // 8), max(1, size[1] // 8)))
        image.load()
        if image.mode == "F":
            _finite_pixels(image)
        return _header(image, size, _orientation(image))


def read_header(
    source: bytes | Path, *, max_pixels: int = DEFAULT_MAX_PIXELS
) -> tuple[ImageHeader, bool]:
    """Return the header of an image, and True if pixels may be transparent; none is decoded.

    Raises what ``open_rgb`` raises for a header.
    """
    with _opened(source, max_pixels) as image:
        header = _header(image, image.size, _header_orientation(image))
        return header, image.has_transparency_data


@contextmanager
def _opened(source: bytes | StoredFile, max_pixels: int) -> Iterator[Image.Image]:
    """Yield an image whose header is valid and small enough; convert its errors."""
    from PIL import Image, UnidentifiedImageError

    _silence_pillow()
    if isinstance(source, ShardMember):
        source = source.read_bytes()
    try:
        with Image.open(
            BytesIO(source) if isinstance(source, bytes) else source, formats=pillow_formats()
        ) as image:
            _check_size(image.size, max_pixels)
            _require_no_preview(image)
            yield image
    except (ImageExceedsLimitError, UnreadableImageError):
        raise
    except Image.DecompressionBombError:
        limit = max_pixels / 1e6
        raise ImageExceedsLimitError(say.FAR_TOO_MANY_PIXELS, megapixels=limit) from None
    except UnidentifiedImageError:
        raise UnreadableImageError(_unidentified(source)) from None
    except MemoryError:
        raise UnreadableImageError(say.NEEDS_TOO_MUCH_MEMORY) from None
    except FileNotFoundError:
        raise UnreadableImageError(say.IMAGE_GONE) from None
    except Exception as error:
        # Damaged files can raise any exception: struct.error, SyntaxError, KeyError...
        raise UnreadableImageError(_reason(error)) from error


def _silence_pillow() -> None:
    """Silence Pillow's warnings about damaged or big files: only errors count.

    ``warnings.catch_warnings`` is not thread-safe, so one permanent filter is installed.
    """
    entry = ("ignore", None, Warning, _PILLOW_WARNINGS, 0)
    if entry not in warnings.filters:
        warnings.filterwarnings("ignore", module=_PILLOW_WARNINGS.pattern)


def _check_size(size: tuple[int, int], max_pixels: int) -> None:
    width, height = size
    if width < 1 or height < 1:
        raise UnreadableImageError(say.NO_PIXELS)
    if width * height > max_pixels:
        limit = max_pixels / 1e6
        raise ImageExceedsLimitError(
            say.TOO_MANY_PIXELS, width=width, height=height, megapixels=limit
        )


def _require_no_preview(image: Image.Image) -> None:
    if is_raw_preview(image):
        raise UnreadableImageError(CAMERA_RAW.reason)


def _unidentified(source: bytes | Path) -> Statement:
    """Return the error with the format of an unsupported image."""
    try:
        start = source if isinstance(source, bytes) else _start(source)
    except OSError:
        start = b""
    name = "" if isinstance(source, bytes) else source.name
    known = other_format(start[:SIGNATURE_BYTES], name)
    return known.reason if known is not None else say.NO_KNOWN_FORMAT.about({})


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(SIGNATURE_BYTES)


def _reason(error: Exception) -> Statement:
    if "truncated" in str(error).lower() or isinstance(error, EOFError):
        return say.CUT_OFF.about({})
    return say.DAMAGED_IMAGE.about({"error": said_by(error, 100)})


def _header(image: Image.Image, size: tuple[int, int], orientation: int) -> ImageHeader:
    width, height = size[::-1] if orientation >= 5 else size
    # A camera's JPEG with an embedded preview is reported as MPO.
    return ImageHeader(width, height, "JPEG" if image.format == "MPO" else str(image.format))


def _header_orientation(image: Image.Image) -> int:
    """Return the orientation if it is available without decoding."""
    if image.format == "PNG" and "exif" not in image.info:
        return 1
    return _orientation(image)


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation to be applied, 1 to 8."""
    if image.format == "TIFF":
        return 1  # Pillow rotates TIFF files itself.
    try:
        value = image.getexif().get(_ORIENTATION_TAG, 1)
    except Exception:
        return 1  # A damaged EXIF block does not make the pixels unreadable.
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _upright(image: Image.Image, orientation: int) -> Image.Image:
    from PIL.Image import Transpose

    turns = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return image.transpose(turns[orientation]) if orientation in turns else image


def _to_rgb(image: Image.Image) -> Image.Image:
    """Return the image in RGB, by the table at the top of this file."""
    if image.mode.startswith("I") or image.mode == "F":
        return _scaled_grey(image).convert("RGB")
    if image.has_transparency_data:
        return _on_white(image.convert("RGBA"))
    if image.mode == "LAB":
        return _from_lab(image)
    return image if image.mode == "RGB" else image.convert("RGB")


def _on_white(image: Image.Image) -> Image.Image:
    from PIL import Image

    background = Image.new("RGBA", image.size, "white")
    background.alpha_composite(image)
    return background.convert("RGB")


def _from_lab(image: Image.Image) -> Image.Image:
    from PIL import ImageCms

    lab, rgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    converted = ImageCms.profileToProfile(image, lab, rgb, outputMode="RGB")
    assert converted is not None
    return converted


def _scaled_grey(image: Image.Image) -> Image.Image:
    """Return 8-bit grey from pixels with more than 8 bits."""
    import numpy as np
    from PIL import Image

    pixels_HW = _finite_pixels(image)
    low, high = 0.0, 1.0 if image.mode == "F" else 65535.0
    if pixels_HW.min() < low or pixels_HW.max() > high:
        low, high = float(pixels_HW.min()), float(pixels_HW.max())
    scaled_HW = (pixels_HW - low) * (255 / (high - low)) if high > low else pixels_HW * 0
    return Image.fromarray(scaled_HW.round().astype(np.uint8))


def _finite_pixels(image: Image.Image) -> npt.NDArray[np.float32]:
    """Return the pixels of a grey image; raise ``UnreadableImageError`` for NaN and infinity."""
    import numpy as np

    pixels_HW = np.asarray(image, dtype=np.float32)
    num_missing = pixels_HW.size - int(np.isfinite(pixels_HW).sum())
    if num_missing:
        raise UnreadableImageError(say.PIXELS_NOT_FINITE, count=num_missing)
    return pixels_HW
