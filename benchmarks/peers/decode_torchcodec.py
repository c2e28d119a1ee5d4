"""torchcodec's decoder and torchvision's resized crop on tensors."""

from __future__ import annotations

from typing import Any

import torch
from torchcodec.decoders import decode_jpeg
from torchvision.transforms.v2 import functional

from benchmarks.peers.decoding import Box, measure


def cut(content: bytes, box: Box, size: int) -> Any:
    """The square as torchvision cuts it from a tensor."""
    encoded = torch.frombuffer(bytearray(content), dtype=torch.uint8)
    pixels_CHW = decode_jpeg(encoded)
    square_CSS = functional.resized_crop(pixels_CHW, *box, [size, size], antialias=True)
    return square_CSS.permute(1, 2, 0)


if __name__ == "__main__":
    torch.set_num_threads(1)
    measure(cut, "torchcodec")
