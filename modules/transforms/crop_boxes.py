"""Boxes of images for random crops and erasing, with torchvision's rule for their shapes.

A fraction of the area is drawn, and width / height evenly on a logarithmic scale, up to ten times
until the box fits; otherwise a crop uses the largest central box of such a shape. Numbers of
``random_numbers`` belong to an image, so that its box does not depend on the order and process of
decoding.

Shapes: N images, T tries; a box is (top, left, height, width) in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from modules.transforms.random_draws import integer, uniform_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

MAX_TRIES = 10
"""Number of attempts of torchvision to draw a box before it falls back to the centre."""
NUMBERS_PER_TRY = 4
_GAMMA, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class CropBox(NamedTuple):
    """A region of an image, in pixels."""

    top: int
    left: int
    height: int
    width: int


def random_boxes(
    sizes_N2: npt.NDArray[Any],
    numbers_NT4: npt.NDArray[np.float64],
    scale: Sequence[float],
    ratio: Sequence[float],
) -> npt.NDArray[np.int64]:
    """Draw a box (N, 4) for each image of these heights and widths, as torchvision does.

    Its fraction of the area is within ``scale``, width / height within ``ratio``, drawn evenly on a
    logarithmic scale. If no attempt fits, the box is the largest central one of such a shape.
    """
    import numpy as np

    heights_N1, widths_N1 = sizes_N2[:, :1], sizes_N2[:, 1:]
    share_NT, shape_NT, down_NT, right_NT = np.moveaxis(numbers_NT4, 2, 0)
    area_NT = heights_N1 * widths_N1 * (scale[0] + share_NT * (scale[1] - scale[0]))
    low, high = np.log(ratio)
    aspect_NT = np.exp(low + shape_NT * (high - low))
    height_NT, width_NT = np.rint(np.sqrt([area_NT / aspect_NT, area_NT * aspect_NT]))
    room_NT, space_NT = heights_N1 - height_NT, widths_N1 - width_NT
    fits_NT = (height_NT > 0) & (width_NT > 0) & (room_NT >= 0) & (space_NT >= 0)
    top_NT, left_NT = np.floor(down_NT * (room_NT + 1)), np.floor(right_NT * (space_NT + 1))
    tries_NT4 = np.stack([top_NT, left_NT, height_NT, width_NT], axis=2)
    first_N = fits_NT.argmax(axis=1)
    boxes_N4 = tries_NT4[np.arange(len(first_N)), first_N]
    none_N = ~fits_NT.any(axis=1)
    for place in np.flatnonzero(none_N):
        height, width = map(int, sizes_N2[place])
        boxes_N4[place] = central_box(height, width, ratio)
    whole_N4: npt.NDArray[np.int64] = boxes_N4.astype(np.int64)
    return whole_N4


def random_numbers(seed: int, indices: Sequence[int]) -> npt.NDArray[np.float64]:
    """Return numbers (N, T, 4) in [0, 1) that depend only on the seed and each image's index.

    Outputs of SplitMix64 (Steele, Lea, Flood 2014), which can be computed in any order, for a whole
    batch in a dozen array operations. numpy's Philox is counter-based too, but would need a
    generator for each image.
    """
    import numpy as np

    per_image = MAX_TRIES * NUMBERS_PER_TRY
    firsts_N = np.asarray(indices, np.uint64) * np.uint64(per_image)
    places_NP: Any = firsts_N[:, None] + np.arange(1, per_image + 1, dtype=np.uint64)
    mixed = np.uint64(seed) + places_NP * np.uint64(_GAMMA)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    mixed ^= mixed >> np.uint64(31)
    numbers: npt.NDArray[np.float64] = (mixed >> np.uint64(11)) * 2.0**-53
    return numbers.reshape(-1, MAX_TRIES, NUMBERS_PER_TRY)


def box_of_random_shape(
    height: int,
    width: int,
    scale: Sequence[float],
    ratio: Sequence[float],
    generator: torch.Generator,
) -> CropBox | None:
    """Draw a box with an area fraction within ``scale`` and width / height within ``ratio``.

    The ratio is drawn evenly on a logarithmic scale. The box is smaller than the image in both
    directions. None if no attempt fits.
    """
    for _ in range(MAX_TRIES):
        area = height * width * uniform_number(scale[0], scale[1], generator)
        aspect = math.exp(uniform_number(math.log(ratio[0]), math.log(ratio[1]), generator))
        box_width = round(math.sqrt(area * aspect))
        box_height = round(math.sqrt(area / aspect))
        if 0 < box_width < width and 0 < box_height < height:
            top = integer(0, height - box_height, generator)
            left = integer(0, width - box_width, generator)
            return CropBox(top, left, box_height, box_width)
    return None


def central_box(height: int, width: int, ratio: Sequence[float]) -> CropBox:
    """Return the largest central box whose width / height is within ``ratio``."""
    box_height, box_width = height, width
    if width / height < ratio[0]:
        box_height = round(width / ratio[0])
    elif width / height > ratio[1]:
        box_width = round(height * ratio[1])
    return CropBox((height - box_height) // 2, (width - box_width) // 2, box_height, box_width)
