"""Resizing of boxes of many images at once, by two matrix products.

Shape letters: N images, C = 3 channels, H and W height and width of the largest box, S size of the
squares, K pixels along one edge; values are uint8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import torch

MOST_PIXELS = 40_000_000
"""Maximum pixels of boxes resized at once, counted as large as the largest: 240 MB as fp16."""

UNIT = 16
"""Size unit of matrices: multiples of it are multiplied several times as fast on a GPU."""


def resized_boxes(
    images: list[torch.Tensor], boxes_N4: npt.NDArray[np.int64], size: int
) -> torch.Tensor:
    """Resize a box of each image (C, H, W) to a square, shape (N, S, S, C).

    Only pixels inside the box count. Boxes are (top, left, height, width). Bilinear with
    antialiasing, equal to Pillow within one of 255.
    """
    import torch

    most = max(1, MOST_PIXELS // int(boxes_N4[:, 2].max() * boxes_N4[:, 3].max()))
    return torch.cat(
        [
            _resized(images[start : start + most], boxes_N4[start : start + most], size)
            for start in range(0, len(images), most)
        ]
    )


def _resized(
    images: list[torch.Tensor], boxes_N4: npt.NDArray[np.int64], size: int
) -> torch.Tensor:
    import torch

    from modules.compute.device_transfer import to_device

    device = images[0].device
    # Eight bits fit into fp16, with a rounding error of a sixteenth; CPUs are slow with it.
    dtype = torch.float16 if device.type == "cuda" else torch.float32
    edges_N2 = to_device(torch.from_numpy(boxes_N4[:, 2:]).float(), device)
    height, width = (-int(edge) // UNIT * -UNIT for edge in boxes_N4[:, 2:].max(axis=0))
    pixels_NHCW = torch.zeros((len(images), height, 3, width), dtype=dtype, device=device)
    for place, (top, left, down, right) in enumerate(boxes_N4.tolist()):
        inside_CHW = images[place][:, top : top + down, left : left + right]
        pixels_NHCW[place, :down, :, :right] = inside_CHW.transpose(0, 1)
    down_NSH = _weights(edges_N2[:, 0], height, size).to(dtype)
    right_NSW = _weights(edges_N2[:, 1], width, size).to(dtype)
    rows_NSX = torch.bmm(down_NSH, pixels_NHCW.flatten(2))
    squares_NXS = torch.bmm(rows_NSX.view(len(images), -1, width), right_NSW.transpose(1, 2))
    squares_NSCS = squares_NXS.round_().clamp_(0, 255).to(torch.uint8).view(-1, size, 3, size)
    return squares_NSCS.transpose(2, 3).contiguous()


def _weights(edges_N: torch.Tensor, longest: int, size: int) -> torch.Tensor:
    """Return the weight of each of K pixels of an edge in each of S, shape (N, S, K).

    Triangles as wide as two pixels of the result, but at least two of the source.
    """
    import torch

    scale_N11 = (edges_N / size)[:, None, None]
    middles_S1 = torch.arange(size, device=edges_N.device)[:, None] + 0.5
    pixels_K = torch.arange(longest, device=edges_N.device) + 0.5
    distance_NSK = (pixels_K - middles_S1 * scale_N11).abs_().div_(scale_N11.clamp(min=1))
    weights_NSK = distance_NSK.neg_().add_(1).clamp_(min=0)
    weights_NSK.mul_(pixels_K < edges_N[:, None, None])
    return weights_NSK.div_(weights_NSK.sum(dim=2, keepdim=True))
