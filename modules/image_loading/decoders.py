"""Which decoder reads the images of a training: the processor's, or a graphics card's.

On a processor, JPEG files are decoded inside their boxes alone (``jpeg_regions``, an extra) or in
full (``jpeg``); whatever is no plain JPEG is Pillow's (``decoding``).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modules.image_loading.datasets import CroppedImages, ImageSource

if TYPE_CHECKING:
    import torch

MEASURED_IMAGES = 256
"""Read by each way before one is chosen."""


def choose_decoder(images: ImageSource, device: torch.device) -> ImageSource:
    """The images, decoded by the card from now on where that was faster on some of them.

    Both at once are slower than the card alone: what Python does for each image the processor
    decodes keeps the card's own files waiting.
    """
    if device.type != "cuda" or not isinstance(images, CroppedImages):
        return images
    from modules.image_loading.gpu_decoding import GpuDecodingImages

    on_card = GpuDecodingImages(images, device)
    try:
        return on_card if _rate(on_card, device) > _rate(images, device) else images
    except RuntimeError:  # no decoder on this card, or no memory to spare
        return images


def _rate(images: ImageSource, device: torch.device) -> float:
    """Images/s of the second reading of a batch; the first sets up the decoder."""
    import torch

    indices = range(min(MEASURED_IMAGES, len(images)))
    images.read(indices)
    torch.cuda.synchronize(device)
    began = time.perf_counter()
    images.read(indices)
    torch.cuda.synchronize(device)
    return len(indices) / (time.perf_counter() - began)
