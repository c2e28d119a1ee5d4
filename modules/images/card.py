"""Random boxes of JPEG files decoded by the graphics card, where it is faster at that.

Shapes: N images, S the size of the squares; values are uint8.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from modules.images.jpeg import decode_all, read_plain, resized_box
from modules.images.source import CroppedImages, Images

if TYPE_CHECKING:
    import torch

MEASURED_IMAGES = 256
"""Read by either way before one is chosen."""


class CardImages:
    """What ``CroppedImages`` reads, on a device; files that are no plain JPEGs come from there."""

    is_decoded = False
    num_random = 1

    def __init__(self, images: CroppedImages, device: torch.device) -> None:
        self.size = images.size
        self._images, self._device = images, device

    def __len__(self) -> int:
        return len(self._images)

    def read(self, indices: Sequence[int]) -> Any:
        """A batch (N, S, S, 3) on the device."""
        import torch

        chosen = [int(each) for each in indices]
        batch_NSSC = torch.empty(
            (len(chosen), self._edge, self._edge, 3), dtype=torch.uint8, device=self._device
        )
        contents = self._images.map(self._content, chosen)
        plain = {place: each for place, each in enumerate(contents) if each is not None}
        try:
            decoded = decode_all([*plain.values()], self._device) if plain else []
        except RuntimeError:  # a file that this decoder can't read: the other one can, or says why
            plain, decoded = {}, []
        for place, pixels_CHW in zip(plain, decoded, strict=True):
            box = self._images.box(chosen[place])
            batch_NSSC[place] = resized_box(pixels_CHW, box, self._edge)
        others = [place for place in range(len(chosen)) if place not in plain]
        if others:
            squares = self._images.read([chosen[place] for place in others])
            batch_NSSC[others] = torch.from_numpy(squares).to(self._device)
        return batch_NSSC

    def drawn(self, seed: int) -> CardImages:
        return CardImages(self._images.drawn(seed), self._device)

    def close(self) -> None:
        self._images.close()

    @property
    def _edge(self) -> int:
        assert self.size is not None
        return self.size[0]

    def _content(self, index: int) -> torch.Tensor | None:
        reader = self._images.reader
        if reader.prefix:
            return None
        return read_plain(reader.path(index), reader.sizes[index])


def fastest_reader(images: Images, device: torch.device) -> Images:
    """The images, decoded by the card from now on where that was faster on some of them."""
    if device.type != "cuda" or not isinstance(images, CroppedImages):
        return images
    on_card = CardImages(images, device)
    try:
        return on_card if _rate(on_card, device) > _rate(images, device) else images
    except RuntimeError:  # no decoder on this card, or no memory to spare
        return images


def _rate(images: Images, device: torch.device) -> float:
    """Images/s of the second reading of a batch; the first sets up the decoder."""
    import torch

    indices = range(min(MEASURED_IMAGES, len(images)))
    images.read(indices)
    torch.cuda.synchronize(device)
    began = time.perf_counter()
    images.read(indices)
    torch.cuda.synchronize(device)
    return len(indices) / (time.perf_counter() - began)
