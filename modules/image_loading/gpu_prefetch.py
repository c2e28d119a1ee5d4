"""Batches read to a GPU while it works on the ones before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modules.compute.device_transfer import Transferred, all_to_device
from modules.image_loading.datasets import ImageSource

if TYPE_CHECKING:
    import torch


class Transfer:
    """Reads batches to a GPU from a background thread, while the GPU works on the ones before.

    The copies run from page-locked memory on a stream of their own, as does what the GPU decodes:
    neither the processor nor the GPU waits for them.
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
