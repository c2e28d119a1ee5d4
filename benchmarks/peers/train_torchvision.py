"""The loop of torchvision's references: fp32, a checkpoint and a validation after each epoch."""

from __future__ import annotations

from typing import Any

import torch
import torchvision  # noqa: F401 - its import is no part of training
from torch import nn

from benchmarks.peers.training import (
    Clock,
    Work,
    loaders,
    new_network,
    optimizer_and_schedule,
    read_work,
)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(work: Work, clock: Clock) -> None:
    """Train epoch after epoch."""
    torch.backends.cudnn.benchmark = True
    batches, judging = loaders(work)
    network, loss = new_network(work).to(DEVICE), nn.CrossEntropyLoss()
    optimizer, schedule = optimizer_and_schedule(network.parameters(), work.epochs * len(batches))
    for _ in range(work.epochs):
        network.train()
        for images, labels in batches:
            optimizer.zero_grad()
            with torch.autocast("cuda", torch.bfloat16, enabled=DEVICE.type == "cuda"):
                value = loss(network(images.to(DEVICE)), labels.to(DEVICE))
            value.backward()
            optimizer.step()
            schedule.step()
        accuracy = judged(network, judging)
        states = {"model": network.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(states, work.folder / "checkpoint.pt")
        if clock.epoch(accuracy):
            return


@torch.inference_mode()
def judged(network: nn.Module, batches: Any) -> float:
    """The accuracy on the validation pictures."""
    network.eval()
    right = total = 0
    for images, labels in batches:
        right += int((network(images.to(DEVICE)).argmax(dim=1).cpu() == labels).sum())
        total += len(labels)
    return right / total


if __name__ == "__main__":
    WORK = read_work()
    torch.manual_seed(WORK.seed)
    CLOCK = Clock(WORK, "torchvision")
    train(WORK, CLOCK)
    CLOCK.finish()
