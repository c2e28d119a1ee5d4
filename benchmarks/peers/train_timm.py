"""timm: its loaders, networks, optimizers and schedules in the loop that its train script has.

The wheel has no train script. Of its own recipe: SGD with a cosine over 24 epochs, two of them
warm-up, crops of 0.08 to 1, colour jitter of 0.4.
"""

from __future__ import annotations

from typing import Any

import timm
import torch
from timm.data import create_dataset, create_loader
from timm.optim import create_optimizer_v2
from timm.scheduler import create_scheduler_v2
from timm.utils import accuracy
from torch import nn

from benchmarks.peers.training import (
    CROP_SCALE,
    RATE,
    WEIGHT_DECAY,
    Clock,
    Work,
    optimizer_and_schedule,
    read_work,
)

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
IS_GPU = DEVICE.type == "cuda"
LAYOUT = torch.channels_last if IS_GPU else torch.contiguous_format
MIXED = torch.autocast("cuda", torch.bfloat16, enabled=IS_GPU)
OWN_EPOCHS, OWN_WARMUP = 24, 2
NAMES = {"mobilenet_v3_large": "mobilenetv3_large_100"}
"""Networks that have other names than in torchvision."""


def train(work: Work, clock: Clock) -> None:
    """Train epoch after epoch."""
    torch.backends.cudnn.benchmark = True
    batches, judging = read(work)
    num_classes = len(batches.dataset.reader.class_to_idx)
    network = timm.create_model(NAMES.get(work.network, work.network), num_classes=num_classes)
    network.to(DEVICE, memory_format=LAYOUT)
    optimizer, schedule, epochs = choose(network, work, len(batches))
    loss, step = nn.CrossEntropyLoss(), 0
    for epoch in range(epochs):
        network.train()
        for images, labels in batches:
            with MIXED:
                value = loss(logits(network, images), labels.to(DEVICE))
            value.backward()
            optimizer.step()
            optimizer.zero_grad()
            step += 1
            if work.own_recipe:
                schedule.step_update(num_updates=step)
            else:
                schedule.step()
        found = judged(network, judging)
        if work.own_recipe:
            schedule.step(epoch + 1)
        states = {"model": network.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(states, work.folder / "checkpoint.pt")
        if clock.epoch(found):
            return


def read(work: Work) -> tuple[Any, Any]:
    """Its loaders; the stock ones have no resize before the random crop."""
    plain = {} if work.own_recipe else {"scale": CROP_SCALE, "color_jitter": None}
    settings = {
        "input_size": (3, work.size, work.size),
        "batch_size": work.batch_size,
        "num_workers": work.workers,
        "use_prefetcher": IS_GPU,
        "persistent_workers": work.workers > 0,
        "device": DEVICE,
    }
    train = create_dataset("", root=str(work.train), is_training=True)
    validation = create_dataset("", root=str(work.validation))
    return (
        create_loader(train, is_training=True, **settings, **plain),
        create_loader(validation, **settings),
    )


def choose(network: nn.Module, work: Work, num_batches: int) -> tuple[Any, Any, int]:
    """The optimizer, the schedule and how many epochs."""
    if not work.own_recipe:
        found = optimizer_and_schedule(network.parameters(), work.epochs * num_batches)
        return (*found, work.epochs)
    optimizer = create_optimizer_v2(network, "sgd", lr=RATE, weight_decay=WEIGHT_DECAY)
    schedule, epochs = create_scheduler_v2(
        optimizer, "cosine", num_epochs=OWN_EPOCHS, warmup_epochs=OWN_WARMUP, warmup_lr=1e-5
    )
    return optimizer, schedule, epochs


def logits(network: nn.Module, images: torch.Tensor) -> torch.Tensor:
    """Its answer, as its script has it with --amp --channels-last on a GPU."""
    answer: torch.Tensor = network(images.to(DEVICE, memory_format=LAYOUT))
    return answer


@torch.inference_mode()
def judged(network: nn.Module, batches: Any) -> float:
    """The accuracy on the validation pictures."""
    network.eval()
    right = total = 0.0
    for images, labels in batches:
        with MIXED:
            [percent] = accuracy(logits(network, images).cpu(), labels.cpu())
        right += float(percent) / 100 * len(labels)
        total += len(labels)
    return right / total


if __name__ == "__main__":
    WORK = read_work()
    torch.manual_seed(WORK.seed)
    CLOCK = Clock(WORK, "timm")
    train(WORK, CLOCK)
    CLOCK.finish()
