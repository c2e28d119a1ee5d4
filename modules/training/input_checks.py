"""What is wrong with the data of a training, found before anything is computed."""

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
    examples,
)
from modules.image_loading.sizes import Size
from modules.models.recipe import Recipe

if TYPE_CHECKING:
    from torch import nn


def check_labeled(dataset: ImageDirectory, port: str) -> None:
    """Raise unless there are images and each has a label that is one of the classes."""
    dataset.check()
    if len(dataset.images) == 0:
        raise InvalidDatasetError(
            "There are no images.", cure="Connect an image directory that holds some.", port=port
        )
    labels = dataset.images["label"]
    num_missing = int(labels.isna().sum())
    if num_missing:
        raise NotLabeledDatasetError(
            f"{num_missing:,} of {len(labels):,} images have no label.",
            cure="Put the images into one folder a class and run Convert to Image Directory again.",
            port=port,
        )
    unknown = sorted(set(labels) - set(dataset.classes))
    if unknown:
        raise InvalidDatasetError(
            f"Some labels are not in the list of classes: {examples(unknown)}.",
            cure="Run Convert to Image Directory again with Regenerate output switched on.",
            port=port,
        )


def check_classes(training: ImageDirectory, validation: ImageDirectory, context: Context) -> None:
    """Raise unless both data sets have the same classes; warn of classes without images."""
    only_training = sorted(set(training.classes) - set(validation.classes))
    only_validation = sorted(set(validation.classes) - set(training.classes))
    parts = []
    if only_training:
        parts.append(f"only the training dataset has {examples(only_training)}")
    if only_validation:
        parts.append(f"only the validation dataset has {examples(only_validation)}")
    if parts:
        raise InvalidDatasetError(
            f"The classes of the two datasets differ: {'; '.join(parts)}.",
            cure="Put Align Classes before them, or make both from one Convert to Image Directory "
            "by Split Image Directory.",
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
                [(name, "training only") for name in only_training]
                + [(name, "validation only") for name in only_validation],
            ),
        )
    if len(training.classes) < 2:
        raise InvalidDatasetError(
            "There is only one class, so there is nothing to tell apart.",
            cure="Add a second folder with images of another class.",
            port="training_dataset",
        )
    unseen = sorted(set(training.classes) - set(training.images["label"]))
    if unseen:
        context.warn(
            f"The training dataset has no image of {examples(unseen)}, so the model can't learn "
            "them. Split with a larger fraction, or add images."
        )


def check_batch_fits(batch_size: int, world_size: int, num_images: int) -> None:
    """Raise 0007 where the processes together need more images for a batch than there are."""
    if batch_size * world_size <= num_images:
        return
    fitting = max(1, num_images // world_size)
    many = (
        f"{world_size} processes x batch size {batch_size:,}"
        if world_size > 1
        else (f"The batch size {batch_size:,}")
    )
    raise LessThanOrEqualToError(
        f"{many} is more than the {num_images:,} training images.",
        cure=f"Set Batch size to {fitting:,} or less, or use fewer processes.",
        parameter="batch_size",
        remedy={"set": {"batch_size": fitting}},
    )


def check_batch_norm(batch_size: int, model: nn.Module) -> None:
    """Raise 0005 for a batch of one where a layer normalises over the batch."""
    if batch_size < smallest_batch(model):
        raise GreaterThanOrEqualToError(
            "A batch of one image has no spread, which the batch normalisation of this model "
            "divides by.",
            cure="Set Batch size to 2 or more.",
            parameter="batch_size",
            remedy={"set": {"batch_size": 2}},
        )


def smallest_batch(model: nn.Module) -> int:
    """2 where a layer in training mode normalises over the batch, else 1."""
    from torch.nn.modules.batchnorm import _BatchNorm

    modules = model.modules()
    return 2 if any(isinstance(each, _BatchNorm) and each.training for each in modules) else 1


def check_size(recipe: Recipe, size: Size, port: str) -> None:
    """Raise where the architecture can't take images of this size."""
    from modules.models.build import check_image_size

    try:
        check_image_size(recipe, *size)
    except InvalidDatasetError as error:
        error.port = port
        error.remedy = {"insert": ["init_image_transformation", "apply_image_transformation"]}
        raise
