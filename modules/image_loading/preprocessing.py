"""Preparation of a batch of pixels for a model: moved to the device, transformed, normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.compute.device_transfer import Pixels, Transferred, received
from modules.image_loading.normalisation import Normalisation
from modules.transforms.batch_transform import BatchTransformation
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Preprocessing:
    """Preparation of every batch; one object per dataset."""

    operations: Operations
    """Operations after the deterministic prefix; random ones draw from the generator."""
    normalisation: Normalisation
    device: torch.device
    channels_last: bool

    def __call__(self, pixels: Pixels | Transferred, generator: torch.Generator) -> torch.Tensor:
        """Return float32 images (N, C, H, W) of a batch (N, H, W, C) or of images (H, W, C)."""
        images_NHWC = self.transformed(pixels, generator)
        return self.normalisation(images_NHWC, channels_last=self.channels_last)

    def transformed(self, pixels: Pixels | Transferred, generator: torch.Generator) -> torch.Tensor:
        """Return the bytes of the same images, (N, H, W, C) on the device, not normalised yet."""
        images = received(pixels, self.device)
        if isinstance(images, list) or self.operations:
            return BatchTransformation(self.operations, self.normalisation.mean)(images, generator)
        return images
