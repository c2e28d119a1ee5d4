"""From a batch of pixels to what a model takes: moved to the device, transformed, normalised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.images.normalisation import Normalisation
from modules.images.reading import Operations
from modules.transformation.batch import BatchTransformation

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
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
        pixels: npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]],
        generator: torch.Generator,
    ) -> torch.Tensor:
        """float32 images (N, C, H, W) of a batch (N, H, W, C) or of images (H, W, C)."""
        if isinstance(pixels, list):
            images_NHWC = self._transformed([self._moved(each) for each in pixels], generator)
        else:
            images_NHWC = self._moved(pixels)
            if self.operations:
                images_NHWC = self._transformed(images_NHWC, generator)
        return self.normalisation(images_NHWC, channels_last=self.channels_last)

    def _transformed(
        self, images: torch.Tensor | list[torch.Tensor], generator: torch.Generator
    ) -> torch.Tensor:
        return BatchTransformation(self.operations, self.normalisation.mean)(images, generator)

    def _moved(self, pixels: npt.NDArray[np.uint8]) -> torch.Tensor:
        import torch

        tensor = torch.from_numpy(pixels)
        if self.device.type == "cuda":
            return tensor.pin_memory().to(self.device, non_blocking=True)
        return tensor
