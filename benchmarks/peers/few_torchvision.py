"""The loop of PyTorch's tutorial on transfer learning, which trains all layers.

Batches of 4, SGD at 0.001 with momentum 0.9, divided by 10 every 7 epochs, 25 epochs at the most.
"""

from __future__ import annotations

import torch
from torch import nn

from benchmarks.peers.few import Clock, new_body, read_few_work
from benchmarks.peers.few_loaders import plain_loader, varied_loader
from benchmarks.peers.train_torchvision import judged

EPOCHS, BATCH_SIZE, FEATURES = 25, 4, 1280


def main() -> None:
    """Train until the accuracy is reached."""
    work = read_few_work()
    torch.manual_seed(work.seed)
    clock = Clock(work)
    body = new_body(work)
    network = nn.Sequential(body, nn.Linear(FEATURES, work.num_classes))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.001, momentum=0.9)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=7, gamma=0.1)
    training, judging = varied_loader(work.train, BATCH_SIZE), plain_loader(work.validation)
    for _ in range(EPOCHS):
        network.train()
        for images, labels in training:
            optimizer.zero_grad()
            nn.functional.cross_entropy(network(images), labels).backward()
            optimizer.step()
        schedule.step()
        is_reached = clock.judged(judged(network, judging))
        torch.save(network.state_dict(), work.folder / "checkpoint.pt")
        if is_reached:
            break
    clock.finish("torchvision", "timm")


if __name__ == "__main__":
    main()
