"""A small model with random weights, and what scores with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from modules.artifacts import ImageDirectory, TrainedModel
from modules.compute.distributed import ProcessGroup
from modules.compute.timing import Stopwatch
from modules.image_loading.datasets import ImageSource, open_images
from modules.models.build import build_model, seeded_network
from modules.models.recipe import Recipe
from modules.models.serialization import save_trained
from modules.scoring import score_image_model as scoring
from modules.scoring.backend_selection import BackendChoice, BackendSelector
from modules.scoring.backends import TorchRuntime, installed_runtimes
from modules.scoring.inference import Scorer

CLASSES = ["red", "green", "blue"]
EDGE = 16
"""Pixels of the images of ``own_model``."""
BODY = """
import torch
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
        self.head = nn.Linear(32, 3)

    def forward(self, images):
        {condition}
        return self.head(self.layers(images).flatten(1))
"""
PLAIN = BODY.format(condition="")
BRANCHING = BODY.format(condition="if float(images[0].sum()) > 1e9: return images.mean((2, 3))")


def random_model(folder: Path) -> TrainedModel:
    """Random weights: what is scored here is the way, not the skill."""
    folder.mkdir(parents=True, exist_ok=True)
    recipe = Recipe(family="ResNet", architecture="resnet18")
    network = build_model(recipe, 3, weights_dir=None, seed=3)
    description = {
        "recipe": recipe.to_json(),
        "classes": CLASSES,
        "inference_transformation": [
            {"operation": "resize", "size": 32},
            {"operation": "center_crop", "size": 32},
        ],
        "normalisation": {"mean": [0.5, 0.5, 0.5], "std": [0.2, 0.2, 0.2]},
        "input_size": {"height": 32, "width": 32},
        "precision": "fp32",
    }
    return save_trained(folder, network, description, pd.DataFrame({"Valid loss": [1.0]}))


def own_model(folder: Path, code: str = PLAIN, **facts: object) -> TrainedModel:
    """A model with a network of own code and random weights."""
    folder.mkdir(parents=True, exist_ok=True)
    recipe = Recipe(family="Create Python Model", architecture="own:Network", code=code)
    description = {
        "recipe": recipe.to_json(),
        "classes": CLASSES,
        "inference_transformation": [
            {"operation": "resize", "size": EDGE},
            {"operation": "center_crop", "size": EDGE},
        ],
        "normalisation": {"mean": [0.5, 0.5, 0.5], "std": [0.2, 0.2, 0.2]},
        "input_size": {"height": EDGE, "width": EDGE},
        "precision": "fp32",
        **facts,
    }
    network = seeded_network(recipe, 3, seed=1)
    return save_trained(folder, network, description, pd.DataFrame({"Valid loss": [1.0]}))


class Switching(BackendSelector):
    """Goes on with a runtime that is installed, whichever is the fastest."""

    def choose(
        self, torch_runtime: TorchRuntime, images_NCHW: Any, seconds_left: float
    ) -> BackendChoice:
        assert seconds_left >= 0
        return self.follow(installed_runtimes()[-1], torch_runtime, images_NCHW)


def small_scorer(
    model: TrainedModel,
    group: ProcessGroup,
    chooser: BackendSelector | None = None,
    watch: Stopwatch | None = None,
) -> Scorer:
    """A scorer of 32 pixels as Score Image Model has it, with another chooser and watch."""
    made = scoring.opened_scorer(model, (32, 32), group)
    return replace(made, chooser=chooser, watch=watch or Stopwatch())


@contextmanager
def opened(scorer: Scorer, dataset: ImageDirectory) -> Iterator[ImageSource]:
    """Its images, until the block ends."""
    context = scorer.group.context
    context.staging_dir.mkdir(parents=True, exist_ok=True)
    with closing(scorer.open(lambda: open_images(dataset, [], context, scorer.group))) as images:
        yield images
