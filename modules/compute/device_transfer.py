"""Transfer of batches to the device that computes with them.

Shapes: N images, H height, W width, C = 3 channels; values are uint8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

    Pixels = npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]]
else:
    Pixels = Any


@dataclass(frozen=True)
class Transferred:
    """Images that a GPU has, or will have once ``arrived``."""

    images: torch.Tensor | list[torch.Tensor]
    arrived: torch.cuda.Event


def received(
    pixels: Pixels | Transferred, device: torch.device
) -> torch.Tensor | list[torch.Tensor]:
    """Return the images on the device: (N, H, W, C), or a list of (H, W, C) if sizes differ."""
    import torch

    if not isinstance(pixels, Transferred):
        return all_to_device(pixels, device)
    stream = torch.cuda.current_stream(device)
    stream.wait_event(pixels.arrived)
    for image in pixels.images if isinstance(pixels.images, list) else [pixels.images]:
        # Its memory belongs to the other stream and must not be reused before this one is done.
        image.record_stream(stream)
    return pixels.images


def to_device(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Copy a tensor from the CPU to the device without waiting."""
    if device.type == "cuda":
        # torch keeps page-locked memory for later copies, and until this one is done.
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def all_to_device(pixels: Any, device: torch.device) -> torch.Tensor | list[torch.Tensor]:
    """Copy images from the CPU to the device without waiting; tensors are already there."""
    import torch

    if isinstance(pixels, torch.Tensor):
        return pixels  # decoded on the device
    if isinstance(pixels, list):
        return [to_device(torch.from_numpy(array), device) for array in pixels]
    return to_device(torch.from_numpy(pixels), device)
