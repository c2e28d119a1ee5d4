"""Rotation and perspective of all images of a batch (N, C, H, W) of uint8 in one pass.

Distributions match ``RandomRotation``, ``RandomAffine(degrees)`` and ``RandomPerspective`` of
``torchvision.transforms.v2``. Eight numbers a ... h per image map a pixel to its source: x = (ax +
by + c) / (gx + hy + 1), y = (dx + ey + f) / (gx + hy + 1). The grid (N, H, W, 2) holds the same as
x and y between -1 and 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.transforms.random_draws import chosen_places, uniform

if TYPE_CHECKING:
    import torch

PIXELS_AT_ONCE = 1 << 17
"""Number of pixels processed at once, so that all intermediate results fit into the cache."""


def random_rotation(
    images_NCHW: torch.Tensor, degrees: float, generator: torch.Generator
) -> torch.Tensor:
    """Rotate images around their centre by up to ``degrees``; corners become black."""
    angles_N = uniform(len(images_NCHW), -degrees, degrees, generator)
    return rotated(images_NCHW, angles_N)


def rotated(images_NCHW: torch.Tensor, angles_N: torch.Tensor) -> torch.Tensor:
    """Rotate each image counter-clockwise by its angle in degrees, with nearest pixels."""
    import torch

    height, width = images_NCHW.shape[2:]
    cos_N, sin_N = angles_N.deg2rad().cos(), angles_N.deg2rad().sin()
    x, y = width / 2, height / 2
    zero_N = torch.zeros_like(cos_N)
    row_x = (cos_N, -sin_N, x - cos_N * x + sin_N * y)
    row_y = (sin_N, cos_N, y - sin_N * x - cos_N * y)
    return _warped(images_NCHW, torch.stack([*row_x, *row_y, zero_N, zero_N], dim=1), "nearest")


def random_perspective(
    images_NCHW: torch.Tensor, p: float, distortion_scale: float, generator: torch.Generator
) -> torch.Tensor:
    """Tilt each image with probability ``p``: each corner moves inwards by a random amount."""
    height, width = images_NCHW.shape[2:]
    places = chosen_places(len(images_NCHW), p, generator, images_NCHW.device)
    corners_N42 = moved_corners(len(places), height, width, distortion_scale, generator)
    output_NCHW = images_NCHW.clone()
    if len(places):
        output_NCHW[places] = tilted(images_NCHW[places], corners_N42)
    return output_NCHW


def moved_corners(
    num: int, height: int, width: int, distortion_scale: float, generator: torch.Generator
) -> torch.Tensor:
    """Return the new corners, x and y in whole pixels, clockwise from the top left: (N, 4, 2)."""
    import torch

    reach_2 = torch.tensor([int(distortion_scale * (edge // 2)) for edge in (width, height)])
    drawn_N42 = torch.rand(num, 4, 2, generator=generator)
    inwards_N42 = (drawn_N42 * (reach_2 + 1)).floor().minimum(reach_2)
    corners_42 = _corners(height, width)
    return torch.where(corners_42 == 0, inwards_N42, corners_42 - inwards_N42)


def tilted(images_NCHW: torch.Tensor, corners_N42: torch.Tensor) -> torch.Tensor:
    """Move the corners of images to new positions, bilinear."""
    height, width = images_NCHW.shape[2:]
    coefficients_N8 = _coefficients(corners_N42, _corners(height, width))
    return _warped(images_NCHW, coefficients_N8, "bilinear")


def _corners(height: int, width: int) -> torch.Tensor:
    import torch

    right, bottom = width - 1.0, height - 1.0
    return torch.tensor([[0.0, 0.0], [right, 0.0], [right, bottom], [0.0, bottom]])


def _coefficients(from_N42: torch.Tensor, to_42: torch.Tensor) -> torch.Tensor:
    """Return the numbers a ... h that map each of four points to its target, shape (N, 8)."""
    import torch

    x, y = from_N42.double().unbind(-1)
    to_x, to_y = to_42.double().expand_as(from_N42).unbind(-1)
    zero, one = torch.zeros_like(x), torch.ones_like(x)
    rows_of_x = torch.stack([x, y, one, zero, zero, zero, -to_x * x, -to_x * y], dim=-1)
    rows_of_y = torch.stack([zero, zero, zero, x, y, one, -to_y * x, -to_y * y], dim=-1)
    equations_N88 = torch.cat([rows_of_x, rows_of_y], dim=1)
    # Least squares by the pseudo-inverse: images one pixel wide have no unique solution.
    solved_N8 = torch.linalg.pinv(equations_N88) @ torch.cat([to_x, to_y], dim=1).unsqueeze(-1)
    coefficients_N8: torch.Tensor = solved_N8.squeeze(-1).float()
    return coefficients_N8


def _warped(images_NCHW: torch.Tensor, coefficients_N8: torch.Tensor, mode: str) -> torch.Tensor:
    """Sample images at the positions given by the coefficients."""
    import torch

    height, width = images_NCHW.shape[2:]
    num_at_once = max(1, PIXELS_AT_ONCE // (height * width))
    parts = zip(
        torch.split(images_NCHW, num_at_once),
        torch.split(coefficients_N8, num_at_once),
        strict=True,
    )
    return torch.cat([_warped_at_once(images, numbers, mode) for images, numbers in parts])


def _warped_at_once(
    images_NCHW: torch.Tensor, coefficients_N8: torch.Tensor, mode: str
) -> torch.Tensor:
    import torch
    from torch.nn import functional

    from modules.compute.device_transfer import to_device

    height, width = images_NCHW.shape[2:]
    x_W = torch.arange(width) + 0.5
    y_H1 = (torch.arange(height) + 0.5)[:, None]
    a, b, c, d, e, f, g, h = coefficients_N8[:, :, None, None].unbind(1)
    depth_NHW = g * x_W + h * y_H1 + 1
    from_x_NHW = (a * x_W + (b * y_H1 + c)) / depth_NHW
    from_y_NHW = (d * x_W + (e * y_H1 + f)) / depth_NHW
    grid_NHW2 = torch.stack([from_x_NHW * (2 / width) - 1, from_y_NHW * (2 / height) - 1], dim=-1)
    sampled_NCHW = functional.grid_sample(
        images_NCHW.to(torch.float32),
        to_device(grid_NHW2, images_NCHW.device),
        mode=mode,
        padding_mode="zeros",
        align_corners=False,
    )
    return sampled_NCHW.round_().to(images_NCHW.dtype)
