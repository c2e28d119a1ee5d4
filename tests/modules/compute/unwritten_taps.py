"""The fault of torch's library on processors with bf16, on any processor.

oneDNN leaves gradients of taps as they were in recycled memory, if the taps only meet padding and
the numbers are bf16. It computes bf16 on few processors; here the same comes of any.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from modules.compute.im2col import reach

GARBAGE = 1e16
"""The magnitude that was seen in kept weights."""


@contextmanager
def unwritten_taps() -> Iterator[list[tuple[int, ...]]]:
    """The shapes of kernels whose gradients got garbage, while the block runs."""
    torchs = torch.library.get_kernel("aten::convolution_backward", "CPU")
    faults: list[tuple[int, ...]] = []

    def backward(
        keys: Any, gradient: Any, images: Any, weights: Any, bias_sizes: Any, *rest: Any
    ) -> Any:
        gradients = torchs.call_boxed(keys, gradient, images, weights, bias_sizes, *rest)
        strides, paddings, dilations = rest[:3]
        of_weights = gradients[1]
        if of_weights is None or weights.dtype != torch.bfloat16:
            return gradients
        axes = [
            reach(
                images.shape[axis - 2],
                weights.shape[axis - 2],
                strides[axis],
                paddings[axis],
                dilations[axis],
            )
            for axis in (0, 1)
        ]
        if any(axis.has_unreached_taps for axis in axes):
            rows, columns = axes
            written = of_weights[:, :, rows.taps, columns.taps].clone()
            of_weights.fill_(GARBAGE)
            of_weights[:, :, rows.taps, columns.taps] = written
            faults.append(tuple(weights.shape))
        return gradients

    # torch has no types for a Library.
    library: Any = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call]
    library.impl("convolution_backward", backward, "CPU", with_keyset=True, allow_override=True)
    try:
        yield faults
    finally:
        library._destroy()
