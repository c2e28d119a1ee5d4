"""Normalisation of pixels for a model: floating point, per channel, on its device.

Shapes: N images, H height, W width, C = 3 channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from modules.image_loading.datasets import ImageSource

if TYPE_CHECKING:
    import torch

SMALLEST_DEVIATION = 1 / 255
"""Minimum deviation, so that images of one colour do not divide by zero; one grey level."""
MAX_MEASURED_PIXELS = 200_000_000
_IMAGES_AT_ONCE = 64


@dataclass(frozen=True)
class Normalisation:
    """Mean and standard deviation of each channel, of pixels between 0 and 1."""

    mean: tuple[float, ...]
    std: tuple[float, ...]

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Normalisation:
        return cls(tuple(stored["mean"]), tuple(stored["std"]))

    def __call__(self, images_NHWC: torch.Tensor, *, channels_last: bool) -> torch.Tensor:
        """Return float32 images of shape (N, C, H, W), in memory as NHWC or as NCHW."""
        import torch

        scale, shift = _scale_and_shift(self, images_NHWC.device)
        images_NCHW = images_NHWC.permute(0, 3, 1, 2)
        layout = torch.channels_last if channels_last else torch.contiguous_format
        images_NCHW = images_NCHW.to(torch.float32, memory_format=layout)
        return images_NCHW.mul_(scale[:, None, None]).add_(shift[:, None, None])


@lru_cache(maxsize=16)
def _scale_and_shift(
    normalisation: Normalisation, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the factor and offset of pixels; sent to the device only once."""
    import torch

    pairs = list(zip(normalisation.mean, normalisation.std, strict=True))
    scale = torch.tensor([1 / (255 * std) for _, std in pairs], device=device)
    return scale, torch.tensor([-mean / std for mean, std in pairs], device=device)


def measure(images: ImageSource, rank: int = 0, world_size: int = 1) -> list[float]:
    """Return sums for ``from_sums``: pixels, then per channel sum and squares.

    Each process counts its share; the sums may be added up over processes. Of large datasets a
    fixed, evenly spaced part is counted.
    """
    import numpy as np

    chosen = _evenly_spaced(images)[rank::world_size]
    count, total_C, squares_C = 0.0, np.zeros(3), np.zeros(3)
    for start in range(0, len(chosen), _IMAGES_AT_ONCE):
        for pixels in images.read(chosen[start : start + _IMAGES_AT_ONCE]):
            flat = pixels.reshape(-1, 3).astype(np.float32) / np.float32(255)
            count += len(flat)
            total_C += flat.sum(axis=0, dtype=np.float64)
            squares_C += np.einsum("pc,pc->c", flat, flat, dtype=np.float64)
    return [count, *total_C.tolist(), *squares_C.tolist()]


def from_sums(sums: Sequence[float]) -> Normalisation:
    """Return the mean and the standard deviation from ``measure``."""
    count, total, squares = sums[0], sums[1:4], sums[4:7]
    mean = [value / count for value in total]
    variance = [square / count - m * m for square, m in zip(squares, mean, strict=True)]
    std = [max(SMALLEST_DEVIATION, max(0.0, value) ** 0.5) for value in variance]
    return Normalisation(tuple(mean), tuple(std))


def _evenly_spaced(images: ImageSource) -> list[int]:
    height, width = images.size or (500, 500)
    affordable = max(1, MAX_MEASURED_PIXELS // (height * width))
    step = max(1, -(-len(images) // affordable))
    return list(range(0, len(images), step))
