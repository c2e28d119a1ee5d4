"""Trained models round-trip, and damaged ones are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import torch
from torch import nn

from modules.artifacts import TrainedModel, read_json
from modules.errors import InvalidModelDirectoryError
from modules.models.build import seeded_network
from modules.models.recipe import Recipe
from modules.models.serialization import load_trained, save_trained

CLASSES = ["ant", "bee", "cat"]
HISTORY = pd.DataFrame({"epoch": [0, 1], "Train loss": [1.5, 0.5]})


def recipe(architecture: str) -> Recipe:
    # Pretrained, to show that loading asks neither a network nor a cache for those weights.
    return Recipe(family="test", architecture=architecture, pretrained=True)


def save(folder: Path, architecture: str = "resnet18") -> tuple[TrainedModel, nn.Module]:
    model = seeded_network(recipe(architecture), len(CLASSES), seed=1)
    description = {"recipe": recipe(architecture).to_json(), "classes": CLASSES, "epochs": 2}
    return save_trained(folder, model, description, HISTORY), model


@pytest.mark.parametrize(
    "architecture", ["resnet18", "densenet121", "mnasnet0_5", "squeezenet1_1", "googlenet"]
)
def test_a_model_comes_back_as_it_was_in_inference_mode(tmp_path: Path, architecture: str) -> None:
    trained, model = save(tmp_path, architecture)
    loaded = load_trained(TrainedModel(tmp_path))
    images_NCHW = torch.rand(2, 3, 64, 64)
    with torch.no_grad():
        assert torch.equal(loaded(images_NCHW), model.eval()(images_NCHW))

    assert not loaded.training
    assert trained.classes == tuple(CLASSES)
    assert trained.history.equals(HISTORY)
    assert read_json(tmp_path / "model.json")["versions"]["torch"]
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "history.parquet",
        "model.json",
        "model.safetensors",
    ]


def test_equal_models_are_equal_files(tmp_path: Path) -> None:
    contents = {save(tmp_path)[0].weights_path.read_bytes() for _ in range(12)}
    assert len(contents) == 1


def test_channels_last_weights_are_saved(tmp_path: Path) -> None:
    model = seeded_network(recipe("resnet18"), 3, seed=1)
    model = model.to(memory_format=torch.channels_last)
    description = {"recipe": recipe("resnet18").to_json(), "classes": CLASSES}
    trained = save_trained(tmp_path, model, description, HISTORY)

    assert torch.equal(
        load_trained(trained).state_dict()["conv1.weight"], model.get_parameter("conv1.weight")
    )


def test_a_description_without_classes_is_a_programmers_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="classes"):
        save_trained(tmp_path, nn.Linear(1, 1), {"recipe": {}}, HISTORY)


def change(folder: Path, **facts: Any) -> None:
    path = folder / "model.json"
    path.write_text(json.dumps(read_json(path) | facts))


@pytest.mark.parametrize(
    "fault", ["truncated", "gone", "no classes", "other classes", "other recipe", "no recipe"]
)
def test_a_damaged_model_is_refused(tmp_path: Path, fault: str) -> None:
    trained, _ = save(tmp_path)
    if fault == "truncated":
        trained.weights_path.write_bytes(trained.weights_path.read_bytes()[:1000])
    elif fault == "gone":
        trained.weights_path.unlink()
    elif fault == "no classes":
        change(tmp_path, classes=None)
    elif fault == "other classes":
        change(tmp_path, classes=["a", "b"])
    elif fault == "other recipe":
        change(tmp_path, recipe=recipe("densenet121").to_json())
    else:
        change(tmp_path, recipe=7)

    with pytest.raises(InvalidModelDirectoryError):
        load_trained(TrainedModel(tmp_path))


def test_an_untrained_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_text('{"role": "untrained", "recipe": {}}')

    with pytest.raises(InvalidModelDirectoryError, match="Train PyTorch Model"):
        load_trained(TrainedModel(tmp_path))
