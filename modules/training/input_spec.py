"""What the images of a training go through before its network sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory
from modules.image_loading.final_size import final_size
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.sizes import Size
from modules.training.fingerprints import dataset_fingerprint
from modules.training.input_checks import check_size
from modules.transforms.operations import FOR_INFERENCE, Operations, select, split_prefix

if TYPE_CHECKING:
    from modules.models.recipe import Recipe


@dataclass(frozen=True)
class InputSpec:
    """What images go through, and the sizes they come out with."""

    operations: Operations
    """Of training images, chance included if so attached."""
    inference_operations: Operations
    """Of validation images, and of any image later: nothing random."""
    size: Size
    input_size: Size

    @classmethod
    def of(cls, training: ImageDirectory, validation: ImageDirectory, recipe: Recipe) -> InputSpec:
        """That of two data sets; raises where their sizes differ or do not suit the model.

        Validation images go through what is attached to them, else to the training images.
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
        """The operations of training images before any that is random."""
        return split_prefix(self.operations)[0]

    @property
    def random_operations(self) -> Operations:
        """What of training images is done anew each time, from the first random operation on."""
        return split_prefix(self.operations)[1]

    def facts(
        self, training: ImageDirectory, validation: ImageDirectory, normalisation: Normalisation
    ) -> tuple[list[Any], list[Any]]:
        """What decides the pixels that a network gets of either data set, as JSON."""
        seen = ((training, self.operations), (validation, self.inference_operations))
        first, second = (
            [dataset_fingerprint(dataset), [*map(dict, operations)], normalisation.to_json()]
            for dataset, operations in seen
        )
        return first, second
