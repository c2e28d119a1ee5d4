"""torchvision's stock path: Pillow and the resized crop of v2."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from benchmarks.peers.decoding import Box, measure


def cut(content: bytes, box: Box, size: int) -> Any:
    """The square as torchvision cuts it from a Pillow image."""
    from PIL import Image
    from torchvision.transforms.v2 import functional

    with Image.open(BytesIO(content)) as image:
        return functional.resized_crop(image.convert("RGB"), *box, [size, size], antialias=True)


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    measure(cut, "torchvision", "pillow")
