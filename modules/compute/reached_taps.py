"""Convolutions over images so small that some taps of the kernel only ever meet the padding.

A kernel of 3 with a padding of 1 over an image of one pixel: eight of nine taps never meet it.
Their gradient is zero. Computed with the other taps alone, a library never has to write it; the
slice of the weights does. Results are the same, and the work is less: a ninth in the example.

Shape letters: N images, C channels, H height, W width; K channels of the output.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from modules.compute.im2col import Reach, reach
from modules.compute.precision import Precision

if TYPE_CHECKING:
    import torch
    from torch import nn


def leaves_taps_unwritten(precision: Precision) -> bool:
    """Return True if torch may leave gradients of unreached taps unwritten in recycled memory."""
    # Cause: oneDNN's bf16 backward pass in channels-last memory, on processors with native bf16
    # (torch 2.15.0): of a 3x3 kernel with stride 2 over one pixel, a tap held 1e12 to 8e30. In fp32
    # all taps are written, in either layout (tests/modules/compute/poisoned_memory.py, AVX2). The
    # layout is not asked for, as the library may choose its own, nor are stride and size.
    # Remove once poisoned_memory.py finds nothing with torch's default on such a processor.
    return precision.device_type == "cpu" and precision.name == "bf16"


def skip_unreached_taps(model: nn.Module) -> None:
    """Let the model's convolutions compute with only the taps that meet their images.

    Weights and their names are unchanged. Larger images use torch's default.
    """
    from torch import nn

    usual = nn.Conv2d._conv_forward
    for module in model.modules():
        if not isinstance(module, nn.Conv2d) or type(module)._conv_forward is not usual:
            continue
        if module.padding_mode == "zeros":  # other paddings repeat the image
            taps = ReachedTaps(module)
            module._conv_forward = taps  # type: ignore[method-assign, assignment]  # of this one


class ReachedTaps:
    """The arithmetic of one convolution, without taps that only meet the padding."""

    def __init__(self, module: nn.Conv2d) -> None:
        self.module = module

    def __call__(
        self, images_NCHW: torch.Tensor, weights: torch.Tensor, bias: torch.Tensor | None
    ) -> torch.Tensor:
        """Return the outputs, shape (N, K, H, W)."""
        from torch import nn
        from torch.nn.functional import conv2d

        module = self.module
        rows, columns = (_reach(module, images_NCHW, axis) for axis in (0, 1))
        if not (rows.has_unreached_taps or columns.has_unreached_taps):
            outputs: torch.Tensor = nn.Conv2d._conv_forward(module, images_NCHW, weights, bias)
            return outputs
        images_NCHW, weights = without_unreached_taps(images_NCHW, weights, rows, columns)
        strides = rows.stride, columns.stride
        return conv2d(images_NCHW, weights, bias, strides, 0, module.dilation, module.groups)


def _reach(module: nn.Conv2d, images_NCHW: torch.Tensor, axis: int) -> Reach:
    """Return the reach of a kernel's rows (axis 0) or columns (1) over images of this size."""
    import torch

    length, padding = images_NCHW.shape[axis - 2], module.padding
    kernel, dilation = module.kernel_size[axis], module.dilation[axis]
    if isinstance(padding, str):
        both = 0 if padding == "valid" else dilation * (kernel - 1)
        before, more_after = both // 2, both % 2
    else:
        before, more_after = padding[axis], 0
    # A compiler warns of functions that cache their results.
    find = reach.__wrapped__ if torch.compiler.is_compiling() else reach
    axis_reach = find(length + more_after, kernel, module.stride[axis], before, dilation)
    return (
        replace(axis_reach, length=length, after=axis_reach.after + more_after)
        if more_after
        else axis_reach
    )


def without_unreached_taps(
    images_NCHW: torch.Tensor, weights: torch.Tensor, rows: Reach, columns: Reach
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the images with the padding that is met, and the taps that meet them.

    Args:
        images_NCHW: Images of one size.
        weights: The whole kernel, shape (K, C, taps of rows, taps of columns).
        rows: The reach of its rows over the images.
        columns: The same of its columns.

    Returns:
        Images and weights of a convolution that needs no padding.
    """
    import torch
    from torch.nn.functional import pad

    margins = (columns.before, columns.after, rows.before, rows.after)
    if any(margins):
        images_NCHW = pad(images_NCHW, margins)
    if not weights.is_contiguous(memory_format=torch.channels_last):
        return images_NCHW, weights[:, :, rows.taps, columns.taps]
    # So that autograd creates the whole gradient in the layout of the weights.
    taps = weights.permute(0, 2, 3, 1)[:, rows.taps, columns.taps]
    return images_NCHW, taps.permute(0, 3, 1, 2)
