"""torchvision's stock way: ImageFolder in a DataLoader's processes, batches moved to the device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from benchmarks.peers.feeding import measure
from benchmarks.peers.training import MEAN, STD, loaders, read_work

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main() -> None:
    """Go through its training batches."""
    work = read_work()
    batches, _ = loaders(work)

    def epoch() -> Iterator[Any]:
        for images_NCHW, _ in batches:
            yield images_NCHW.to(DEVICE, memory_format=torch.channels_last, non_blocking=True)

    measure(epoch, MEAN, STD, "torchvision", "pillow")


if __name__ == "__main__":
    main()
