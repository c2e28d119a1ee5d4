"""The operations that images of a training go through before the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modules.artifacts import ImageDirectory
from modules.image_loading.final_size import final_size
from modules.image_loading.sizes import Size
from modules.training.input_checks import check_size
from modules.transforms.operations import FOR_INFERENCE, Operations, select, split_prefix

if TYPE_CHECKING:
    from modules.models.recipe import Recipe


@dataclass(frozen=True)
class InputSpec:
    """The operations on images, and the resulting sizes."""

    operations: Operations
    """Operations on training images, including random ones if attached."""
    inference_operations: Operations
    """Operations on validation images and in later inference: nothing random."""
    size: Size
    input_size: Size

    @classmethod
    def of(cls, training: ImageDirectory, validation: ImageDirectory, recipe: Recipe) -> InputSpec:
        """Return the spec of two datasets; raise if their sizes differ or do not suit the model.

        Validation images use their attached operations, else those of the training images.
        """
        first = training.transformation
        second = validation.transformation or first
        operations = select(first.operations, first.mode) if first else ()
        inference = select(second.operations, FOR_INFERENCE) if second else ()
        size = final_size(
            training, operations, "training_dataset", first.operations if first else ()
        )
        input_size = final_size(
            validation, inference, "validation_dataset", second.operations if second else ()
        )
        check_size(recipe, size, "training_dataset")
        check_size(recipe, input_size, "validation_dataset")
        return cls(operations, inference, size, input_size)

    @property
    def prefix(self) -> Operations:
        """Return the operations of training images before the first random one."""
        return split_prefix(self.operations)[0]

    @property
    def random_operations(self) -> Operations:
        """Return the operations repeated for each epoch: the first random one and all after it."""
        return split_prefix(self.operations)[1]
