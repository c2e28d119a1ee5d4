"""A plain training in several processes, as torchrun starts them: ResNet-18, DDP, gloo.

Arguments: folder of the pictures, size, epochs, images a step (of all processes). The first process
prints how many images a second the epochs after the first went through.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torchvision.datasets import ImageFolder
from torchvision.models import resnet18
from torchvision.transforms import v2


def main() -> None:
    folder, size, epochs, batch_size = Path(sys.argv[1]), *map(int, sys.argv[2:5])
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    steps = [v2.Resize((size, size)), v2.PILToTensor(), v2.ToDtype(torch.float32, scale=True)]
    images = ImageFolder(str(folder), v2.Compose(steps))
    sampler = DistributedSampler(images)
    loader = DataLoader(images, batch_size // dist.get_world_size(), sampler=sampler)
    network = DistributedDataParallel(resnet18(num_classes=len(images.classes)))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    rates = []
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        begun = time.perf_counter()
        for pictures, labels in loader:
            optimizer.zero_grad()
            cross_entropy(network(pictures), labels).backward()
            optimizer.step()
        dist.barrier()
        rates.append(len(images) / (time.perf_counter() - begun))
    if dist.get_rank() == 0:
        sys.stdout.write(json.dumps({"rate": statistics.median(rates[1:] or rates)}) + "\n")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
