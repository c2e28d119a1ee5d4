"""Settings of a training that only trains the head, which replace defaults."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory
from modules.models.build import build_model
from modules.models.recipe import Freeze, Recipe
from modules.models.structure import start_at_zero
from modules.training.head_settings import suited_settings
from modules.training.parameters import TrainParameters
from tests.modules.training.noise import untrained
from tests.modules.training.trainings import train

HEAD: Freeze = "all but the head"
DECAY = {"decay_power": 1.0}
STEPS = {"optimizer": "adamw", "learning_rate": 0.005, "weight_decay": 0.01, **DECAY}
LENGTH = {"epochs": 50, "patience": 15}


@pytest.mark.parametrize(
    ("chosen", "num_images", "changed"),
    [
        ({}, 1000, {**STEPS, **LENGTH, "batch_size": 64}),
        ({}, 599, {**STEPS, **LENGTH, "batch_size": 32}),
        ({}, 249, {**STEPS, **LENGTH, "batch_size": 16}),
        ({}, 63, {**STEPS, **LENGTH, "batch_size": 8}),
        ({}, 5, {**STEPS, **LENGTH, "batch_size": 5}),
        ({}, None, {**STEPS, **LENGTH}),
        ({"epochs": 7, "batch_size": 4}, 1000, {**STEPS, "patience": 15}),
        ({"learning_rate": 0.1}, 1000, {**DECAY, **LENGTH, "batch_size": 64}),
        ({"optimizer": "muon", "epochs": 9}, 599, {**DECAY, "patience": 15, "batch_size": 32}),
        ({"weight_decay": 0.0, "batch_size": 8}, 1000, {**STEPS, **LENGTH, "weight_decay": 0.0}),
        ({"frozen_head": "as set"}, 1000, {}),
    ],
)
def test_defaults_are_replaced_and_what_was_chosen_stays(
    chosen: dict[str, Any], num_images: int | None, changed: dict[str, Any]
) -> None:
    settings = TrainParameters(**chosen)
    suited = suited_settings(settings, HEAD, (), num_images)
    assert suited == settings.model_copy(update=changed)


@pytest.mark.parametrize(
    ("chosen", "num_images", "patience"),
    [({}, 14, 50), ({}, 15, 15), ({"epochs": 8}, 14, 8), ({"patience": 4}, 14, 4)],
)
def test_few_images_of_a_class_do_not_end_a_training_early(
    chosen: dict[str, Any], num_images: int, patience: int
) -> None:
    settings = TrainParameters(**chosen)
    suited = suited_settings(settings, HEAD, (), num_images, num_classes=3)
    assert suited.patience == patience
    is_few = num_images < 15
    assert suited.optimizer == ("sgd" if is_few else "adamw")
    assert suited.learning_rate == (0.001 if is_few else 0.005)


def test_few_images_keep_a_learning_rate_that_was_set() -> None:
    settings = TrainParameters(learning_rate=0.1)
    suited = suited_settings(settings, HEAD, (), 14, num_classes=3)
    changed = {**DECAY, "epochs": 50, "patience": 50, "batch_size": 8}
    assert suited == settings.model_copy(update=changed)


def test_other_trainings_keep_their_settings() -> None:
    settings = TrainParameters()
    as_set = settings.model_copy(update={"frozen_head": "as set"})
    assert suited_settings(settings, "none", (), 100) == as_set
    assert suited_settings(settings, "first stages", (), 100) == as_set


@pytest.mark.parametrize("num_images", [14, 1000])
def test_random_operations_leave_the_number_of_epochs(num_images: int) -> None:
    settings = TrainParameters()
    flip = {"operation": "random_horizontal_flip", "p": 0.5}
    suited = suited_settings(settings, HEAD, (flip,), num_images, num_classes=3)
    batch_size = 8 if num_images == 14 else 64
    assert suited == settings.model_copy(update={**STEPS, "batch_size": batch_size})


def test_a_new_head_starts_at_zero_and_one_of_a_file_does_not(tmp_path: Path) -> None:
    recipe = Recipe(family="", architecture="shufflenet_v2_x0_5", freeze=HEAD)
    model = build_model(recipe, 3, weights_dir=None, seed=0)
    of_file = recipe.model_copy(update={"weights_path": str(tmp_path / "mine.pth")})
    start_at_zero(model, of_file)
    head = model.get_submodule("fc")
    assert all(parameter.any() for parameter in head.parameters())
    start_at_zero(model, recipe)
    assert not any(parameter.any() for parameter in head.parameters())


def test_a_head_learns_with_the_defaults(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    model = untrained(tmp_path / "recipe", "efficientnet_lite0", pretrained=True, freeze=HEAD)
    defaults = {name: TrainParameters.model_fields[name].default for name in ("epochs",)}
    defaults |= {"batch_size": 16, "learning_rate": 0.001, "frozen_head": "automatic"}
    trained = train(tmp_path, *squares, model, precision="fp32", **defaults)
    assert trained.description["training_parameters"]["optimizer"] == "adamw"
    assert trained.history["Top-1 validation accuracy"].iloc[-1] == 1.0
    assert trained.history["Valid loss"].iloc[-1] < 0.6, "almost ln 3 at the start"


def test_fine_tuning_starts_with_a_head_of_zeros(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    model = untrained(tmp_path / "recipe", "efficientnet_lite0", pretrained=True)
    slow: dict[str, Any] = {
        "optimizer": "adamw",
        "learning_rate": 1e-6,
        "epochs": 1,
        "precision": "fp32",
    }
    trained = train(tmp_path, *squares, model, batch_norm="frozen", batch_size=8, **slow)
    loss = trained.history["Train loss"].iloc[0]
    assert loss == pytest.approx(math.log(3), abs=0.05), "a random head would start above 10"
