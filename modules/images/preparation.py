"""From a batch of pixels to what a model takes: moved to the device, transformed, normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.images.normalisation import Normalisation
from modules.images.reading import Operations
from modules.images.transfer import Pixels, Transferred, received
from modules.transformation.batch import BatchTransformation

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Preparation:
    """The way of every batch; one object a data set."""

    operations: Operations
    """What follows the deterministic prefix; chance among it draws from the generator."""
    normalisation: Normalisation
    device: torch.device
    channels_last: bool

    def __call__(
        self,
        pixels: Pixels | Transferred,
        generator: torch.Generator,
    ) -> torch.Tensor:
        """float32 images (N, C, H, W) of a batch (N, H, W, C) or of images (H, W, C)."""
        images = received(pixels, self.device)
        if isinstance(images, list):
            images_NHWC = self._transformed(images, generator)
        else:
            images_NHWC = images
            if self.operations:
                images_NHWC = self._transformed(images_NHWC, generator)
        return self.normalisation(images_NHWC, channels_last=self.channels_last)

    def _transformed(
        self, images: torch.Tensor | list[torch.Tensor], generator: torch.Generator
    ) -> torch.Tensor:
        return BatchTransformation(self.operations, self.normalisation.mean)(images, generator)
