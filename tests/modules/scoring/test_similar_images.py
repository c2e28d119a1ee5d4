"""Training images similar to an image, and learning curves, on features of small models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from modules.artifacts import ImageDirectory, TrainedModel
from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.image_loading.feature_store import FOLDER
from modules.scoring.learning_curve import curve_of_features, fitted, learning_curve
from modules.scoring.model_features import features_of
from modules.scoring.similar_images import FEWEST_VALIDATION, NUM_NEIGHBORS, similar_images
from tests.modules.scoring.small import own_model, random_model
from tests.modules.training.noise import noise_squares


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    return random_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def images(tmp_path: Path) -> ImageDirectory:
    return noise_squares(tmp_path / "store/a/out")


def context_in(folder: Path) -> Context:
    return Context(folder / "staging", cache_dir=folder / "cache", threads=1)


def rows_of(images: ImageDirectory, name: str, rows: pd.DataFrame) -> ImageDirectory:
    """Some of the images, in the same store."""
    folder = images.path.parents[1] / name / "out"
    folder.mkdir(parents=True)
    return images.derive(folder, rows)


def test_the_nearest_are_those_of_the_smallest_angle(
    model: TrainedModel, images: ImageDirectory, tmp_path: Path
) -> None:
    context = context_in(tmp_path)
    similar = similar_images(model, images, None, images, 3, context)
    with features_of(model, images, context) as features:
        features_ND = features.of_images(images)
    lengths_N = np.linalg.norm(features_ND, axis=1)
    expected = 1 - features_ND @ features_ND[3] / lengths_N / lengths_N[3]
    order = [int(row) for row in expected.argsort() if row != 3]
    assert [near.index for near in similar.neighbors] == order[:NUM_NEIGHBORS]
    golden = [float(expected[row]) for row in order[:NUM_NEIGHBORS]]
    assert [near.distance for near in similar.neighbors] == pytest.approx(golden, abs=1e-4)
    assert similar.is_unlike is None, "nothing validated the model"


def test_features_of_training_images_are_stored_and_that_of_the_image_is_not(
    model: TrainedModel, images: ImageDirectory, tmp_path: Path
) -> None:
    context = context_in(tmp_path)
    training = rows_of(images, "training", images.images.iloc[:10])
    for index in (11, 12):
        similar_images(model, training, None, images, index, context)
    assert len([*(tmp_path / "cache" / FOLDER).rglob("*.features")]) == 1


def test_an_image_farther_away_than_those_of_validation_is_unlike_the_training_data(
    model: TrainedModel, images: ImageDirectory, tmp_path: Path
) -> None:
    context = context_in(tmp_path)
    validation = rows_of(images, "validation", images.images.iloc[12:])
    training = rows_of(images, "training", images.images.iloc[:12])
    assert len(validation.images) >= FEWEST_VALIDATION
    for index in range(12, len(images.images)):
        usual = similar_images(model, training, validation, images, index, context)
        assert usual.is_unlike is False
    colours = ("red", "green", "blue", "yellow", "violet", "black")
    others = noise_squares(tmp_path / "store/b/out", colours, 1, seed=1)
    strange = similar_images(model, training, validation, others, 5, context)
    assert strange.is_unlike is True


def test_two_clusters_are_learned_from_few_images() -> None:
    generator = np.random.default_rng(0)
    labels = np.repeat(np.arange(3), 5)
    centres = 4 * generator.normal(size=(3, 20))
    features = (centres[labels] + generator.normal(size=(15, 20))).astype(np.float32)
    curve = curve_of_features(features, labels)
    assert [point.per_class for point in curve.points] == [1, 2, 3, 4]
    assert curve.points[-1].accuracy > 0.9
    assert curve.accuracy_at(10) >= curve.points[-1].accuracy
    assert curve.accuracy_at(4) == pytest.approx(curve.points[-1].accuracy)


def test_the_head_is_scikit_learns_logistic_regression() -> None:
    from sklearn.linear_model import LogisticRegression

    generator = np.random.default_rng(1)
    features = generator.normal(size=(60, 10)).astype(np.float32)
    labels = generator.integers(0, 4, size=60)
    peer = LogisticRegression(C=1.0, max_iter=1000).fit(features, labels)
    more = generator.normal(size=(200, 10)).astype(np.float32)
    assert (fitted(features, labels)(more) == peer.predict(more)).mean() > 0.99


def test_a_class_of_one_image_has_no_curve(
    model: TrainedModel, images: ImageDirectory, tmp_path: Path
) -> None:
    names = images.images["label"].unique()[:2]
    rows = pd.concat([images.images[images.images["label"] == name].iloc[:1] for name in names])
    few = rows_of(images, "few", rows)
    with pytest.raises(InvalidDatasetError, match="two images"):
        learning_curve(model, [few], context_in(tmp_path))


def test_images_of_all_classes_count_and_unlabelled_ones_do_not(
    model: TrainedModel, images: ImageDirectory, tmp_path: Path
) -> None:
    labelled = images.images.iloc[:12]  # four of each of three classes
    unlabelled = images.images.iloc[12:].assign(label=None)
    context = context_in(tmp_path)
    expected = learning_curve(model, [rows_of(images, "labelled", labelled)], context)
    mixed = rows_of(images, "mixed", pd.concat([labelled, unlabelled]))
    curve = learning_curve(model, [mixed], context)
    assert [point.per_class for point in curve.points] == [1, 2, 3]
    assert curve == expected


def test_images_of_unequal_size_are_not_compared(tmp_path: Path) -> None:
    model = own_model(tmp_path / "model", inference_transformation=[])
    images = noise_squares(tmp_path / "store/a/out")
    unequal = noise_squares(tmp_path / "store/b/out", sizes=[(32, 32)] * 5 + [(40, 32)])
    with features_of(model, images, context_in(tmp_path)) as features:
        assert len(features.of_images(images)) == len(images.images)
        with pytest.raises(InvalidDatasetError, match="size"):
            features.of_images(unequal)
