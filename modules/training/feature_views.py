"""Views of training images whose features train a head as well, if it has few images.

The center enlarged, and the whole image reduced with its border repeated. Nothing is mirrored, as
mirrored images may belong to another class: arrows, letters, hands.

Shape letters: N images, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.training.parameters import TrainParameters

if TYPE_CHECKING:
    import torch

ENLARGED, REDUCED = "enlarged", "reduced"
VIEWS = (ENLARGED, REDUCED)
"""Mean accuracy of eight splits on features of EfficientNet-Lite0, without views, with both, and
with the images themselves three times instead; a fifth of the images is for validation.
Sign-language digits: 20 images 42.3 %, 45.4 %, 45.3 %; 50 images 64.3 %, 67.1 %, 66.0 %.
Photographs: 23 of two groups 90.8 %, 93.5 %, 92.9 %; 21 of five groups 51.7 %, 57.1 %, 55.6 %; 41
of five groups 72.5 %, 79.4 %, 77.5 %; 34 of eight groups 44.9 %, 50.7 %, 47.6 %; 65 of eight groups
67.2 %, 71.3 %, 69.3 %. Standard errors of the gains: 0.5 to 1.8 points. Two corner crops gain as
much on digits and less on most photographs; one random view per epoch gains less than both.
"""
KEPT = 7 / 8
"""Part of each edge that is enlarged, and size of the reduced image."""
MAX_IMAGES = 50
"""Maximum number of training images with views, so of 100 more features: a few seconds on two
cores. With 80 images of sign-language digits, views changed the accuracy by -0.2 points.
"""


def extra_views(num_images: int | None, settings: TrainParameters) -> tuple[str, ...]:
    """Return the views for this number of training images; none for many, or if switched off."""
    has_few = num_images is not None and 0 < num_images <= MAX_IMAGES
    return VIEWS if has_few and settings.frozen_head == "automatic" else ()


@dataclass(frozen=True)
class ViewPreparation:
    """Preparation of images that ends with a view."""

    preparation: Callable[[Any, torch.Generator], torch.Tensor]
    view: str

    def __call__(self, images: Any, generator: torch.Generator) -> torch.Tensor:
        return viewed(self.preparation(images, generator), self.view)


def viewed(images_NCHW: torch.Tensor, view: str) -> torch.Tensor:
    """Return a view of prepared images, in their size."""
    from torch.nn.functional import interpolate, pad

    height, width = images_NCHW.shape[-2:]
    inner_height, inner_width = (max(1, round(edge * KEPT)) for edge in (height, width))
    top, left = (height - inner_height) // 2, (width - inner_width) // 2
    if view == ENLARGED:
        center = images_NCHW[..., top : top + inner_height, left : left + inner_width]
        return interpolate(center, (height, width), mode="bilinear", antialias=True)
    size = (inner_height, inner_width)
    reduced = interpolate(images_NCHW, size, mode="bilinear", antialias=True)
    border = (left, width - inner_width - left, top, height - inner_height - top)
    return pad(reduced, border, mode="replicate")
