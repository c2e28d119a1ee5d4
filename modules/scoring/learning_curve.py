"""Accuracy by the number of training images of each class, for sets with few images.

Heads are trained on the stored features of subsets, and tested on all other images.

Shape letters: N images, D features, K classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory, TrainedModel
from modules.context import Context
from modules.errors import InvalidDatasetError
from modules.scoring.model_features import features_of
from modules.sentences import scoring as say

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Labels = npt.NDArray[np.int64]

NUM_DRAWS = 8
"""Number of random subsets of each size, whose accuracies are averaged."""
MAX_PER_CLASS = 12
"""Number of images of each class from which there are enough for a test."""
MAX_CLASSES = 50
STRENGTH = 1.0
"""Strength of the penalty of weights, as in scikit-learn with C = 1."""
STEEPEST, FLATTEST = 1.0, 0.1
"""Limits of the exponent with which the error falls; few images give it no more accurately."""


@dataclass(frozen=True)
class LearningCurvePoint:
    """Mean accuracy of heads trained on this number of images of each class, 0-1."""

    per_class: int
    accuracy: float


@dataclass(frozen=True)
class LearningCurve:
    """Accuracies that were measured, and a power law of the error through them."""

    points: tuple[LearningCurvePoint, ...]
    exponent: float

    def accuracy_at(self, per_class: int) -> float:
        """Return the estimated accuracy with this number of training images of each class."""
        last = self.points[-1]
        growth = per_class / last.per_class
        return 1 - (1 - last.accuracy) * math.pow(growth, -self.exponent)


def learning_curve(
    model: TrainedModel, datasets: Sequence[ImageDirectory], context: Context
) -> LearningCurve:
    """Return the learning curve of all labelled images of some datasets together.

    Raises ``InvalidDatasetError`` if a class has fewer than two images, and like
    ``features_of``.
    """
    import numpy as np

    with features_of(model, datasets[0], context) as features:
        features_ND = np.concatenate([features.of_images(dataset) for dataset in datasets])
    names = [label for dataset in datasets for label in dataset.images["label"]]
    classes = sorted({name for name in names if isinstance(name, str)})[:MAX_CLASSES]
    index_of = {name: index for index, name in enumerate(classes)}
    labels_N = np.array([index_of.get(name, -1) for name in names], np.int64)
    is_used = labels_N >= 0
    return curve_of_features(features_ND[is_used], labels_N[is_used])


def curve_of_features(features_ND: Floats, labels_N: Labels) -> LearningCurve:
    """Return the learning curve of images by their features and classes."""
    import numpy as np

    counts = np.bincount(labels_N)
    if len(counts) < 2 or counts.min() < 2:
        raise InvalidDatasetError(say.TOO_FEW_TO_LEARN_FROM)
    most = min(int(counts.min()) - 1, MAX_PER_CLASS)
    points = []
    for per_class in range(1, most + 1):
        draws = [_accuracy(features_ND, labels_N, per_class, seed) for seed in range(NUM_DRAWS)]
        points.append(LearningCurvePoint(per_class, float(np.mean(draws))))
    return LearningCurve(tuple(points), _exponent(points))


def _exponent(points: Sequence[LearningCurvePoint]) -> float:
    """Return the exponent of the power law through the logarithms of sizes and errors."""
    import numpy as np

    if len(points) < 2:
        return 0.5
    sizes = np.log([point.per_class for point in points])
    # Not even a perfect result shows that there is no error at all.
    errors = np.log([max(1 - point.accuracy, 0.005) for point in points])
    slope = float(np.polyfit(sizes, errors, 1)[0])
    return min(STEEPEST, max(FLATTEST, -slope)) if math.isfinite(slope) else FLATTEST


def _accuracy(features_ND: Floats, labels_N: Labels, per_class: int, seed: int) -> float:
    """Return the accuracy of a head of some images of each class on all others."""
    import numpy as np

    generator = np.random.default_rng([seed, per_class])
    order = generator.permutation(len(labels_N))
    ranks = np.empty(len(labels_N), np.int64)
    for label in np.unique(labels_N):
        of_class = order[labels_N[order] == label]
        ranks[of_class] = np.arange(len(of_class))
    is_learned = ranks < per_class
    predicted = fitted(features_ND[is_learned], labels_N[is_learned])(features_ND[~is_learned])
    return float((predicted == labels_N[~is_learned]).mean())


def fitted(features_ND: Floats, labels_N: Labels) -> Callable[[Floats], Labels]:
    """Return the predictions of a head, fitted to features as scikit-learn's logistic regression.

    The result returns the most probable class of each row.
    """
    import torch
    from torch.nn.functional import cross_entropy

    features, labels = torch.from_numpy(features_ND), torch.from_numpy(labels_N)
    num_classes = int(labels.max()) + 1
    weight = torch.zeros(num_classes, features.shape[1], requires_grad=True)
    bias = torch.zeros(num_classes, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        penalty = STRENGTH / 2 * weight.square().sum()
        loss = cross_entropy(features @ weight.T + bias, labels, reduction="sum") + penalty
        loss.backward()  # type: ignore[no-untyped-call]  # torch is partly untyped
        return loss

    optimizer.step(closure)  # type: ignore[no-untyped-call]  # as above

    def predict(rows_ND: Floats) -> Labels:
        with torch.no_grad():
            logits_NK = torch.from_numpy(rows_ND) @ weight.T + bias
        predicted_N: Labels = logits_NK.argmax(dim=1).numpy()
        return predicted_N

    return predict
