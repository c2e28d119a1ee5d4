"""The training that every peer does: two folders of pictures in, an accuracy after each epoch out.

A peer's script reads the ``Work``, calls ``Clock.epoch`` after each validation and its checkpoint,
and ``Clock.finish`` at the end. With ``own_recipe`` it trains as its documentation tells beginners
to, until the accuracy that is asked for; else all do the same: SGD with Nesterov momentum 0.9,
weight decay 1e-4, a rate of 0.05 that falls to nothing with the square of what is left.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peers.memory import PeakMemory
from benchmarks.peers.telling import tell, versions_of

RATE, MOMENTUM, WEIGHT_DECAY = 0.05, 0.9, 1e-4
CROP_SCALE = (0.5, 1.0)
SMALL_PIXELS = 100
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


@dataclass(frozen=True)
class Work:
    """What is trained on what, and how long."""

    pictures: Path
    """Holds ``train`` and ``validation``, each with a folder a class."""
    folder: Path
    """For checkpoints and whatever else is written."""
    network: str
    size: int
    batch_size: int
    epochs: int
    seed: int
    workers: int
    accuracy: float = 0.0
    """Training ends when it is reached; 0: after all epochs."""
    own_recipe: bool = False

    @property
    def train(self) -> Path:
        return self.pictures / "train"

    @property
    def validation(self) -> Path:
        return self.pictures / "validation"

    @property
    def resized(self) -> int:
        """The shorter edge of pictures before they are cropped."""
        return self.size * 8 // 7

    @property
    def is_cut_from_square(self) -> bool:
        """Small pictures are made square before they are cut at random, photographs are not."""
        return self.size < SMALL_PIXELS

    def num_pictures(self, side: Path) -> int:
        """How many there are to train on, or to validate with."""
        return sum(1 for _ in side.glob("*/*.jpg"))

    def to_arguments(self) -> list[str]:
        """The command line that ``read_work`` reads."""
        named = {f"--{name.replace('_', '-')}": value for name, value in vars(self).items()}
        if not named.pop("--own-recipe"):
            return [str(word) for pair in named.items() for word in pair]
        return ["--own-recipe", *(str(word) for pair in named.items() for word in pair)]


def read_work() -> Work:
    """The work that the command line asks for."""
    parser = argparse.ArgumentParser()
    for name in ("pictures", "folder"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    for name in ("size", "batch-size", "epochs", "seed", "workers"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--network", required=True)
    parser.add_argument("--accuracy", type=float, default=0.0)
    parser.add_argument("--own-recipe", action="store_true")
    work = Work(**vars(parser.parse_args()))
    work.folder.mkdir(parents=True, exist_ok=True)
    return work


@dataclass
class Clock:
    """Counts from when the libraries are loaded."""

    work: Work
    package: str
    started: float = field(default_factory=time.perf_counter)
    marks: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    memory: PeakMemory = field(default_factory=PeakMemory)

    def epoch(self, accuracy: float) -> bool:
        """An epoch is over; True where training has reached what was asked for."""
        self.marks.append(time.perf_counter() - self.started)
        self.accuracies.append(float(accuracy))
        self.memory.watch()
        return bool(self.work.accuracy) and self.accuracies[-1] >= self.work.accuracy

    def finish(self, **more: Any) -> None:
        """Tell what was found."""
        tell(self.facts(**more))

    def facts(self, **more: Any) -> Mapping[str, object]:
        """What was found."""
        work = self.work
        num = work.num_pictures(work.train) + work.num_pictures(work.validation)
        return {
            "rate": num / statistics.median(seconds_of_epochs(self.marks)),
            "fit": self.marks[-1],
            "accuracy": self.accuracies[-1],
            "epochs": len(self.accuracies),
            "megabytes": self.memory.megabytes(),
            "versions": versions_of(self.package),
            **more,
        }


def seconds_of_epochs(marks: list[float]) -> list[float]:
    """From when epochs ended; the first one counts only where it is alone."""
    times = [end - start for start, end in zip([0.0, *marks], marks, strict=False)]
    return times[1:] or times


def optimizer_and_schedule(parameters: Any, num_steps: int) -> tuple[Any, Any]:
    """What all train with where they do the same; the schedule is stepped every iteration."""
    import torch

    optimizer = torch.optim.SGD(
        parameters, RATE, momentum=MOMENTUM, weight_decay=WEIGHT_DECAY, nesterov=True
    )
    falling = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: max(0.0, 1 - step / num_steps) ** 2
    )
    return optimizer, falling


def loaders(work: Work) -> tuple[Any, Any]:
    """torchvision's stock way of reading: folders of images, transformed in worker processes."""
    import torch
    from torch.utils.data import DataLoader
    from torchvision.datasets import ImageFolder
    from torchvision.transforms import v2

    ready = [v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, STD)]
    square = [v2.Resize(work.resized), v2.CenterCrop(work.resized)] * work.is_cut_from_square
    crop = v2.RandomResizedCrop(work.size, scale=CROP_SCALE)
    whole = v2.Resize([work.size, work.size])
    cut = whole if work.own_recipe else crop
    train = v2.Compose([*square, cut, v2.RandomHorizontalFlip(), *ready])
    plain = v2.Compose([v2.Resize(work.resized), v2.CenterCrop(work.size), *ready])
    loader: dict[str, Any] = {
        "batch_size": work.batch_size,
        "num_workers": work.workers,
        "persistent_workers": work.workers > 0,
        "pin_memory": torch.cuda.is_available(),
    }
    return (
        DataLoader(ImageFolder(work.train, train), shuffle=True, **loader),
        DataLoader(ImageFolder(work.validation, plain), **loader),
    )


def new_network(work: Work) -> Any:
    """torchvision's network with a head for the classes of the pictures."""
    import torchvision

    num_classes = sum(1 for each in work.train.iterdir() if each.is_dir())
    return torchvision.models.get_model(work.network, num_classes=num_classes)
