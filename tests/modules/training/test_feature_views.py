"""Views of few training images: their pixels, their stored features, and what they change."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from modules.artifacts import ImageDirectory
from modules.compute.precision import Precision
from modules.context import Context
from modules.forecast import ArtifactForecast
from modules.image_loading.normalisation import Normalisation
from modules.models.recipe import Recipe
from modules.training.feature_key import FeatureView, feature_key
from modules.training.feature_views import ENLARGED, REDUCED, VIEWS, extra_views, viewed
from modules.training.forecast import forecast_training
from modules.training.frozen_features import JoinedRows, ResidentRows
from modules.training.parameters import TrainParameters
from modules.training.train_pytorch_model import train_pytorch_model
from tests.modules.compute.ranks import run_ranks
from tests.modules.training.noise import untrained
from tests.modules.training.trainings import (
    NOTHING,
    Interrupted,
    InterruptedAt,
    stored_files,
    train,
)

FROZEN: dict[str, Any] = {"freeze": "all but the head"}
DEFAULTS: dict[str, Any] = {
    "learning_rate": 0.001,
    "frozen_head": "automatic",
    "batch_size": 16,
    "precision": "fp32",
}


@pytest.mark.parametrize(("num_images", "views"), [(1, VIEWS), (50, VIEWS), (51, ()), (0, ())])
def test_only_few_images_have_views(num_images: int, views: tuple[str, ...]) -> None:
    assert extra_views(num_images, TrainParameters()) == views
    assert extra_views(num_images, TrainParameters(frozen_head="as set")) == ()
    assert extra_views(None, TrainParameters()) == ()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [(1, 1), (7, 5), (32, 48)])
def test_a_view_keeps_size_and_constant_images(view: str, size: tuple[int, int]) -> None:
    images_NCHW = torch.arange(6.0).reshape(2, 3, 1, 1).expand(2, 3, *size)
    torch.testing.assert_close(viewed(images_NCHW, view), images_NCHW.contiguous())


def test_views_enlarge_and_reduce_and_do_not_mirror() -> None:
    ramp = torch.arange(16.0).expand(1, 3, 16, 16)
    for view, inner in ((ENLARGED, 14 / 16), (REDUCED, 16 / 14)):
        middle = viewed(ramp, view)[0, 0, 8, 4:12]
        steps = middle[1:] - middle[:-1]
        torch.testing.assert_close(steps, torch.full((7,), inner), atol=0.1, rtol=0)
    reduced = viewed(ramp, REDUCED)[0, 0, 8]
    assert reduced[0] == reduced[1], "the border is repeated"


def test_the_images_themselves_keep_their_key() -> None:
    view = FeatureView(
        (), Normalisation((0.5,) * 3, (0.2,) * 3), Precision("fp32", "cpu", channels_last=False)
    )
    recipe = Recipe(family="", architecture="a")
    network = nn.Linear(2, 2)
    keys = [feature_key(network, recipe, replace(view, view=name), "cpu") for name in ("", *VIEWS)]
    assert len({*keys, feature_key(network, recipe, view, "cpu")}) == 3


def test_joined_rows_are_one_source_behind_the_other() -> None:
    parts = [ResidentRows(np.full((2, 3), number, np.float32)) for number in range(3)]
    joined = JoinedRows(parts)
    assert len(joined) == 6
    assert joined.read([5, 0, 2, 3]).tolist() == [[2.0] * 3, [0.0] * 3, [1.0] * 3, [1.0] * 3]


def test_a_head_learns_from_stored_views(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    model = untrained(
        tmp_path / "recipe", "efficientnet_lite0", pretrained=True, freeze="all but the head"
    )

    def losses(**parameters: Any) -> list[float]:
        shutil.rmtree(tmp_path / "checkpoints", ignore_errors=True)
        chosen = {**DEFAULTS, "epochs": 3, **parameters}
        trained = train(tmp_path, *squares, model, **chosen)
        return list(trained.history["Valid loss"])

    plain = losses(frozen_head="as set")
    assert len(stored_files(tmp_path / "cache")) == 2
    assert "enlarged" not in capsys.readouterr().out
    first = losses()
    assert len(stored_files(tmp_path / "cache")) == 4
    log = capsys.readouterr().out
    assert "96 features of slightly enlarged and reduced copies" in log
    assert "48 training and 12 validation images" in log
    monkeypatch.setattr("modules.image_loading.lazy_images.LazyImages._opened", NOTHING)
    assert losses() == first, "the views are read again, not computed"
    assert losses(frozen_head="as set") == plain


def test_views_of_a_reproducible_training_are_equal_to_the_bit(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    chosen = {**DEFAULTS, "epochs": 2, "reproducible": "on"}
    histories = []
    for name in ("a", "b"):
        model = untrained(tmp_path / name / "recipe", "shufflenet_v2_x0_5", **FROZEN)
        trained = train(tmp_path / name, *squares, model, **chosen)
        histories.append(list(trained.history["Valid loss"]))
        assert len(stored_files(tmp_path / name / "cache")) == 4
    assert histories[0] == histories[1]


def test_a_training_resumes_with_views(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    model = untrained(tmp_path / "recipe", "shufflenet_v2_x0_5", **FROZEN)
    chosen = {**DEFAULTS, "epochs": 4, "reproducible": "on"}
    whole = train(tmp_path / "whole", *squares, model, **chosen)
    events: Any = InterruptedAt(3)
    with pytest.raises(Interrupted):
        train(tmp_path / "resumed", *squares, model, events, **chosen)
    resumed = train(tmp_path / "resumed", *squares, model, **chosen)
    assert list(resumed.history["Valid loss"]) == list(whole.history["Valid loss"])
    assert resumed.weights_path.read_bytes() == whole.weights_path.read_bytes()


def train_together(rank: int, world_size: int, folder: Path) -> None:
    """What each of two processes does; each is a node with its own cache."""
    context = Context(
        folder / f"staging-{rank}",
        cache_dir=folder / f"cache-{rank}",
        checkpoint_dir=folder / "checkpoints",
        node_count=world_size,
        rank=rank,
        world_size=world_size,
        threads=1,
    )
    model = untrained(folder / f"recipe-{rank}", "shufflenet_v2_x0_5", **FROZEN)
    images = [
        ImageDirectory(folder / "store" / name / "out") for name in ("training", "validation")
    ]
    settings = TrainParameters(epochs=2, precision="fp32")
    train_pytorch_model(model, *images, settings, context)
    assert len(stored_files(folder / f"cache-{rank}")) == 4


@pytest.mark.extended
def test_two_processes_train_on_views(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    assert [images.path.parent.name for images in squares] == ["training", "validation"]
    assert run_ranks(train_together, 2, tmp_path) == [0, 0]


@pytest.mark.parametrize(
    ("num_images", "chosen", "processed"),
    [(40, {}, 130), (60, {}, 70), (40, {"frozen_head": "as set"}, 50)],
)
def test_the_forecast_counts_views(
    tmp_path: Path, num_images: int, chosen: dict[str, Any], processed: int
) -> None:
    recipe = Recipe(family="", architecture="resnet18", freeze="all but the head")
    inputs = {
        "untrained_model": ArtifactForecast(recipe=recipe.to_json()),
        "training_dataset": ArtifactForecast(num_images=num_images, num_classes=2),
        "validation_dataset": ArtifactForecast(num_images=10),
    }
    forecast = forecast_training(inputs, TrainParameters(**chosen), Context(tmp_path))
    assert forecast.images_processed == processed
    assert forecast.images_opened == num_images + 10
    has_note = any("reduced copies" in note.message for note in forecast.notes)
    assert has_note == (processed == 130)
