"""Settings that improve a result of frozen layers, as changes of a pipeline's nodes.

Fine-tuning: AdamW in one cycle with frozen batch normalization, light augmentation and label
smoothing. On sign-language digits (400 training images, 128 px) it is 9 points better than SGD,
which diverges at the usual rates (figures in ``docs/how-to/own-images.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modules.transforms.operations import FOR_TRAINING
from pipelines.forecasting.training_parts import TrainingParts

Values = Mapping[str, Any]
Changes = dict[str, dict[str, Any]]
"""New parameters by node."""

FINE_TUNING: Values = {
    "optimizer": "adamw",
    "learning_rate": 0.002,
    "schedule": "one cycle",
    "warmup_step_number": 0,
    "weight_decay": 0.01,
    "label_smoothing": 0.1,
    "batch_norm": "frozen",
}
FROM_SCRATCH: Values = {
    "optimizer": "sgd",
    "learning_rate": 0.1,
    "schedule": "one cycle",
    "warmup_step_number": 0,
    "weight_decay": 5e-4,
    "label_smoothing": 0.1,
    "batch_norm": "learned",
}
AUGMENTATION: Values = {
    "random_resized_crop": True,
    "smallest_part": 0.6,
    "color_jitter": True,
}
BATCH_SIZE = 32
NUM_STEPS = 150
"""Number of steps of a fine-tuning: 12 epochs of 400 images."""
FEWEST_EPOCHS, MOST_EPOCHS = 6, 40
SCRATCH_EPOCHS = 40
SCRATCH_PIXELS = 64
SCRATCH_NETWORK = "resnet18"
SMALL_PIXELS = 128
"""Size for images that are no larger: more pixels would only take time."""


@dataclass(frozen=True)
class TrainingImages:
    """Facts of the images that a training used."""

    num_images: int
    edge: int
    """Median length of their shorter edges in pixels."""


def fine_tuning(
    parts: TrainingParts, images: TrainingImages, *, is_longer: bool = False
) -> Changes:
    """Return the changes that train all layers from their pretrained weights."""
    batch_size = _batch_size(images)
    epochs = _epochs(images, batch_size) * (2 if is_longer else 1)
    changes = _augmented(parts, pixels_of(parts, images))
    changes[parts.train] = {
        **FINE_TUNING,
        "epochs": epochs,
        "patience": epochs,
        "batch_size": batch_size,
    }
    return {**changes, parts.network: {"freeze": "none"}}


def from_scratch(parts: TrainingParts, images: TrainingImages) -> Changes:
    """Return the changes that train a small network from random weights on small images."""
    changes = _augmented(parts, SCRATCH_PIXELS)
    changes[parts.train] = {
        **FROM_SCRATCH,
        "epochs": SCRATCH_EPOCHS,
        "patience": SCRATCH_EPOCHS,
        "batch_size": _batch_size(images),
    }
    return {
        **changes,
        parts.network: {
            "model_name": SCRATCH_NETWORK,
            "pretrained": False,
            "weights_path": None,
            "freeze": "none",
        },
    }


def more_epochs(parts: TrainingParts) -> Changes:
    """Return the changes that double the epochs."""
    epochs = 2 * parts.settings.epochs
    return {parts.train: {"epochs": epochs, "patience": max(parts.settings.patience, epochs)}}


def pixels_of(parts: TrainingParts, images: TrainingImages) -> int:
    """Return the size of the images in a fine-tuning."""
    operations = parts.operations
    current = operations.crop_size if operations else SMALL_PIXELS
    return min(current, SMALL_PIXELS) if images.edge <= SMALL_PIXELS else current


def _batch_size(images: TrainingImages) -> int:
    return max(2, min(BATCH_SIZE, images.num_images // 4))


def _epochs(images: TrainingImages, batch_size: int) -> int:
    steps_per_epoch = max(1, images.num_images // batch_size)
    return min(MOST_EPOCHS, max(FEWEST_EPOCHS, round(NUM_STEPS / steps_per_epoch)))


def _augmented(parts: TrainingParts, pixels: int) -> Changes:
    """Return the changes of the transformation; none if its sizes do not come from a crop."""
    operations = parts.operations
    if operations is None or parts.apply is None or parts.transformation is None:
        return {}
    if not operations.center_crop or operations.random_crop:
        return {}
    values = {**AUGMENTATION, "crop_size": pixels, "random_size": pixels}
    if operations.resize:
        values["size"] = round(pixels * operations.size / operations.crop_size)
    return {parts.transformation: values, parts.apply: {"mode": FOR_TRAINING}}
