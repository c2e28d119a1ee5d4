"""Pictures of recordings: any image file becomes a small JPEG without metadata."""

from __future__ import annotations

import threading
from io import BytesIO

from modules.image_loading.decoding import UnreadableImageError, open_scaled
from pipelines.errors import RefusedError
from pipelines.sentences import recordings as say

LONGEST_EDGE = 640
"""Pixels: enough for every network that the starter pipeline can be improved with."""
MAX_PICTURE_BYTES = 40 * 2**20
MAX_PICTURE_PIXELS = 50_000_000
"""Phones take up to 50 megapixels; an image of that size needs 150 MB while it is decoded."""
QUALITY = 92
_DECODING = threading.BoundedSemaphore(2)
"""Limits the memory of concurrent uploads of large images."""


def cleaned(content: bytes) -> bytes:
    """Return an image as a JPEG of at most ``LONGEST_EDGE``, upright and without metadata.

    Only pixels are copied: EXIF with location, comments and colour profiles are gone. Raises
    ``RefusedError`` if it is not an image, ``ImageExceedsLimitError`` if it is too large.
    """
    with _DECODING:
        return _encoded(content, LONGEST_EDGE)


def preview(content: bytes, edge: int) -> bytes:
    """Return a stored picture, reduced to ``edge`` pixels."""
    return _encoded(content, edge)


def _encoded(content: bytes, edge: int) -> bytes:
    try:
        scaled = open_scaled(content, (edge, edge), max_pixels=MAX_PICTURE_PIXELS)
    except UnreadableImageError as error:
        raise RefusedError(say.FILE_IS_NO_PICTURE, why=error.statement) from error
    picture = scaled.within(edge)
    picture.info.clear()  # Pillow would copy the comment of a JPEG
    made = BytesIO()
    picture.save(made, "JPEG", quality=QUALITY)
    return made.getvalue()
