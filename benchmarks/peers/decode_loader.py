"""The same in the worker processes of a DataLoader, as ImageFolder is read."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset

from benchmarks.peers.decode_pillow import cut
from benchmarks.peers.decoding import Work, images_per_second, read_work, save_squares
from benchmarks.peers.telling import tell, versions_of

BATCH_SIZE = 32


class Squares(Dataset):
    """The square of each file."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.boxes = list(work.read_boxes().items())

    def __len__(self) -> int:
        return len(self.boxes)

    def __getitem__(self, index: int) -> Any:
        from torchvision.transforms.v2 import functional

        name, box = self.boxes[index]
        image = cut((self.work.images / name).read_bytes(), box, self.work.size)
        return functional.pil_to_tensor(image)


def main() -> None:
    """Read all batches again and again; the workers stay."""
    work = read_work()
    squares = Squares(work)
    loader = DataLoader(
        squares, BATCH_SIZE, num_workers=work.threads, persistent_workers=True, drop_last=False
    )

    def cut_all() -> Any:
        return torch.cat(list(loader))

    pixels_NCHW = cut_all()
    names = [name for name, _ in squares.boxes]
    save_squares(work, names, list(pixels_NCHW.permute(0, 2, 3, 1)))
    versions = versions_of("torch", "torchvision", "pillow")
    tell({"rate": images_per_second(cut_all, work.seconds), "versions": versions})


if __name__ == "__main__":
    main()
