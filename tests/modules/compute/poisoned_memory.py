"""Layers over tiny images in memory filled with a pattern: which gradients hold it.

    python -m tests.modules.compute.poisoned_memory

prints a JSON object: for torch's usual way and for ours, the layers with unwritten numbers by
number format. It is empty for the usual way once the library writes all taps.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from itertools import product

import torch
from torch import nn

from modules.compute.reached_taps import skip_unreached_taps

POISON = {
    "MALLOC_PERTURB_": "128",  # memory begins as 0x7f7f7f7f: 3.4e38 in bf16 and in fp32
    "MALLOC_MMAP_THRESHOLD_": str(2**30),  # pages fresh from the kernel are zero
    "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
}
LARGEST = 1e20
REPETITIONS = 3
GEOMETRIES = [
    *product((3,), (1, 2), (1,), (1, 2)),
    *product((5, 7), (1, 2), (2, 3), (1, 2, 3)),
]
"""Kernel, stride, padding and edge of the image."""


def unwritten(dtype: torch.dtype, *, is_skipping: bool) -> Iterator[str]:
    """The layers whose gradients hold the pattern."""
    for (kernel, stride, padding, edge), layout, groups in product(
        GEOMETRIES, (torch.channels_last, torch.contiguous_format), (1, 64)
    ):
        if 2 * padding + edge < kernel:
            continue
        layer = nn.Conv2d(64, 64, kernel, stride, padding, groups=groups, bias=False)
        layer = layer.to(dtype=dtype, memory_format=layout)  # type: ignore[call-overload]
        if is_skipping:
            skip_unreached_taps(layer)
        for _ in range(REPETITIONS):
            images = torch.randn(8, 64, edge, edge).to(dtype).contiguous(memory_format=layout)
            images.requires_grad_()
            torch.autograd.backward([layer(images).float().sum()])
            found = [each.grad for each in (images, layer.weight)]
            if any(each is None or not bool((each.abs() < LARGEST).all()) for each in found):
                yield f"{kernel} / {stride} + {padding} over {edge}, {layout}, {groups} groups"
                break
            layer.zero_grad()


def main() -> None:
    """Print what is unwritten, in a process with such memory."""
    if not POISON.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, "-m", __spec__.name], {**os.environ, **POISON})
    torch.set_num_threads(1)
    dtypes = {"fp32": torch.float32, "bf16": torch.bfloat16}
    counts: dict[str, dict[str, list[str]]] = {}
    for way, is_skipping in (("usual", False), ("skipping", True)):
        found = {name: [*unwritten(each, is_skipping=is_skipping)] for name, each in dtypes.items()}
        counts[way] = {name: layers for name, layers in found.items() if layers}
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
