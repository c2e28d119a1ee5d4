"""torchvision's stock loaders for A10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from torchvision.transforms import v2

from benchmarks.peers.few import MEAN, PIXELS, STD

READY = (v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, STD))


def plain_loader(folder: Path, batch_size: int = 32) -> DataLoader[Any]:
    """Pictures in order, their middles."""
    middle = v2.Compose([v2.Resize(256), v2.CenterCrop(PIXELS), *READY])
    return DataLoader(ImageFolder(folder, middle), batch_size, num_workers=2)


def varied_loader(folder: Path, batch_size: int) -> DataLoader[Any]:
    """Pictures in any order, cut and mirrored at random."""
    varied = v2.Compose([v2.RandomResizedCrop(PIXELS), v2.RandomHorizontalFlip(), *READY])
    return DataLoader(ImageFolder(folder, varied), batch_size, shuffle=True, num_workers=2)
