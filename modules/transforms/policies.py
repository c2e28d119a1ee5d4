"""RandAugment and TrivialAugment: random changes from a table of fourteen.

Sources: Cubuk et al. 2019 (arXiv 1909.13719), Mueller and Hutter 2021 (arXiv 2103.10158). Tables,
strengths and arithmetic as in ``torchvision.transforms.v2``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.transforms.random_draws import chosen, integer

if TYPE_CHECKING:
    import torch

NUM_STRENGTHS = 31
"""Number of strengths, from 0 (weakest) to 30."""


@dataclass(frozen=True)
class StrengthTable:
    """Maximum amount of each change; amounts grow linearly with the strength."""

    shear: float
    """Tangent of the angle."""
    shift_x: float
    """Pixels."""
    shift_y: float
    degrees: float
    factor: float
    """Maximum distance from 1 of the factors of colour, contrast etc."""
    lost_bits: int


TRIVIAL_TABLE = StrengthTable(0.99, 32.0, 32.0, 135.0, 0.99, 6)


def rand_augment_table(height: int, width: int) -> StrengthTable:
    """Return RandAugment's maximum amounts for images of this size in pixels."""
    return StrengthTable(0.3, 150 / 331 * width, 150 / 331 * height, 30.0, 0.9, 4)


def rand_augment(
    images_NCHW: torch.Tensor, num_ops: int, magnitude: int, generator: torch.Generator
) -> torch.Tensor:
    """Apply ``num_ops`` random changes of strength ``magnitude`` (of 30) to each image."""
    height, width = images_NCHW.shape[2:]
    table = rand_augment_table(height, width)

    def vary(image_CHW: torch.Tensor) -> torch.Tensor:
        for _ in range(num_ops):
            change = _any_change(generator)
            image_CHW = _changed(image_CHW, change, magnitude, table, generator)
        return image_CHW

    return _each(images_NCHW, vary)


def trivial_augment(images_NCHW: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Apply one random change of random strength to each image ("wide" strengths)."""

    def vary(image_CHW: torch.Tensor) -> torch.Tensor:
        change = _any_change(generator)
        strength = integer(0, NUM_STRENGTHS - 1, generator)
        return _changed(image_CHW, change, strength, TRIVIAL_TABLE, generator)

    return _each(images_NCHW, vary)


SIGNED = ("shear_x", "shear_y", "shift_x", "shift_y", "rotate")
FACTORS = ("brightness", "color", "contrast", "sharpness")
CHANGES = ("identity", *SIGNED, *FACTORS, "posterize", "solarize", "autocontrast", "equalize")


def _any_change(generator: torch.Generator) -> str:
    return CHANGES[integer(0, len(CHANGES) - 1, generator)]


def _changed(
    image_CHW: torch.Tensor,
    change: str,
    strength: int,
    table: StrengthTable,
    generator: torch.Generator,
) -> torch.Tensor:
    part = strength / (NUM_STRENGTHS - 1)
    if (change in SIGNED or change in FACTORS) and chosen(1, 0.5, generator).item():
        part = -part
    return apply_change(image_CHW, change, part, table)


def apply_change(
    image_CHW: torch.Tensor, change: str, part: float, table: StrengthTable
) -> torch.Tensor:
    """Apply one change at ``part`` (-1 to 1) of its maximum amount."""
    from torchvision.transforms.v2 import functional

    factor = 1 + part * table.factor
    changes: dict[str, Callable[[], torch.Tensor]] = {
        "identity": lambda: image_CHW,
        "shear_x": lambda: _sheared(image_CHW, [_angle(part * table.shear), 0.0]),
        "shear_y": lambda: _sheared(image_CHW, [0.0, _angle(part * table.shear)]),
        "shift_x": lambda: _shifted(image_CHW, [int(part * table.shift_x), 0]),
        "shift_y": lambda: _shifted(image_CHW, [0, int(part * table.shift_y)]),
        "rotate": lambda: functional.rotate(image_CHW, part * table.degrees),
        "brightness": lambda: functional.adjust_brightness(image_CHW, factor),
        "color": lambda: functional.adjust_saturation(image_CHW, factor),
        "contrast": lambda: functional.adjust_contrast(image_CHW, factor),
        "sharpness": lambda: functional.adjust_sharpness(image_CHW, factor),
        "posterize": lambda: functional.posterize(image_CHW, 8 - round(part * table.lost_bits)),
        "solarize": lambda: functional.solarize(image_CHW, 255 * (1 - part)),
        "autocontrast": lambda: functional.autocontrast(image_CHW),
        "equalize": lambda: functional.equalize(image_CHW),
    }
    return changes[change]()


def _angle(tangent: float) -> float:
    return math.degrees(math.atan(tangent))


def _sheared(image_CHW: torch.Tensor, shear: list[float]) -> torch.Tensor:
    from torchvision.transforms.v2 import functional

    sheared: torch.Tensor = functional.affine(
        image_CHW, angle=0.0, translate=[0, 0], scale=1.0, shear=shear, center=[0, 0]
    )
    return sheared


def _shifted(image_CHW: torch.Tensor, pixels: list[int]) -> torch.Tensor:
    from torchvision.transforms.v2 import functional

    shifted: torch.Tensor = functional.affine(
        image_CHW, angle=0.0, translate=pixels, scale=1.0, shear=[0.0, 0.0]
    )
    return shifted


def _each(
    images_NCHW: torch.Tensor, function: Callable[[torch.Tensor], torch.Tensor]
) -> torch.Tensor:
    import torch

    return torch.stack([function(image_CHW) for image_CHW in images_NCHW])
