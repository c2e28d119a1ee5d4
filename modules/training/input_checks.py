"""Checks of the data of a training, before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.errors import (
    GreaterThanOrEqualToError,
    InvalidDatasetError,
    LessThanOrEqualToError,
    NotLabeledDatasetError,
    evidence,
)
from modules.image_loading.sizes import Size
from modules.models.recipe import Recipe
from modules.sentences import training as say
from modules.sentences.sentence import shown_name
from modules.training.training_images import copies_in

if TYPE_CHECKING:
    from torch import nn


def check_labeled(dataset: ImageDirectory, port: str) -> None:
    """Raise unless there are images and each has a label that is one of the classes."""
    dataset.check()
    if len(dataset.images) == 0:
        raise InvalidDatasetError(say.NO_IMAGES, port=port)
    labels = dataset.images["label"]
    num_missing = int(labels.isna().sum())
    if num_missing:
        raise NotLabeledDatasetError(
            say.NOT_LABELLED, missing=num_missing, images=len(labels), port=port
        )
    unknown = sorted(set(labels) - set(dataset.classes))
    if unknown:
        raise InvalidDatasetError(
            say.UNKNOWN_LABELS, labels=list(map(shown_name, unknown)), port=port
        )


def check_classes(training: ImageDirectory, validation: ImageDirectory, context: Context) -> None:
    """Raise unless both datasets have the same classes; warn of classes without images."""
    only_training = sorted(set(training.classes) - set(validation.classes))
    only_validation = sorted(set(validation.classes) - set(training.classes))
    sides = (
        (say.ONLY_TRAINING, list(map(shown_name, only_training))),
        (say.ONLY_VALIDATION, list(map(shown_name, only_validation))),
    )
    if only_training or only_validation:
        raise InvalidDatasetError(
            say.CLASSES_DIFFER,
            how=[sentence.about({"classes": names}) for sentence, names in sides if names],
            port="validation_dataset",
            remedy={
                "across": {
                    "module": "align_classes",
                    "ports": ["training_dataset", "validation_dataset"],
                }
            },
            details=evidence(
                "classes",
                "Classes that only one has",
                [(shown_name(name), "training only") for name in only_training]
                + [(shown_name(name), "validation only") for name in only_validation],
            ),
        )
    if len(training.classes) < 2:
        raise InvalidDatasetError(say.ONE_CLASS, port="training_dataset")
    unseen = sorted(set(training.classes) - set(training.images["label"]))
    if unseen:
        context.warn(say.UNSEEN_CLASSES, classes=list(map(shown_name, unseen)))


def warn_of_copies(training: ImageDirectory, validation: ImageDirectory, context: Context) -> None:
    """Warn of validation images that are copies of training images, which inflate results."""
    copies = copies_in(validation, training) if context.is_first_rank else []
    if copies:
        context.warn(
            say.VALIDATION_COPIES, copies=len(copies), images=len(validation.images), paths=copies
        )


def check_batch_fits(batch_size: int, world_size: int, num_images: int) -> None:
    """Raise 0007 if a batch over all processes needs more images than there are."""
    if batch_size * world_size <= num_images:
        return
    fitting = max(1, num_images // world_size)
    raise LessThanOrEqualToError(
        say.BATCH_TOO_LARGE,
        processes=world_size,
        batch=batch_size,
        images=num_images,
        fitting=fitting,
        parameter="batch_size",
        remedy={"set": {"batch_size": fitting}},
    )


def check_batch_norm(batch_size: int, model: nn.Module) -> None:
    """Raise 0005 for a batch of one if a layer normalises over the batch."""
    if batch_size < smallest_batch(model):
        raise GreaterThanOrEqualToError(
            say.BATCH_OF_ONE, parameter="batch_size", remedy={"set": {"batch_size": 2}}
        )


def smallest_batch(model: nn.Module) -> int:
    """Return 2 if a layer in training mode normalises over the batch, else 1."""
    from torch.nn.modules.batchnorm import _BatchNorm

    modules = model.modules()
    return 2 if any(isinstance(module, _BatchNorm) and module.training for module in modules) else 1


def check_size(recipe: Recipe, size: Size, port: str) -> None:
    """Raise if the architecture does not support images of this size."""
    from modules.models.build import check_image_size

    try:
        check_image_size(recipe, *size)
    except InvalidDatasetError as error:
        error.port = port
        error.remedy = {"insert": ["init_image_transformation", "apply_image_transformation"]}
        raise
