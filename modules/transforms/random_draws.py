"""Random draws from a given generator, as Python numbers or tensors of one number an image."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch

MAX_TRIES = 10
"""How often torchvision draws a box anew before it gives up."""


class Box(NamedTuple):
    """A part of an image, in pixels."""

    top: int
    left: int
    height: int
    width: int


def uniform(num: int, low: float, high: float, generator: torch.Generator) -> torch.Tensor:
    """``num`` numbers between ``low`` and ``high``, shape (num,)."""
    import torch

    return torch.rand(num, generator=generator).mul_(high - low).add_(low)


def uniform_number(low: float, high: float, generator: torch.Generator) -> float:
    return float(uniform(1, low, high, generator))


def integer(low: int, high: int, generator: torch.Generator) -> int:
    """A whole number from ``low`` to ``high``, both possible."""
    import torch

    return int(torch.randint(low, high + 1, (1,), generator=generator))


def chosen(num: int, p: float, generator: torch.Generator) -> torch.Tensor:
    """For each of ``num`` images whether it is chosen, with probability ``p``; shape (num,)."""
    import torch

    return torch.rand(num, generator=generator) < p


def chosen_places(
    num: int, p: float, generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Which of ``num`` images are chosen, in order, for indexing on a device not waited for."""
    from modules.compute.device_transfer import sent

    return sent(chosen(num, p, generator).nonzero().squeeze(1), device)


def box_of_random_shape(
    height: int,
    width: int,
    scale: Sequence[float],
    ratio: Sequence[float],
    generator: torch.Generator,
    may_fill: bool = True,
) -> Box | None:
    """A box with a part of the area within ``scale`` and width / height within ``ratio``.

    The ratio is drawn evenly on a logarithmic scale. Unless it ``may_fill`` an edge of the image,
    the box is smaller than that. None where no try fitted.
    """
    most_height, most_width = (height, width) if may_fill else (height - 1, width - 1)
    for _ in range(MAX_TRIES):
        area = height * width * uniform_number(scale[0], scale[1], generator)
        aspect = math.exp(uniform_number(math.log(ratio[0]), math.log(ratio[1]), generator))
        box_width = round(math.sqrt(area * aspect))
        box_height = round(math.sqrt(area / aspect))
        if 0 < box_width <= most_width and 0 < box_height <= most_height:
            top = integer(0, height - box_height, generator)
            left = integer(0, width - box_width, generator)
            return Box(top, left, box_height, box_width)
    return None
