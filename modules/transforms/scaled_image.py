"""A picture decoded at a fraction of its size, and where in those pixels it lies.

Decoders round the edges of a scaled picture up: of 375 rows a half is 188, of which the last one is
the picture's by half. Whoever resizes all 188 moves every row a little, so nobody does.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

    from modules.transforms.crop_boxes import Box

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""

_MIRRORED_ACROSS, _MIRRORED_DOWN, _TRANSPOSED = {2, 3, 6, 7}, {3, 4, 7, 8}, 5
"""EXIF orientations."""


@dataclass(frozen=True)
class ScaledImage:
    """Pixels in RGB of which the picture fills ``edges``."""

    image: Image.Image
    edges: Edges
    scale: int = 1
    """How many pixels of the file along each edge became one."""

    @classmethod
    def whole(cls, image: Image.Image) -> ScaledImage:
        """An image that is all picture, in its own pixels."""
        return cls(image, (0, 0, *image.size))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels of the file, as Pillow orders them."""
        left, top, right, bottom = self.edges
        return round((right - left) * self.scale), round((bottom - top) * self.scale)

    def resized(self, size: tuple[int, int]) -> Image.Image:
        """The picture of another (width, height), bilinear with antialiasing."""
        return self._resized(self.edges, size)

    def square(self, box: Box, size: int) -> Image.Image:
        """A box in pixels of the file as a square; next to nothing outside the box counts."""
        left = self.edges[0] + box.left / self.scale
        top = self.edges[1] + box.top / self.scale
        right, bottom = left + box.width / self.scale, top + box.height / self.scale
        return self._resized((left, top, right, bottom), (size, size))

    def within(self, edge: int) -> Image.Image:
        """The picture with a longer side of at most ``edge`` pixels, never enlarged."""
        width, height = self.size
        factor = min(1.0, edge / max(width, height))
        return self.resized((max(1, round(width * factor)), max(1, round(height * factor))))

    def _resized(self, edges: Edges, size: tuple[int, int]) -> Image.Image:
        from PIL import Image

        # Cropped first: Pillow's antialiasing looks at pixels outside a box, torchvision's can't.
        left, top = floor(edges[0]), floor(edges[1])
        outer = (left, top, ceil(edges[2]), ceil(edges[3]))
        inner = (edges[0] - left, edges[1] - top, edges[2] - left, edges[3] - top)
        image = self.image if outer == (0, 0, *self.image.size) else self.image.crop(outer)
        return image.resize(size, Image.Resampling.BILINEAR, box=inner)


def turned_edges(edges: Edges, size: tuple[int, int], orientation: int) -> Edges:
    """Where the picture lies in an image of ``size`` once its EXIF orientation is applied."""
    (left, top, right, bottom), (width, height) = edges, size
    if orientation >= _TRANSPOSED:
        left, top, right, bottom = top, left, bottom, right
        width, height = height, width
    if orientation in _MIRRORED_ACROSS:
        left, right = width - right, width - left
    if orientation in _MIRRORED_DOWN:
        top, bottom = height - bottom, height - top
    return left, top, right, bottom
