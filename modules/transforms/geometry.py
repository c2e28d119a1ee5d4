"""Geometric operations: resizing, crops and flips, on batches (N, C, H, W) of uint8.

Distributions match the classes of the same name in ``torchvision.transforms.v2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modules.transforms.crop_boxes import MAX_TRIES, NUMBERS_PER_TRY, random_boxes
from modules.transforms.random_draws import chosen_places

if TYPE_CHECKING:
    import torch


def resize(images_NCHW: torch.Tensor, size: int, generator: torch.Generator) -> torch.Tensor:  # noqa: ARG001
    """Resize images so that the smaller edge is ``size``."""
    from torchvision.transforms.v2 import functional

    resized: torch.Tensor = functional.resize(images_NCHW, [size], antialias=True)
    return resized


def center_crop(images_NCHW: torch.Tensor, size: int, generator: torch.Generator) -> torch.Tensor:  # noqa: ARG001
    """Crop the central square; add black where the images are smaller."""
    from torchvision.transforms.v2 import functional

    cropped: torch.Tensor = functional.center_crop(images_NCHW, [size, size])
    return cropped


def pad(images_NCHW: torch.Tensor, padding: int, generator: torch.Generator) -> torch.Tensor:  # noqa: ARG001
    """Add a black frame to images."""
    from torch.nn import functional

    return functional.pad(images_NCHW, [padding] * 4)


def random_horizontal_flip(
    images_NCHW: torch.Tensor, p: float, generator: torch.Generator
) -> torch.Tensor:
    """Mirror each image left to right with probability ``p``."""
    return _flip_some(images_NCHW, 3, p, generator)


def random_vertical_flip(
    images_NCHW: torch.Tensor, p: float, generator: torch.Generator
) -> torch.Tensor:
    """Mirror each image top to bottom with probability ``p``."""
    return _flip_some(images_NCHW, 2, p, generator)


def _flip_some(
    images_NCHW: torch.Tensor, axis: int, p: float, generator: torch.Generator
) -> torch.Tensor:
    flipped = chosen_places(len(images_NCHW), p, generator, images_NCHW.device)
    flipped_NCHW = images_NCHW.clone()
    flipped_NCHW[flipped] = images_NCHW[flipped].flip(axis)
    return flipped_NCHW


def random_crop(images_NCHW: torch.Tensor, size: int, generator: torch.Generator) -> torch.Tensor:
    """Crop a square at a random position of each image.

    Images smaller than ``size`` are first padded with black on both sides, as ``pad_if_needed``
    does.
    """
    import torch
    from torch.nn import functional

    height, width = images_NCHW.shape[2:]
    extra_y, extra_x = max(0, size - height), max(0, size - width)
    padded_NCHW = functional.pad(images_NCHW, [extra_x, extra_x, extra_y, extra_y])
    height, width = padded_NCHW.shape[2:]
    num = len(images_NCHW)
    tops_N = torch.randint(0, height - size + 1, (num,), generator=generator).tolist()
    lefts_N = torch.randint(0, width - size + 1, (num,), generator=generator).tolist()
    corners = zip(padded_NCHW, tops_N, lefts_N, strict=True)
    return torch.stack(
        [image[:, top : top + size, left : left + size] for image, top, left in corners]
    )


def random_resized_crop(
    images_NCHW: torch.Tensor,
    size: int,
    scale: Sequence[float],
    ratio: Sequence[float],
    generator: torch.Generator,
) -> torch.Tensor:
    """Crop a region of random position, area and ratio per image and resize it to a square."""
    import numpy as np
    import torch

    num, _, height, width = images_NCHW.shape
    numbers_NT4 = torch.rand((num, MAX_TRIES, NUMBERS_PER_TRY), generator=generator)
    boxes_N4 = random_boxes(np.full((num, 2), (height, width)), numbers_NT4.numpy(), scale, ratio)
    return torch.cat(
        [
            _resized(image_CHW[None, :, top : top + box_height, left : left + box_width], size)
            for image_CHW, (top, left, box_height, box_width) in zip(
                images_NCHW, boxes_N4.tolist(), strict=True
            )
        ]
    )


def _resized(images_NCHW: torch.Tensor, size: int) -> torch.Tensor:
    """Resize to a square as ``resized_crop`` of torchvision does, which takes twice the time."""
    from torch.nn import functional
    from torchvision.transforms.v2.functional import resize_image

    if images_NCHW.device.type == "cpu":  # only there bytes are resized without floats
        return functional.interpolate(images_NCHW, (size, size), mode="bilinear", antialias=True)
    resized: torch.Tensor = resize_image(images_NCHW, [size, size], antialias=True)
    return resized
