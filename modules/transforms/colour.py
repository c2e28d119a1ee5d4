"""Colour operations: jitter, grayscale and erasing, on batches (N, C, H, W) of uint8.

Distributions and arithmetic match ``torchvision.transforms.v2``, with one draw per image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modules.transforms.crop_boxes import box_of_random_shape
from modules.transforms.random_draws import chosen, chosen_places, uniform

if TYPE_CHECKING:
    import torch

LUMA = (0.2989, 0.587, 0.114)
"""ITU-R 601 weights: perceived brightness of red, green and blue."""


def grayscale(images_NCHW: torch.Tensor, generator: torch.Generator) -> torch.Tensor:  # noqa: ARG001
    """Return grey images with three equal channels."""
    grey_N1HW = _luma(images_NCHW).to(images_NCHW.dtype)
    return grey_N1HW.expand(images_NCHW.shape)


def random_grayscale(
    images_NCHW: torch.Tensor, p: float, generator: torch.Generator
) -> torch.Tensor:
    """Convert each image to grey with probability ``p``."""
    grey = chosen_places(len(images_NCHW), p, generator, images_NCHW.device)
    output_NCHW = images_NCHW.clone()
    output_NCHW[grey] = grayscale(images_NCHW[grey], generator)
    return output_NCHW


def color_jitter(
    images_NCHW: torch.Tensor,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    generator: torch.Generator,
) -> torch.Tensor:
    """Change the four properties of each image, in an order drawn for each image."""
    import torch

    from modules.compute.device_transfer import to_device

    num, device = len(images_NCHW), images_NCHW.device
    changes = (adjust_brightness, adjust_contrast, adjust_saturation, adjust_hue)
    order_NP = torch.rand(num, len(changes), generator=generator).argsort(dim=1)
    factors_PN = [
        to_device(uniform(num, max(0.0, 1 - strength), 1 + strength, generator), device)
        for strength in (brightness, contrast, saturation)
    ] + [to_device(uniform(num, -hue, hue, generator), device)]
    output_NCHW = images_NCHW.clone()
    for place in range(len(changes)):
        for which, change in enumerate(changes):
            due = to_device((order_NP[:, place] == which).nonzero().squeeze(1), device)
            if len(due):
                output_NCHW[due] = change(output_NCHW[due], factors_PN[which][due])
    return output_NCHW


def adjust_brightness(images_NCHW: torch.Tensor, factors_N: torch.Tensor) -> torch.Tensor:
    """Multiply each image by its factor."""
    return images_NCHW.mul(_per_image(factors_N)).clamp_(0, 255).to(images_NCHW.dtype)


def adjust_contrast(images_NCHW: torch.Tensor, factors_N: torch.Tensor) -> torch.Tensor:
    """Blend each image with its mean grey."""
    mean_N111 = _luma(images_NCHW).floor_().mean(dim=(1, 2, 3), keepdim=True)
    return _blended(images_NCHW, mean_N111, factors_N)


def adjust_saturation(images_NCHW: torch.Tensor, factors_N: torch.Tensor) -> torch.Tensor:
    """Blend each image with its grayscale version."""
    return _blended(images_NCHW, _luma(images_NCHW).floor_(), factors_N)


def adjust_hue(images_NCHW: torch.Tensor, shifts_N: torch.Tensor) -> torch.Tensor:
    """Rotate the hue of each image by a fraction of the colour circle.

    From RGB to hue, saturation, value and back (Foley and van Dam; the inverse in the closed form
    of https://en.wikipedia.org/wiki/HSL_and_HSV#HSV_to_RGB_alternative).
    """
    import torch

    red, green, blue = images_NCHW.to(torch.float32).div_(255).unbind(dim=1)
    value = torch.maximum(torch.maximum(red, green), blue)
    chroma = value - torch.minimum(torch.minimum(red, green), blue)
    divisor = torch.where(chroma == 0, 1.0, chroma)
    sextant = torch.where(value == green, (blue - red) / divisor + 2, (red - green) / divisor + 4)
    sextant = torch.where(value == red, (green - blue) / divisor, sextant)
    sextant = sextant + 6 * shifts_N[:, None, None]
    channels = []
    for offset in (5, 3, 1):
        k = (sextant + offset).remainder(6)
        channels.append(value - chroma * torch.minimum(k, 4 - k).clamp_(0, 1))
    # A factor just below 256 gives each of the 256 values an equal share, as in torchvision.
    return torch.stack(channels, dim=1).mul_(255.999).to(images_NCHW.dtype)


def random_erasing(
    images_NCHW: torch.Tensor,
    p: float,
    scale: Sequence[float],
    ratio: Sequence[float],
    colour: Sequence[int],
    generator: torch.Generator,
) -> torch.Tensor:
    """Paint a box over each image with probability ``p``; ``ratio`` is its height / width."""
    is_erased_N = chosen(len(images_NCHW), p, generator).tolist()
    height, width = images_NCHW.shape[2:]
    paint_C11 = images_NCHW.new_tensor(colour)[:, None, None]
    upright = (1 / ratio[1], 1 / ratio[0])
    output_NCHW = images_NCHW.clone()
    for image_CHW, is_erased in zip(output_NCHW, is_erased_N, strict=True):
        if not is_erased:
            continue
        box = box_of_random_shape(height, width, scale, upright, generator)
        if box is not None:
            rows = slice(box.top, box.top + box.height)
            image_CHW[:, rows, box.left : box.left + box.width] = paint_C11
    return output_NCHW


def _luma(images_NCHW: torch.Tensor) -> torch.Tensor:
    """Return the brightness 0-255 as float, shape (N, 1, H, W)."""
    red, green, blue = images_NCHW.unbind(dim=1)
    luma = red.mul(LUMA[0]).add_(green, alpha=LUMA[1]).add_(blue, alpha=LUMA[2])
    return luma.unsqueeze(1)


def _blended(
    images_NCHW: torch.Tensor, other_NCHW: torch.Tensor, factors_N: torch.Tensor
) -> torch.Tensor:
    factors = _per_image(factors_N)
    mixed = images_NCHW.mul(factors).add_(other_NCHW * (1 - factors))
    return mixed.clamp_(0, 255).to(images_NCHW.dtype)


def _per_image(factors_N: torch.Tensor) -> torch.Tensor:
    return factors_N[:, None, None, None]
