"""torchvision's decoder on the GPU, a batch at a time, and its crops there."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch
from torchvision.io import ImageReadMode, decode_jpeg
from torchvision.transforms import v2

from benchmarks.peers.feeding import measure
from benchmarks.peers.training import CROP_SCALE, MEAN, STD, Work, read_work

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def batches(work: Work, files: list[Path], pool: ThreadPoolExecutor) -> Iterator[Any]:
    """Shuffled files, read in threads, decoded and cut on the device."""
    vary = v2.Compose(
        [
            v2.RandomResizedCrop(work.size, scale=CROP_SCALE),
            v2.RandomHorizontalFlip(),
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize(MEAN, STD),
        ]
    )
    order = torch.randperm(len(files)).tolist()
    for start in range(0, len(order), work.batch_size):
        chosen = [files[place] for place in order[start : start + work.batch_size]]
        encoded = list(pool.map(_read, chosen))
        images = decode_jpeg(encoded, ImageReadMode.RGB, device=DEVICE)
        stacked = torch.stack([vary(image) for image in images])
        yield stacked.contiguous(memory_format=torch.channels_last)


def _read(file: Path) -> Any:
    return torch.frombuffer(bytearray(file.read_bytes()), dtype=torch.uint8)


def main() -> None:
    """Go through its training batches."""
    work = read_work()
    files = sorted(work.train.glob("*/*.jpg"))
    with ThreadPoolExecutor(max(1, work.workers)) as pool:
        measure(lambda: batches(work, files, pool), MEAN, STD, "torchvision")


if __name__ == "__main__":
    main()
