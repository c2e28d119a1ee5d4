"""Train PyTorch Model, called as a function on two data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.context import Context, Report
from modules.image_loading.feature_segments import SUFFIX
from modules.image_loading.feature_store import FOLDER
from modules.training.parameters import TrainParameters
from modules.training.train_pytorch_model import train_pytorch_model
from tests.modules.training.noise import untrained

METRICS = [
    "learning rate",
    "Train images per second",
    "Train loss",
    "Train error",
    "Valid loss",
    "Top-1 validation accuracy",
]


SETTINGS: dict[str, Any] = {
    "epochs": 2,
    "batch_size": 8,
    "learning_rate": 0.02,
    "frozen_head": "as set",
}
NOTHING = property(lambda _: pytest.fail("images were opened"))
"""In place of opened images."""


def stored_files(cache: Path) -> set[Path]:
    return {*(cache / FOLDER).glob(f"*/*{SUFFIX}")}


class Interrupted(BaseException):
    """As if the process had been killed."""


class InterruptedAt(list[Report]):
    """Takes events up to the first metric of an epoch."""

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch

    def append(self, event: Report) -> None:
        if event["kind"] == "metric" and event["step"] == self.epoch:
            raise Interrupted
        super().append(event)


def train(
    folder: Path,
    training: ImageDirectory,
    validation: ImageDirectory,
    model: UntrainedModel | None = None,
    events: list[Report] | None = None,
    threads: int = 1,
    **parameters: Any,
) -> TrainedModel:
    context = Context(
        folder / "staging",
        checkpoint_dir=folder / "checkpoints",
        cache_dir=folder / "cache",
        threads=threads,
        emit=(events if events is not None else []).append,
        stop_path=folder / "stop",
        pause_path=folder / "pause",
    )
    settings = TrainParameters(**SETTINGS | parameters)
    recipe = model or untrained(folder / "recipe")
    trained = train_pytorch_model(recipe, training, validation, settings, context).trained_model
    assert isinstance(trained, TrainedModel)
    return trained
