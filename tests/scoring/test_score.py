"""Score Image Model on small networks and squares of coloured noise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from modules.context import Context, Event
from modules.errors import InvalidDatasetError, InvalidModelDirectoryError
from modules.models.build import build_model
from modules.models.recipe import Recipe
from modules.models.trained import save_trained
from modules.ports import ImageDirectory, ScoredImages, TrainedModel, write_json
from modules.scoring.mistakes import PICTURES_FILE
from modules.scoring.score_image_model import score_image_model
from tests.training.noise import noise_squares

CLASSES = ["red", "green", "blue"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    """Random weights: what is scored here is the way, not the skill."""
    folder = tmp_path_factory.mktemp("model")
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


def _score(
    folder: Path, model: TrainedModel, dataset: ImageDirectory, events: list[Event] | None = None
) -> ScoredImages:
    emit: Any = (events if events is not None else []).append
    context = Context(folder / "staging", cache_dir=folder / "cache", threads=1, emit=emit)
    scored = score_image_model(model, dataset, context).scored_dataset
    assert isinstance(scored, ScoredImages)
    return scored


def test_the_columns_and_what_they_mean(tmp_path: Path, model: TrainedModel) -> None:
    events: list[Event] = []
    dataset = noise_squares(tmp_path / "store/a/out")
    scored = _score(tmp_path, model, dataset, events)
    scored.check()
    rows = scored.rows
    names = [f"Scored Probabilities_{name}" for name in CLASSES]
    columns = ["path", "category", "Scored Labels", *names, "confidence", "margin", "loss"]
    assert list(rows.columns) == columns
    assert list(rows["path"]) == list(dataset.images["path"])
    assert list(rows["category"]) == list(dataset.images["label"])
    probabilities = rows[names].to_numpy()
    assert probabilities.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert list(rows["Scored Labels"]) == [CLASSES[index] for index in probabilities.argmax(axis=1)]
    assert rows["confidence"].to_numpy() == pytest.approx(probabilities.max(axis=1))
    top = np.sort(probabilities, axis=1)
    assert rows["margin"].to_numpy() == pytest.approx(top[:, -1] - top[:, -2], abs=1e-6)
    own = [row[CLASSES.index(c)] for row, c in zip(probabilities, rows["category"], strict=True)]
    assert rows["loss"].to_numpy(dtype=float) == pytest.approx(-np.log(own), rel=1e-4)
    assert [event["text"] for event in events if event["kind"] == "summary"]
    wrong = rows[rows["category"] != rows["Scored Labels"]]
    pictures = pd.read_parquet(scored.path / PICTURES_FILE)
    assert set(pictures["path"]) == set(wrong["path"])
    assert all(picture.startswith(b"\xff\xd8\xff") for picture in pictures["picture"])


def test_the_models_transformation_makes_unequal_images_equal(
    tmp_path: Path, model: TrainedModel
) -> None:
    dataset = noise_squares(tmp_path / "store/a/out", sizes=((40, 64), (33, 32)))
    assert len(_score(tmp_path, model, dataset).rows) == 24


def test_an_attached_transformation_goes_first_without_its_chance(
    tmp_path: Path, model: TrainedModel
) -> None:
    operations = [
        {"operation": "resize", "size": 48},
        {"operation": "random_vertical_flip", "p": 1.0},
    ]
    events: list[Event] = []
    dataset = noise_squares(
        tmp_path / "store/a/out", operations=operations, mode="For training", size=(64, 64)
    )
    first = _score(tmp_path / "1", model, dataset, events).rows
    assert first.equals(_score(tmp_path / "2", model, dataset).rows)
    assert "48 x 48" in next(e["message"] for e in events if e["kind"] == "warning")


def test_unlabelled_images_have_neither_category_nor_loss(
    tmp_path: Path, model: TrainedModel
) -> None:
    rows = _score(tmp_path, model, noise_squares(tmp_path / "store/a/out", labeled=False)).rows
    assert "category" not in rows.columns
    assert rows["loss"].isna().all()


def test_classes_the_model_does_not_know_are_warned_of(tmp_path: Path, model: TrainedModel) -> None:
    events: list[Event] = []
    dataset = noise_squares(tmp_path / "store/a/out", ["red", "mauve"])
    rows = _score(tmp_path, model, dataset, events).rows
    assert "mauve" in next(e["message"] for e in events if e["kind"] == "warning")
    assert rows["loss"].isna().tolist() == (rows["category"] == "mauve").tolist()


def test_unequal_sizes_are_refused_where_nothing_makes_them_equal(
    tmp_path: Path, model: TrainedModel
) -> None:
    resize = [{"operation": "resize", "size": 32}]
    dataset = noise_squares(tmp_path / "store/a/out", sizes=((32, 32), (64, 32)), operations=resize)
    with pytest.raises(InvalidDatasetError) as caught:
        _score(tmp_path, model, dataset)
    assert caught.value.port == "dataset"
    assert caught.value.remedy


def test_an_untrained_model_is_refused(tmp_path: Path) -> None:
    dataset = noise_squares(tmp_path / "store/a/out")
    (tmp_path / "m").mkdir()
    write_json(tmp_path / "m/model.json", {"role": "untrained", "recipe": {}})
    with pytest.raises(InvalidModelDirectoryError):
        _score(tmp_path, TrainedModel(tmp_path / "m"), dataset)
