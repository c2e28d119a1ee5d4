"""The patches of images for a convolution's kernel, as the rows of a matrix.

Shape letters: N images, C channels, H height, W width; Y rows and X columns of the output; R rows
and S columns of the kernel, without taps that only ever meet the padding.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Reach:
    """The taps of a kernel that meet the image along one axis, and the padding they need."""

    length: int
    """Pixels of the image."""
    kernel: int
    """Taps of the whole kernel."""
    num_outputs: int
    stride: int
    """Pixels between two outputs; 1 if there is only one."""
    taps: slice
    """Taps that meet the image; of a kernel of 3 on an image of 1 only the middle one."""
    before: int
    """Pixels of padding before the image."""
    after: int
    """Pixels of padding after it; if negative, pixels of the image that are never met."""

    @property
    def num_taps(self) -> int:
        num: int = self.taps.stop - self.taps.start
        return num

    @property
    def has_unreached_taps(self) -> bool:
        """Return True if some taps of the kernel only ever meet the padding."""
        return self.num_outputs > 0 and self.num_taps < self.kernel

    @property
    def of_padded_image(self) -> Reach:
        """Return the same for only the reached taps, over the image with its padding added."""
        length = self.before + self.length + self.after
        taps = slice(0, self.num_taps)
        return Reach(length, self.num_taps, self.num_outputs, self.stride, taps, 0, 0)

    @property
    def is_plain(self) -> bool:
        """Return True if every patch is one pixel, and every pixel a patch."""
        return self.num_taps == self.stride == 1 and self.num_outputs == self.length


@lru_cache(maxsize=1024)
def reach(length: int, kernel: int, stride: int, padding: int, dilation: int = 1) -> Reach:
    """The reach along an axis of ``length`` pixels; without outputs where the kernel is larger.

    Args:
        length: Pixels of the image along the axis.
        kernel: Taps of the kernel.
        stride: Pixels between two outputs.
        padding: Pixels of padding on each side.
        dilation: Pixels between two taps.
    """
    num_outputs = max(0, (length + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1)
    places = range(0, num_outputs * stride, stride)
    met = [
        tap
        for tap in range(kernel)
        if any(0 <= place - padding + tap * dilation < length for place in places)
    ] or [0]
    taps = slice(met[0], met[-1] + 1)
    before = padding - taps.start * dilation
    last = (num_outputs - 1) * stride + (taps.stop - taps.start - 1) * dilation
    after = last + 1 - length - before
    return Reach(length, kernel, num_outputs, stride if num_outputs > 1 else 1, taps, before, after)


def patches(images_NCHW: torch.Tensor, rows: Reach, columns: Reach) -> torch.Tensor:
    """Return the patches, shape (N Y X, R S C), as a view if patches are single pixels."""
    from torch.nn.functional import pad

    images_NHWC = images_NCHW.permute(0, 2, 3, 1)
    margins = (columns.before, columns.after, rows.before, rows.after)
    if any(margins):
        images_NHWC = pad(images_NHWC, (0, 0, *margins))
    of_rows = images_NHWC.unfold(1, rows.num_taps, rows.stride)
    patches_NYXCRS = of_rows.unfold(2, columns.num_taps, columns.stride)
    num_channels = images_NCHW.shape[1]
    num_values = rows.num_taps * columns.num_taps * num_channels
    return patches_NYXCRS.permute(0, 1, 2, 4, 5, 3).reshape(-1, num_values)


def sum_of_patches(
    patches_PV: torch.Tensor, num_channels: int, rows: Reach, columns: Reach
) -> torch.Tensor:
    """Add every patch at its position, shape (N, C, H, W), channels-last."""
    patches_NYXRSC = patches_PV.view(
        -1, rows.num_outputs, columns.num_outputs, rows.num_taps, columns.num_taps, num_channels
    )
    if rows.is_plain and columns.is_plain:
        return patches_NYXRSC[:, :, :, 0, 0].permute(0, 3, 1, 2)
    height = rows.before + rows.length + max(rows.after, 0)
    width = columns.before + columns.length + max(columns.after, 0)
    sums_NHWC = patches_PV.new_zeros(len(patches_NYXRSC), height, width, num_channels)
    for row in range(rows.num_taps):
        for column in range(columns.num_taps):
            sums_NHWC[:, _places(row, rows), _places(column, columns)] += patches_NYXRSC[
                :, :, :, row, column
            ]
    inner_NHWC = sums_NHWC[:, rows.before :, columns.before :]
    return inner_NHWC[:, : rows.length, : columns.length].permute(0, 3, 1, 2)


def _places(tap: int, axis: Reach) -> slice:
    """Return the positions along a padded axis at which the tap meets the outputs."""
    return slice(tap, tap + axis.stride * (axis.num_outputs - 1) + 1, axis.stride)
