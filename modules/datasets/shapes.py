"""The sample ``shapes``: images of geometric shapes that resemble photographs.

Colours, size, position, angle, blur, light and noise vary independently of the class; a bright
shape is in front of a dark background, and some images have scribbled lines across. A small network
learns them in a minute. The same numbers produce the same images with the same version of Pillow.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from PIL import Image, ImageDraw

CLASSES = ("circle", "square", "triangle", "star", "cross", "ring", "hexagon", "crescent")
DARK, BRIGHT = (10, 100), (140, 250)
_OVERSAMPLING = 2
Colour = tuple[int, int, int]
Point = tuple[float, float]


def write_shapes(folder: Path, num_classes: int, num_images: int, size: int, seed: int) -> None:
    """Write ``<class>/<number>.png``, ``size`` x ``size`` pixels, with balanced classes."""
    import numpy as np

    for name in CLASSES[: min(num_classes, num_images)]:
        (folder / name).mkdir(parents=True)
    for number in range(num_images):
        name = CLASSES[number % num_classes]
        # A generator for each image: the first ones stay the same if there are more.
        rng = np.random.default_rng((seed, number, num_classes))
        draw_shape(name, size, rng).save(folder / name / f"{number:05}.png", compress_level=1)


def draw_shape(name: str, size: int, rng: np.random.Generator) -> Image.Image:
    """Draw one RGB image of a shape."""
    from PIL import Image, ImageDraw, ImageFilter

    side = size * _OVERSAMPLING
    image = _backdrop(side, _colour(rng, DARK), rng)
    draw = ImageDraw.Draw(image)
    if rng.random() < 0.25:
        _scribble(draw, side, rng)
    radius = side * rng.uniform(0.28, 0.44)
    centre = tuple(rng.uniform(radius * 0.9, side - radius * 0.9, 2).tolist())
    mask = Image.new("L", (side, side))
    _DRAWERS[name](ImageDraw.Draw(mask), centre, radius, rng.uniform(0, 2 * math.pi))
    image.paste(_backdrop(side, _colour(rng, BRIGHT), rng), mask=mask)
    image = image.resize((size, size), Image.Resampling.BOX)
    image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0, size / 64)))
    return _photographed(image, rng)


def _colour(rng: np.random.Generator, levels: tuple[int, int]) -> Colour:
    red, green, blue = rng.integers(*levels, 3).tolist()
    return red, green, blue


def _backdrop(side: int, colour: Colour, rng: np.random.Generator) -> Image.Image:
    """Draw a background of about one colour, with soft light and shade."""
    import numpy as np
    from PIL import Image

    light_HW1 = rng.uniform(-25, 25, (4, 4, 1))
    coarse_HWC = np.clip(np.array(colour) + light_HW1, 0, 255).astype(np.uint8)
    return Image.fromarray(coarse_HWC).resize((side, side), Image.Resampling.BICUBIC)


def _scribble(draw: ImageDraw.ImageDraw, side: int, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(2, 6))):
        ends = rng.uniform(0, side, 4).tolist()
        draw.line(ends, fill=_colour(rng, DARK), width=max(1, int(side * rng.uniform(0.01, 0.04))))


def _photographed(image: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Add exposure and sensor noise to the image."""
    import numpy as np
    from PIL import Image

    pixels_HWC = np.asarray(image, dtype=np.float32) * rng.uniform(0.75, 1.2)
    noise_HWC = rng.standard_normal(pixels_HWC.shape, dtype=np.float32)
    noisy_HWC = pixels_HWC + noise_HWC * rng.uniform(3, 18)
    return Image.fromarray(np.clip(noisy_HWC, 0, 255).astype(np.uint8))


def _on_circle(centre: Point, radius: float, angle: float) -> Point:
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def _disc(draw: ImageDraw.ImageDraw, centre: Point, radius: float, fill: int) -> None:
    (x, y), r = centre, radius
    draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)


def _polygon(
    draw: ImageDraw.ImageDraw, centre: Point, angle: float, corners: list[tuple[float, float]]
) -> None:
    """Draw a filled, rotated polygon of (angle, radius) corners."""
    draw.polygon([_on_circle(centre, r, angle + turn) for turn, r in corners], fill=255)


def _regular(
    draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float, num_corners: int
) -> None:
    turns = [2 * math.pi * k / num_corners for k in range(num_corners)]
    _polygon(draw, centre, angle, [(turn, radius) for turn in turns])


def _circle(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:  # noqa: ARG001
    _disc(draw, centre, radius, 255)


def _square(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:
    _regular(draw, centre, radius, angle, 4)


def _triangle(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:
    _regular(draw, centre, radius, angle, 3)


def _hexagon(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:
    _regular(draw, centre, radius, angle, 6)


def _star(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:
    corners = [(math.pi * k / 5, radius if k % 2 == 0 else radius * 0.4) for k in range(10)]
    _polygon(draw, centre, angle, corners)


def _cross(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:
    for quarter in (0.0, math.pi / 2):
        turns = (0.32, math.pi - 0.32, math.pi + 0.32, -0.32)
        _polygon(draw, centre, angle + quarter, [(turn, radius) for turn in turns])


def _ring(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:  # noqa: ARG001
    _disc(draw, centre, radius, 255)
    _disc(draw, centre, radius * 0.55, 0)


def _crescent(draw: ImageDraw.ImageDraw, centre: Point, radius: float, angle: float) -> None:
    _disc(draw, centre, radius, 255)
    _disc(draw, _on_circle(centre, radius * 0.5, angle), radius * 0.8, 0)


_DRAWERS = {
    "circle": _circle,
    "square": _square,
    "triangle": _triangle,
    "star": _star,
    "cross": _cross,
    "ring": _ring,
    "hexagon": _hexagon,
    "crescent": _crescent,
}
