"""Transfer of batches to a GPU while it processes the previous ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modules.compute.device_transfer import Transferred, all_to_device
from modules.image_loading.datasets import ImageSource

if TYPE_CHECKING:
    import torch


class Transfer:
    """Reader of batches to a GPU in a background thread, while the GPU processes the previous ones.

    The copies run from page-locked memory on a separate stream, as does the GPU's decoding: neither
    the CPU nor the GPU waits for them.
    """

    def __init__(self, device: torch.device) -> None:
        import torch

        self._device = device
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def __call__(self, images: ImageSource, indices: Sequence[int]) -> Transferred:
        import torch

        with torch.cuda.stream(self._stream):
            there = all_to_device(images.read(indices), self._device)
            return Transferred(there, self._stream.record_event())
