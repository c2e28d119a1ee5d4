"""Tune Model Hyperparameters, called as a function on two data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import torch
from safetensors.torch import load_file

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.context import Context, Report
from modules.tuning.parameters import TuneParameters
from modules.tuning.tune_model_hyperparameters import tune_model_hyperparameters
from tests.modules.training.noise import untrained

SMALL = {"epochs": 2, "batch_size": 8, "learning_rate": 0.002}
ARCHITECTURE = "squeezenet1_1"


def tuning_context(folder: Path, events: list[Report], **others: Any) -> Context:
    return Context(
        folder / "staging",
        checkpoint_dir=folder / "checkpoints",
        cache_dir=folder / "cache",
        threads=1,
        emit=events.append,
        stop_path=folder / "stop",
        **others,
    )


def tune(
    folder: Path,
    training: ImageDirectory,
    validation: ImageDirectory,
    lines: list[str],
    events: list[Report] | None = None,
    context: Context | None = None,
    **parameters: Any,
) -> tuple[TrainedModel, pd.DataFrame]:
    """The best model and the table of trials."""
    context = context or tuning_context(folder, events if events is not None else [])
    settings = TuneParameters(**{**SMALL, **parameters}, values_to_try=lines)
    recipe_dir = folder / "recipe"
    if not recipe_dir.exists():
        untrained(recipe_dir, ARCHITECTURE)
    outputs = tune_model_hyperparameters(
        UntrainedModel(recipe_dir), training, validation, settings, context
    )
    return outputs.trained_model, outputs.sweep_results.rows


class Killed(BaseException):
    """As if the process had been killed."""


class KilledAt(list[Report]):
    """Takes events up to the n-th metric of this name."""

    def __init__(self, name: str, count: int) -> None:
        self._name, self._left = name, count

    def append(self, event: Report) -> None:
        super().append(event)
        if event["kind"] == "metric" and event["name"] == self._name:
            self._left -= 1
            if not self._left:
                raise Killed


def weights_of(path: Path) -> dict[str, torch.Tensor]:
    found: dict[str, torch.Tensor] = load_file(path)
    return found


def assert_equal_weights(first: Path, second: Path) -> None:
    one, other = weights_of(first), weights_of(second)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def points(events: list[Report], name: str) -> list[tuple[int, float]]:
    return [(e["step"], e["value"]) for e in events if e.get("name") == name]
