"""Preparation of images inside an exported model: the steps of scoring, for images of any size.

Shape letters: H height, W width.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modules.artifacts import TrainedModel
from modules.errors import InvalidModelDirectoryError, ModelNotExportedError
from modules.image_loading.normalisation import Normalisation
from modules.image_loading.sizes import Size
from modules.sentences import all_families
from modules.sentences import export as say
from modules.transforms.operations import (
    FOR_INFERENCE,
    Operation,
    common_output_size,
    output_size,
    select,
)

STRETCH, CROP = "stretch", "crop_to"
"""Operations added for images whose size is not that of the training: to exactly (H, W)."""
EXPORTED = frozenset({"resize", "center_crop", "pad", "grayscale"})
"""Operations that an exported file can contain."""


@dataclass(frozen=True)
class Preparation:
    """Operations from an image of any size to the input of the network, and its normalisation."""

    operations: tuple[Operation, ...]
    added: tuple[Operation, ...]
    """Operations that scoring does not need, as it rejects images of other sizes."""
    normalisation: Normalisation
    size: Size
    """Height and width of the network's input in pixels."""

    @classmethod
    def of(cls, model: TrainedModel) -> Preparation:
        """Return the preparation of a model.

        Raises ``ModelNotExportedError`` (3105) if an exported file cannot contain it, and 0159 if
        the model does not describe it.
        """
        stored: Any = model.description.get("inference_transformation", [])
        operations = select(stored, FOR_INFERENCE)
        for operation in operations:
            if operation["operation"] not in EXPORTED:
                raise ModelNotExportedError(say.OPERATION, operation=operation["operation"])
        size = input_size(model)
        before, after = _added(operations, size)
        return cls((*before, *operations, *after), before + after, _normalisation(model), size)

    @property
    def in_words(self) -> list[str]:
        """Return one phrase for each step, for the model card."""
        return [_phrase(operation) for operation in self.operations] + [
            "Scale to the mean and deviation of the training"
        ]

    @property
    def has_grayscale(self) -> bool:
        return any(operation["operation"] == "grayscale" for operation in self.operations)


def input_size(model: TrainedModel) -> Size:
    """Return height and width of the network's input; raise 3105 if the model has none."""
    size = model.description.get("input_size")
    height, width = (size.get("height"), size.get("width")) if isinstance(size, Mapping) else (0, 0)
    if isinstance(height, int) and isinstance(width, int) and min(height, width) > 0:
        return height, width
    raise ModelNotExportedError(say.INPUT_SIZE_UNKNOWN)


def _normalisation(model: TrainedModel) -> Normalisation:
    try:
        return Normalisation.from_json(model.description["normalisation"])
    except (KeyError, TypeError) as error:
        raise InvalidModelDirectoryError(all_families.NO_NORMALISATION) from error


def _added(
    operations: tuple[Operation, ...], size: Size
) -> tuple[tuple[Operation, ...], tuple[Operation, ...]]:
    """Return operations to put before and after the model's own, so that any image fits.

    They do not change images that scoring accepts. Without a resize, images are resized to the size
    that the rest expects; behind a resize without a crop, the middle is kept.
    """
    if common_output_size(operations) == size:
        return (), ()
    height, width = size
    if any(operation["operation"] == "resize" for operation in operations):
        return (), ({"operation": CROP, "height": height, "width": width},)
    border = output_size(operations, 1, 1)[0] - 1  # only pads change the size here
    height, width = height - border, width - border
    if height != width:
        return ({"operation": STRETCH, "height": height, "width": width},), ()
    crop = {"operation": CROP, "height": height, "width": width}
    return ({"operation": "resize", "size": height}, crop), ()


def _phrase(operation: Operation) -> str:
    match operation["operation"]:
        case "resize":
            return f"Resize the shorter edge to {operation['size']} pixels (bilinear, antialiased)"
        case "center_crop":
            return f"Crop the central {operation['size']} x {operation['size']} pixels"
        case "pad":
            return f"Add a black frame of {operation['padding']} pixels"
        case "grayscale":
            return "Convert to grey"
        case "stretch":
            return f"Resize to {operation['width']} x {operation['height']} pixels"
    return f"Crop the central {operation['width']} x {operation['height']} pixels"
