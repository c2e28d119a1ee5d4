"""Decoding of random boxes of JPEG files on the GPU; ``decoders`` decides when.

Shapes: N images, S the size of the squares; values are uint8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from modules.compute.device_transfer import to_device
from modules.image_loading.datasets import CroppedImages
from modules.image_loading.gpu_resize import resized_boxes
from modules.image_loading.jpeg import decode_all, read_plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch


class GpuDecodingImages:
    """``CroppedImages`` on a device; files that are not plain JPEGs are decoded by the CPU."""

    is_decoded = False
    num_random = 1

    def __init__(self, images: CroppedImages, device: torch.device) -> None:
        self.size = images.size
        self._images, self._device = images, device

    def __len__(self) -> int:
        return len(self._images)

    def read(self, indices: Sequence[int]) -> Any:
        """Return a batch (N, S, S, 3) on the device."""
        import torch

        chosen = [int(index) for index in indices]
        plain = self._plain(chosen)
        others = [place for place in range(len(chosen)) if place not in plain]
        finish = self._images.begin([chosen[place] for place in others])
        try:
            decoded = decode_all([*plain.values()], self._device) if plain else []
        # a file that this decoder cannot read: the other one can, or reports the error
        except RuntimeError:
            return self._sent(self._images.read(chosen))
        if not decoded:
            return self._sent(finish())
        boxes_N4 = self._images.boxes([chosen[place] for place in plain])
        squares_NSSC = resized_boxes(decoded, boxes_N4, self._edge)
        if not others:
            return squares_NSSC
        places_N = torch.tensor([*plain, *others]).argsort()
        return torch.cat([squares_NSSC, self._sent(finish())])[to_device(places_N, self._device)]

    def _sent(self, squares_NSSC: npt.NDArray[np.uint8]) -> torch.Tensor:
        import torch

        return to_device(torch.from_numpy(squares_NSSC), self._device)

    def drawn(self, seed: int) -> GpuDecodingImages:
        return GpuDecodingImages(self._images.drawn(seed), self._device)

    def close(self) -> None:
        self._images.close()

    @property
    def _edge(self) -> int:
        assert self.size is not None
        return self.size[0]

    def _plain(self, chosen: list[int]) -> dict[int, torch.Tensor]:
        """Return the bytes of the plain JPEG files, by their position in the batch."""
        reader = self._images.reader
        if reader.prefix:
            return {}
        contents = (read_plain(reader.files[index], reader.sizes[index]) for index in chosen)
        return {place: content for place, content in enumerate(contents) if content is not None}
