"""Detection of 16-bit images that use few bits, as many cameras and scanners write."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.files.shard_member import StoredFile
from modules.image_loading.image_files import ImageFiles
from modules.sentences import image_loading as say

NUM_LOOKED_AT = 32
"""Number of images whose pixels are checked, evenly over the directory."""
MOST_BITS = 14
"""Maximum number of used bits; with more, images are darkened at most by half."""
MOST_PIXELS = 20_000_000
"""Maximum pixels of a checked image: larger ones take long."""
_MAY_HAVE_16_BITS = frozenset((".png", ".tif", ".tiff", ".pgm", ".pnm", ""))


def warn_of_unused_bits(images: ImageDirectory, context: Context) -> None:
    """Warn if all checked 16-bit images use few of their bits."""
    files = [
        (file, int(width) * int(height))
        for file, width, height in zip(
            ImageFiles(images), images.images["width"], images.images["height"], strict=True
        )
        if Path(file.name).suffix.lower() in _MAY_HAVE_16_BITS
    ]
    step = max(1, len(files) // NUM_LOOKED_AT)
    brightest = [
        value
        for file, num_pixels in files[::step][:NUM_LOOKED_AT]
        if num_pixels <= MOST_PIXELS and (value := _brightest(file)) is not None
    ]
    bits = max(brightest, default=0).bit_length()
    if brightest and 0 < bits <= MOST_BITS:
        context.warn(say.UNUSED_BITS, bits=bits, brightest=max(brightest), count=len(brightest))


def _brightest(file: StoredFile) -> int | None:
    """Return the largest pixel of a 16-bit grey image; None for any other one."""
    from PIL import Image

    try:
        with Image.open(file if isinstance(file, Path) else BytesIO(file.read_bytes())) as image:
            if not image.mode.startswith("I"):
                return None
            _, most = _as_numbers(image.getextrema())
            return int(most)
    except Exception:  # unreadable images are reported when they are decoded
        return None


def _as_numbers(extrema: object) -> tuple[float, float]:
    assert isinstance(extrema, tuple)
    least, most = extrema
    return float(least), float(most)
