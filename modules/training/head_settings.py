"""Settings of a training that only trains the head: those that the user left to the designer.

On the features of a frozen network, the head is a logistic regression. It costs almost nothing, and
converges slowly with the settings of whole networks.

Accuracy on features of EfficientNet-Lite0 (sign-language digits, five to ten splits, 200 test
images, a fifth of the training images for validation), against scikit-learn's LogisticRegression
with C = 1: 100 images 67.9 % and 67.4 %, 300 images 83.6 % and 83.5 %, 800 images 90.6 % and
90.0 %. The settings were chosen on these splits. A head that does not start at zero loses 2 to 8
points. 44 photographs of five groups, mirrored at random, 42 others to test, 5 epochs: 73.8 %; with
the defaults of whole networks 19.0 %. With two, three, four images per class (128 px), adamw
reaches 49 %, 56 %, 59 %, sgd 56 %, 58 %, 62 %, LogisticRegression 55 %, 58 %, 62 %. These figures
are without the views of few images (``feature_views``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.training.parameters import TrainParameters
from modules.transforms.operations import RANDOM, Operations

STEP_SETTINGS: Mapping[str, Any] = {"optimizer": "adamw", "learning_rate": 0.005}
"""Used if neither was changed: a learning rate suits only one optimizer."""
FEW_STEP_SETTINGS: Mapping[str, Any] = {"optimizer": "sgd", "learning_rate": 0.001}
"""Used instead for few images of each class."""
MORE_STEP_SETTINGS: Mapping[str, Any] = {"weight_decay": 0.01}
"""Used with the former, each if its default was not changed."""
LENGTH_SETTINGS: Mapping[str, Any] = {"decay_power": 1.0}
"""Used with every optimizer and learning rate, each if its default was not changed."""
STORED_SETTINGS: Mapping[str, Any] = {"epochs": 50, "patience": 15}
"""Used as well if features are stored: an epoch takes almost no time."""
BATCH_SIZES = ((64, 8), (250, 16), (600, 32))
"""Batch size of trainings with fewer images than the first number."""
LARGEST_BATCH = 64
FEW_PER_CLASS = 5
"""Mean number of images of a class below which training does not stop early: the validation loss
of a few images says too little.
"""


def is_on_features(freeze: object, operations: Operations) -> bool:
    """Return True if features of frozen layers are the same in every epoch."""
    names = {operation["operation"] for operation in operations}
    return freeze == "all but the head" and not names & RANDOM


def suited_settings(
    settings: TrainParameters,
    freeze: object,
    operations: Operations,
    num_images: int | None,
    num_classes: int | None = None,
) -> TrainParameters:
    """Return the settings with other values for defaults, if only the head is trained.

    Otherwise *Frozen layers* is "as set" in the result.

    Args:
        settings: The settings of the node.
        freeze: The frozen part of the network, from its recipe.
        operations: The operations on training images.
        num_images: Number of training images of each process; None if it is not known.
        num_classes: Number of classes; None if it is not known.
    """
    if settings.frozen_head != "automatic" or freeze != "all but the head":
        return settings.model_copy(update={"frozen_head": "as set"})
    is_stored = is_on_features(freeze, operations)
    has_few = num_images is not None and num_images < FEW_PER_CLASS * (num_classes or 0)
    is_few = is_stored and has_few
    steps: Mapping[str, Any] = {}
    more = {**LENGTH_SETTINGS, **(STORED_SETTINGS if is_stored else {})}
    if all(_is_default(settings, name) for name in STEP_SETTINGS):
        steps = FEW_STEP_SETTINGS if is_few else STEP_SETTINGS
        more.update(MORE_STEP_SETTINGS)
    suited = {name: value for name, value in more.items() if _is_default(settings, name)}
    if num_images is not None and _is_default(settings, "batch_size"):
        sizes = (size for below, size in BATCH_SIZES if num_images < below)
        suited["batch_size"] = max(1, min(next(sizes, LARGEST_BATCH), num_images))
    if is_few and _is_default(settings, "patience"):
        suited["patience"] = suited.get("epochs", settings.epochs)
    return settings.model_copy(update={**steps, **suited})


def _is_default(settings: TrainParameters, name: str) -> bool:
    return bool(getattr(settings, name) == TrainParameters.model_fields[name].default)
