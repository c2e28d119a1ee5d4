"""Images decoded at a fraction of their size, and their exact edges in those pixels.

Decoders round the edges of a scaled image up: half of 375 rows is 188, and only half of the last
row belongs to the image. Resizing all 188 rows would shift every row a little.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

    from modules.transforms.crop_boxes import CropBox

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""

_MIRRORED_ACROSS, _MIRRORED_DOWN, _TRANSPOSED = {2, 3, 6, 7}, {3, 4, 7, 8}, 5
"""EXIF orientations."""


@dataclass(frozen=True)
class ScaledImage:
    """RGB pixels of which the image covers ``edges``."""

    image: Image.Image
    edges: Edges
    scale: int = 1
    """Number of pixels of the file along each edge that became one."""

    @classmethod
    def whole(cls, image: Image.Image) -> ScaledImage:
        """Return an image that covers all of its pixels."""
        return cls(image, (0, 0, *image.size))

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the image in pixels of the file, in Pillow's order."""
        left, top, right, bottom = self.edges
        return round((right - left) * self.scale), round((bottom - top) * self.scale)

    def resized(self, size: tuple[int, int]) -> Image.Image:
        """Resize the image to (width, height), bilinear with antialiasing."""
        return self._resized(self.edges, size)

    def square(self, box: CropBox, size: int) -> Image.Image:
        """Resize a box in pixels of the file to a square; pixels outside the box hardly count."""
        left = self.edges[0] + box.left / self.scale
        top = self.edges[1] + box.top / self.scale
        right, bottom = left + box.width / self.scale, top + box.height / self.scale
        return self._resized((left, top, right, bottom), (size, size))

    def within(self, edge: int) -> Image.Image:
        """Resize the image so that its longer side is at most ``edge`` pixels; never enlarge it."""
        width, height = self.size
        factor = min(1.0, edge / max(width, height))
        return self.resized((max(1, round(width * factor)), max(1, round(height * factor))))

    def _resized(self, edges: Edges, size: tuple[int, int]) -> Image.Image:
        from PIL import Image

        # Cropped first: Pillow's antialiasing uses pixels outside a box, torchvision's cannot.
        left, top = floor(edges[0]), floor(edges[1])
        outer = (left, top, ceil(edges[2]), ceil(edges[3]))
        inner = (edges[0] - left, edges[1] - top, edges[2] - left, edges[3] - top)
        image = self.image if outer == (0, 0, *self.image.size) else self.image.crop(outer)
        return image.resize(size, Image.Resampling.BILINEAR, box=inner)


def turned_edges(edges: Edges, size: tuple[int, int], orientation: int) -> Edges:
    """Return the edges in an image of ``size`` after the EXIF orientation is applied."""
    (left, top, right, bottom), (width, height) = edges, size
    if orientation >= _TRANSPOSED:
        left, top, right, bottom = top, left, bottom, right
        width, height = height, width
    if orientation in _MIRRORED_ACROSS:
        left, right = width - right, width - left
    if orientation in _MIRRORED_DOWN:
        top, bottom = height - bottom, height - top
    return left, top, right, bottom
