"""What this machine allows: JPEG files decoded in full, and floating point operations, a second."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers.telling import is_small, measuring_seconds, tell
from benchmarks.pictures import list_pictures

if TYPE_CHECKING:
    import torch

SIDE, SMALL_SIDE = 4096, 256
"""Of the matrices that are multiplied; the second one in tiny runs."""


def decoded_per_second(pictures: Path, seconds: float) -> float:
    """Images/s of libjpeg-turbo on all cores, nothing done with them."""
    import torch
    from torchvision.io import ImageReadMode, decode_jpeg

    torch.set_num_threads(1)
    contents = [
        torch.frombuffer(bytearray(path.read_bytes()), dtype=torch.uint8)
        for path in list_pictures(pictures)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:

        def decode_all() -> int:
            return sum(
                len(image) == 3
                for image in pool.map(lambda each: decode_jpeg(each, ImageReadMode.RGB), contents)
            )

        return _per_second(decode_all, seconds)


def operations_per_second(seconds: float) -> float:
    """Floating point operations a second of multiplying matrices, on the GPU or all cores.

    Of bf16 or fp32, whichever is faster: many processors only imitate bf16.
    """
    import torch

    torch.set_num_threads(os.cpu_count() or 1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    side = SMALL_SIDE if is_small() else SIDE
    first, second = (torch.randn(side, side, device=device) for _ in "12")

    def multiply(one: torch.Tensor, other: torch.Tensor) -> float:
        product = torch.mm(one, other)
        product[0, 0].item()  # waits for the device
        return 2.0 * side**3

    pairs = ((first.to(dtype), second.to(dtype)) for dtype in (torch.float32, torch.bfloat16))
    return max(_per_second(partial(multiply, *pair), seconds) for pair in pairs)


def _per_second(work: Callable[[], float], seconds: float) -> float:
    """Units a second; ``work`` gives how many units it did, and its first call does not count."""
    work()
    done, started = 0.0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        done += work()
    return done / (time.perf_counter() - started)


def main() -> None:
    """Print both limits."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    asked = parser.parse_args()
    seconds = measuring_seconds(asked.seconds)
    decoded = decoded_per_second(asked.images, seconds)
    tell({"decoded": decoded, "operations": operations_per_second(seconds)})


if __name__ == "__main__":
    main()
