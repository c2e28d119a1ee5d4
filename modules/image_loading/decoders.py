"""Selection of the decoder for the images of a training: the CPU's, or a GPU's.

On a CPU, JPEG files are decoded only inside their boxes (``jpeg_regions``, an extra) or in full
(``jpeg``); everything else is decoded by Pillow (``decoding``).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modules.image_loading.datasets import CroppedImages, ImageSource

if TYPE_CHECKING:
    import torch

MEASURED_IMAGES = 256
"""Images read with each decoder before one is selected."""


def choose_decoder(images: ImageSource, device: torch.device) -> ImageSource:
    """Return the images, decoded by the GPU if that was faster on some of them.

    Both at once are slower than the GPU alone: Python's work for each image on the CPU delays the
    GPU's files.
    """
    if device.type != "cuda" or not isinstance(images, CroppedImages):
        return images
    from modules.image_loading.gpu_decoding import GpuDecodingImages

    on_card = GpuDecodingImages(images, device)
    try:
        return on_card if _rate(on_card, device) > _rate(images, device) else images
    except RuntimeError:  # no decoder on this GPU, or not enough memory
        return images


def _rate(images: ImageSource, device: torch.device) -> float:
    """Return the images/s of the second reading of a batch; the first sets up the decoder."""
    import torch

    indices = range(min(MEASURED_IMAGES, len(images)))
    images.read(indices)
    torch.cuda.synchronize(device)
    began = time.perf_counter()
    images.read(indices)
    torch.cuda.synchronize(device)
    return len(indices) / (time.perf_counter() - began)
