"""Copies of training images are noticed where a model is trained, scored and evaluated."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from modules.artifacts import ImageDirectory
from modules.context import Report
from modules.models.registered_model import RegisteredModelParameters, registered_model
from modules.scoring.evaluate_model import evaluate_model
from modules.scoring.score_image_model import score_image_model
from modules.training.training_images import FILE, copies_in, copies_known_to, write_training_images
from tests.modules.conftest import Workplace
from tests.modules.scoring.small import CLASSES, random_model
from tests.modules.training.noise import noise_squares
from tests.modules.training.trainings import train


@pytest.fixture
def images(workplace: Workplace) -> ImageDirectory:
    return noise_squares(workplace.root / "store/a/out", CLASSES, per_class=4)


def test_validation_copies_are_counted_and_named_by_train(
    workplace: Workplace, images: ImageDirectory
) -> None:
    others = noise_squares(workplace.root / "store/b/out", CLASSES, per_class=4, seed=7)
    rows = pd.concat([others.derived_rows(), images.derived_rows().tail(2)], ignore_index=True)
    (workplace.root / "store/c/out").mkdir(parents=True)
    both = others.derive(workplace.root / "store/c/out", rows)
    events: list[Report] = []
    trained = train(workplace.root / "training", images, both, events=events, epochs=1)
    (warning,) = [event["message"] for event in events if event["kind"] == "warning"]
    assert "2 of 14 validation images are copies of training images, " in warning
    assert all(path in warning for path in images.images["path"].tail(2))
    assert (trained.path / FILE).is_file()
    assert copies_known_to(trained, both) == list(images.images["path"].tail(2))


def test_scoring_and_evaluating_training_images_is_warned_of(
    workplace: Workplace, images: ImageDirectory
) -> None:
    model = random_model(workplace.root / "model")
    score_image_model(model, images, workplace.context())
    assert not workplace.warnings  # a model of an earlier version

    write_training_images(model.path, images)
    (workplace.root / "store/b/out").mkdir(parents=True)
    some = images.derive(workplace.root / "store/b/out", images.images.head(3))
    scored = score_image_model(model, some, workplace.context()).scored_dataset
    (warning,) = workplace.warnings
    assert "3 of 3 scored images are copies of the model's training images" in warning

    workplace.events.clear()
    evaluate_model(scored, workplace.context(), scored)
    first, second = workplace.warnings
    assert "3 of 3 images are copies" in first
    assert "3 of 3 compared images are copies" in second


def test_a_registered_model_knows_its_training_images(
    workplace: Workplace, images: ImageDirectory
) -> None:
    model = random_model(workplace.root / "model")
    write_training_images(model.path, images)
    context = workplace.context()
    context.models = {"birds": model.path}
    parameters = RegisteredModelParameters(model="birds")
    given = registered_model(parameters, context).trained_model
    assert copies_known_to(given, images) == list(images.images["path"])


def test_other_images_and_images_without_hashes_are_no_copies(
    tmp_path: Path, images: ImageDirectory
) -> None:
    others = noise_squares(tmp_path / "store/b/out", CLASSES, per_class=4, seed=7)
    assert copies_in(others, images) == []
    (tmp_path / "store/c/out").mkdir(parents=True)
    nameless = images.derive(tmp_path / "store/c/out", images.images.assign(sha256=""))
    assert copies_in(nameless, nameless) == []


def test_a_damaged_list_of_hashes_is_passed_over(
    workplace: Workplace, images: ImageDirectory
) -> None:
    model = random_model(workplace.root / "model")
    (model.path / FILE).write_bytes(b"damaged")
    assert copies_known_to(model, images) == []
