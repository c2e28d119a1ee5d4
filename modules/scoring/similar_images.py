"""Training images similar to an image, by the features of a trained model.

An image is unlike the training data if its nearest training image is farther away than that of
almost any validation image (nearest-neighbour detection: Sun et al., arXiv:2204.06507, 2022).

Shape letters: N and M images, D features.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory, TrainedModel
from modules.context import Context
from modules.scoring.model_features import features_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

NUM_NEIGHBORS = 5
USUAL_SHARE = 0.99
"""Share of the validation images whose distances count as usual."""
FEWEST_VALIDATION = 10
"""Number of validation images below which there is no threshold."""
ROUNDING = 0.002
"""Difference of distances whose features were computed in batches of other sizes."""
MAX_IMAGES = 5000
"""Maximum number of training images that are compared; of more, every k-th is used."""


@dataclass(frozen=True)
class Neighbor:
    """A training image and its distance from the image: 0 for equal features, at most 2."""

    index: int
    distance: float


@dataclass(frozen=True)
class SimilarImages:
    """The nearest training images, the nearest first."""

    neighbors: tuple[Neighbor, ...]
    limit: float | None
    """Largest usual distance; None with too few validation images."""

    @property
    def is_unlike(self) -> bool | None:
        """Return True if the image is unlike the training data; None if that is not known."""
        if self.limit is None or not self.neighbors:
            return None
        return self.neighbors[0].distance > self.limit + ROUNDING


def similar_images(
    model: TrainedModel,
    training: ImageDirectory,
    validation: ImageDirectory | None,
    dataset: ImageDirectory,
    index: int,
    context: Context,
) -> SimilarImages:
    """Return the training images most similar to an image, without its copies.

    Args:
        model: The model whose features are compared.
        training: The images that it was trained on.
        validation: The images that it was validated with; None if they are gone.
        dataset: A directory with the image.
        index: The image's row.
        context: Its cache holds the features.

    Raises:
        InvalidModelDirectoryError: If the network has no features.
        InvalidDatasetError: If the images differ in size.
    """
    compared = _rows(training)
    with features_of(model, training, context) as features:
        training_ND = _normalised(features.of_images(training, compared))
        image_1D = _normalised(features.of_image(dataset, index))
        limit = None
        if validation is not None and len(validation.images) >= FEWEST_VALIDATION:
            validated_MD = features.of_images(validation, _rows(validation))
            limit = _limit(_normalised(validated_MD), training_ND)
    distances_N = _distances(image_1D, training_ND)[0]
    sha256 = dataset.images["sha256"].iloc[index]
    is_copy = (training.images["sha256"].iloc[compared] == sha256).to_numpy()
    order = [int(row) for row in distances_N.argsort(kind="stable") if not is_copy[row]]
    nearest = order[:NUM_NEIGHBORS]
    return SimilarImages(
        tuple(Neighbor(compared[row], float(distances_N[row])) for row in nearest), limit
    )


def _rows(dataset: ImageDirectory) -> list[int]:
    """Return the rows that are compared: all, or every k-th."""
    num_images = len(dataset.images)
    return list(range(0, num_images, max(1, -(-num_images // MAX_IMAGES))))


def _limit(validation_MD: Floats, training_ND: Floats) -> float:
    """Return the largest usual distance of validation images."""
    import numpy as np

    nearest_M = _distances(validation_MD, training_ND).min(axis=1)
    return float(np.quantile(nearest_M, USUAL_SHARE, method="higher"))


def _distances(first_MD: Floats, second_ND: Floats) -> Floats:
    """Return the cosine distances, shape (M, N); rows have length 1."""
    distances_MN: Floats = (1 - first_MD @ second_ND.T).clip(0, 2)
    return distances_MN


def _normalised(features_ND: Floats) -> Floats:
    import numpy as np

    lengths_N1 = np.linalg.norm(features_ND, axis=1, keepdims=True)
    normalised_ND: Floats = features_ND / np.maximum(lengths_N1, 1e-12)
    return normalised_ND
