"""Image directories as the modules make them, ready to be trained on or scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from modules.artifacts import AnyDirectory, ImageDirectory, ImageTransformation
from modules.context import Context
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.transforms.apply_image_transformation import (
    ApplyImageTransformationParameters,
    apply_image_transformation,
)

Operations = Sequence[Mapping[str, Any]]
Mode = Literal["For training", "For inference"]


def image_directory(
    pictures: Path, store: Path, operations: Operations = (), mode: Mode = "For training"
) -> ImageDirectory:
    """The pictures of a folder with the operations attached; its artifacts lie in ``store``."""
    given = Context(store / "given")
    dataset = AnyDirectory.write(given.new_folder(), pictures)
    [converted, *_] = convert_to_image_directory(
        dataset, ConvertParameters(), Context(store / "converted")
    )
    if not operations:
        return ImageDirectory(converted.path)
    transformation = ImageTransformation.write(given.new_folder(), operations)
    parameters = ApplyImageTransformationParameters(mode=mode)
    [applied] = apply_image_transformation(
        transformation, converted, parameters, Context(store / "applied")
    )
    return ImageDirectory(applied.path)
