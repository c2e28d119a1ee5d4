"""Batches on their way to the device that works on them.

Shapes: N images, H height, W width, C = 3 channels; values are uint8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

    from modules.image_loading.datasets import Images

    Pixels = npt.NDArray[np.uint8] | list[npt.NDArray[np.uint8]]
else:
    Pixels = Any


@dataclass(frozen=True)
class Transferred:
    """Images that a GPU has, or will have once ``arrived``."""

    images: torch.Tensor | list[torch.Tensor]
    arrived: torch.cuda.Event


class Transfer:
    """Reads batches to a GPU from a background thread, while the GPU works on the ones before.

    The copies run from page-locked memory on a stream of their own, as does what the GPU decodes:
    neither the processor nor the GPU waits for them.
    """

    def __init__(self, device: torch.device) -> None:
        import torch

        self._device = device
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def __call__(self, images: Images, indices: Sequence[int]) -> Transferred:
        import torch

        with torch.cuda.stream(self._stream):
            there = _each(images.read(indices), self._device)
            return Transferred(there, self._stream.record_event())


def received(
    pixels: Pixels | Transferred, device: torch.device
) -> torch.Tensor | list[torch.Tensor]:
    """The images on the device, shape (N, H, W, C), or a list of (H, W, C) where sizes differ."""
    import torch

    if not isinstance(pixels, Transferred):
        return _each(pixels, device)
    stream = torch.cuda.current_stream(device)
    stream.wait_event(pixels.arrived)
    for each in pixels.images if isinstance(pixels.images, list) else [pixels.images]:
        # Its memory belongs to the other stream: it must not be used again before this one is done.
        each.record_stream(stream)
    return pixels.images


def sent(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """A tensor of the processor on the device, which is not waited for."""
    if device.type == "cuda":
        # torch keeps page-locked memory for later copies, and until this one is done.
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def _each(pixels: Any, device: torch.device) -> torch.Tensor | list[torch.Tensor]:
    import torch

    if isinstance(pixels, torch.Tensor):
        return pixels  # decoded on the device
    if isinstance(pixels, list):
        return [sent(torch.from_numpy(each), device) for each in pixels]
    return sent(torch.from_numpy(pixels), device)
