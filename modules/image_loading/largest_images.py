"""The largest images of a dataset by the headers of their files, and the memory to decode them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from modules.errors import ImageExceedsLimitError
from modules.files.scanning import ScannedFile, Tree
from modules.forecast import ArtifactForecast
from modules.image_loading.decoding import UnreadableImageError, read_header
from modules.image_loading.image_formats import has_image_extension
from modules.transforms.operations import Operations, draft_size, most_pixels_after, split_prefix

MAX_HEADERS = 512
"""Files whose headers are read (0.2 s): half of them the largest, half evenly over the dataset."""
NUM_KEPT = 16
"""Images that are kept: as many as are decoded at once on 16 cores."""
OPAQUE_BYTES, TRANSPARENT_BYTES = 4, 16
"""Of a pixel in Pillow; transparent ones are composited on white (measured: 4.0 and 15.4)."""
_DRAFT_SCALES = (8, 4, 2)


class LargeImage(NamedTuple):
    """An image by its header, in pixels after the EXIF orientation."""

    path: str
    """Below the dataset."""
    height: int = 0
    width: int = 0
    bytes_per_pixel: int = OPAQUE_BYTES
    is_jpeg: bool = False
    exceeds_limit: bool = False
    """More pixels than are decoded; they are not counted."""

    @property
    def num_pixels(self) -> int:
        """Height times width."""
        return self.height * self.width

    @property
    def aspect(self) -> float:
        """Length by breadth."""
        return max(self.height, self.width) / max(1, min(self.height, self.width))


def largest_images(tree: Tree) -> tuple[Mapping[str, Any], ...] | None:
    """Return the largest images and the longest one as JSON; None if nothing is known of them.

    Headers in shards are not read, and of many files only some.
    """
    if tree.members is not None:
        return None
    files = [file for file in tree.files if has_image_extension(file.path)]
    headers = [
        header._replace(path=file.path)
        for file in _chosen(files)
        if (header := _header(tree.root / file.path, file.num_bytes, file.mtime_ns)) is not None
    ]
    if not headers:
        return None
    kept = heapq.nlargest(NUM_KEPT, headers, key=lambda image: image.num_pixels)
    kept += [image for image in headers if image.exceeds_limit][:NUM_KEPT]
    longest = max(headers, key=lambda image: image.aspect)
    return tuple(image._asdict() for image in dict.fromkeys((*kept, longest)))


def images_of(forecast: ArtifactForecast) -> list[LargeImage]:
    """Return the images that ``largest_images`` described."""
    return [LargeImage(**image) for image in forecast.largest_images or ()]


def decoding_bytes(images: Iterable[LargeImage], operations: Operations, threads: int) -> int:
    """Return the memory of as many images as are decoded at once.

    Args:
        images: The largest of a dataset.
        operations: Their transformation; only its deterministic prefix counts.
        threads: How many images are decoded at the same time.
    """
    prefix, _ = split_prefix(operations)
    decoded = (image for image in images if not image.exceeds_limit)
    return sum(heapq.nlargest(threads, (_bytes_of(image, prefix) for image in decoded)))


def _bytes_of(image: LargeImage, prefix: Operations) -> int:
    """Return the bytes of a decoded image and of the largest intermediate result."""
    height, width = image.height, image.width
    draft = draft_size(prefix, width, height) if image.is_jpeg else None
    scale = 1
    if draft is not None:
        scale = next((s for s in _DRAFT_SCALES if width >= s * draft[0]), 1)
    decoded = image.bytes_per_pixel * image.num_pixels // scale**2
    return decoded + OPAQUE_BYTES * most_pixels_after(prefix, height, width)


def _chosen(files: Sequence[ScannedFile]) -> Sequence[ScannedFile]:
    if len(files) <= MAX_HEADERS:
        return files
    largest = heapq.nlargest(MAX_HEADERS // 2, files, key=lambda file: file.num_bytes)
    return [*dict.fromkeys((*largest, *files[:: 2 * len(files) // MAX_HEADERS + 1]))]


@lru_cache(maxsize=4 * MAX_HEADERS)
def _header(path: Path, _num_bytes: int, _mtime_ns: int) -> LargeImage | None:
    """Return an image by its header; None if that cannot be read."""
    try:
        header, is_transparent = read_header(path)
    except ImageExceedsLimitError:
        return LargeImage("", exceeds_limit=True)
    except UnreadableImageError:
        return None
    per_pixel = TRANSPARENT_BYTES if is_transparent else OPAQUE_BYTES
    return LargeImage("", header.height, header.width, per_pixel, header.format == "JPEG")
