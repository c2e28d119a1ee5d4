"""Thumbnails of images on one sheet, so that a page needs one request."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from modules.errors import ModuleError
from modules.files.shard_member import StoredFile
from modules.image_loading.decoding import open_scaled
from pipelines.inspection.images import files_of, label_of, opened

if TYPE_CHECKING:
    from PIL import Image

EDGE = 96
"""Longer side of a thumbnail in pixels; smaller images are enlarged without smoothing."""
COLUMNS = 10
QUALITY = 82
MAX_AT_ONCE = 100


@dataclass(frozen=True)
class Thumbnail:
    """Place on a sheet: the image's row, path and class; ``shown`` is false if unreadable."""

    index: int
    path: str
    label: str | None
    shown: bool


@dataclass(frozen=True)
class Sheet:
    """Thumbnails in rows of ``COLUMNS``, ``EDGE`` pixels apart, as one WebP image."""

    thumbnails: tuple[Thumbnail, ...]
    picture: bytes

    @property
    def address(self) -> str:
        """Return the image as a data URL."""
        return data_address(self.picture, "webp")


def sheet(folder: Path, indices: Sequence[int]) -> Sheet:
    """Return the sheet of some rows of the directory in ``folder``."""
    from PIL import Image

    directory = opened(folder)
    files, rows = files_of(folder), directory.images
    height = -(-max(1, len(indices)) // COLUMNS) * EDGE
    canvas = Image.new("RGBA", (COLUMNS * EDGE, height))
    thumbnails = []
    for position, index in enumerate(indices):
        picture = thumbnail(files[index])
        if picture is not None:
            left, top = position % COLUMNS * EDGE, position // COLUMNS * EDGE
            canvas.paste(picture, _centred(picture, left, top))
        path, label = str(rows["path"].iloc[index]), label_of(rows["label"].iloc[index])
        thumbnails.append(Thumbnail(index, path, label, picture is not None))
    buffer = BytesIO()
    canvas.save(buffer, "WEBP", quality=QUALITY, method=2)
    return Sheet(tuple(thumbnails), buffer.getvalue())


def thumbnail(file: StoredFile, edge: int = EDGE) -> Image.Image | None:
    """Return a file's thumbnail with a longer side of ``edge`` pixels; None if it is unreadable."""
    try:
        return scaled(open_scaled(file, (edge, edge)).within(edge), edge)
    except (ModuleError, OSError, ValueError):
        return None


def scaled(picture: Image.Image, edge: int) -> Image.Image:
    """Return the image with a longer side of ``edge`` pixels; enlarged without smoothing."""
    from PIL.Image import Resampling

    factor = edge / max(picture.size)
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Resampling.NEAREST if factor > 1 else Resampling.BILINEAR)


def picture_address(file: StoredFile, edge: int = EDGE) -> str | None:
    """Return a file's thumbnail as a data URL; None if it is unreadable."""
    picture = thumbnail(file, edge)
    if picture is None:
        return None
    buffer = BytesIO()
    picture.save(buffer, "WEBP", quality=QUALITY, method=2)
    return data_address(buffer.getvalue(), "webp")


def data_address(content: bytes, kind: str) -> str:
    """Return the bytes of an image as a data URL."""
    return f"data:image/{kind};base64,{b64encode(content).decode()}"


def _centred(picture: Image.Image, left: int, top: int) -> tuple[int, int]:
    return left + (EDGE - picture.width) // 2, top + (EDGE - picture.height) // 2
