"""MixUp and CutMix: pairs of images of a batch and their labels, mixed.

Sources: Zhang et al. 2018 (arXiv 1710.09412), Yun et al. 2019 (arXiv 1905.04899), arranged as in
``torchvision.transforms.v2``: each image is paired with its neighbour in the (shuffled) batch.
Shape letters: N images, C channels, H height, W width, K classes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from modules.transforms.operations import MIXTURES, Operation
from modules.transforms.random_draws import integer

if TYPE_CHECKING:
    import torch


class MixtureOfImages:
    """Mixing of a normalised batch; with both MixUp and CutMix, one of them is drawn per batch."""

    def __init__(self, operations: Sequence[Operation], num_classes: int) -> None:
        self.mixtures = tuple(
            operation for operation in operations if operation["operation"] in MIXTURES
        )
        self.num_classes = num_classes

    def __bool__(self) -> bool:
        """Return True if there is anything to mix; otherwise labels need no one-hot form."""
        return bool(self.mixtures)

    def __call__(
        self, images_NCHW: torch.Tensor, labels_N: torch.Tensor, generator: torch.Generator
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return mixed float images and the share of each class in them, shape (N, K)."""
        from torch.nn.functional import one_hot

        targets_NK = one_hot(labels_N, self.num_classes).to(images_NCHW.dtype)
        if not self.mixtures:
            return images_NCHW, targets_NK
        mixture = self.mixtures[integer(0, len(self.mixtures) - 1, generator)]
        share = draw_share(mixture["alpha"], generator)
        if mixture["operation"] == "mixup":
            images_NCHW = _mixed(images_NCHW, share)
        else:
            images_NCHW, share = _with_patch(images_NCHW, share, generator)
        return images_NCHW, _mixed(targets_NK, share)


def draw_share(alpha: float, generator: torch.Generator) -> float:
    """Draw the share of the first image from Beta(alpha, alpha).

    ``torch.distributions`` accepts no generator, so numpy draws it, seeded by the generator.
    """
    import numpy as np

    seed = integer(0, 2**62, generator)
    return float(np.random.default_rng(seed).beta(alpha, alpha))


def _mixed(values: torch.Tensor, share: float) -> torch.Tensor:
    return values.roll(1, 0).mul_(1 - share).add_(values, alpha=share)


def _with_patch(
    images_NCHW: torch.Tensor, share: float, generator: torch.Generator
) -> tuple[torch.Tensor, float]:
    """Return images with a box of their neighbour, and the share of unchanged pixels."""
    height, width = images_NCHW.shape[2:]
    centre_x, centre_y = integer(0, width - 1, generator), integer(0, height - 1, generator)
    half = 0.5 * math.sqrt(1 - share)
    half_width, half_height = int(half * width), int(half * height)
    rows = slice(max(0, centre_y - half_height), min(height, centre_y + half_height))
    columns = slice(max(0, centre_x - half_width), min(width, centre_x + half_width))
    output_NCHW = images_NCHW.clone()
    output_NCHW[:, :, rows, columns] = images_NCHW.roll(1, 0)[:, :, rows, columns]
    covered = (rows.stop - rows.start) * (columns.stop - columns.start)
    return output_NCHW, 1 - covered / (height * width)
