"""Preview of Init Image Transformation's settings on an image of a run, before they are run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    operations_of,
)
from pipelines.inspection.client import Inspector
from pipelines.inspection.images import overview
from pipelines.inspection.questions import VARIED
from pipelines.inspection.run_outputs import RunOutput, RunOutputs

NUM_DRAWN = 5
EDGE = 144
STRIDE = 37
"""Step from the image of one seed to that of the next, so that classes change."""


@dataclass(frozen=True)
class VariedImage:
    """Image and its transformed version, random for each seed. JPEG in base64."""

    before: str
    after: tuple[str, ...]


def images_to_transform(outputs: RunOutputs, node: str) -> RunOutput | None:
    """Return the image directory that a node's transformation is attached to, or any of the run."""
    for output in outputs.all:
        attached = outputs.input(output.node, "input_image_transformation")
        if attached is not None and attached.node == node:
            images = outputs.input(output.node, "input_image_directory")
            if images is not None:
                return images
    return next((output for output in outputs.all if output.type == "ImageDirectory"), None)


def varied_image(
    images: RunOutput, inspector: Inspector, parameters: Mapping[str, Any], seed: int
) -> VariedImage:
    """Return the transformed image of a seed.

    The first call waits for a process with torch. Raises ``InspectionError``, and
    ``ValidationError`` for parameters out of range.
    """
    checked = InitImageTransformationParameters.model_validate(parameters)
    answer = inspector.ask(
        VARIED,
        dataset=str(images.folder),
        index=STRIDE * seed % overview(images.folder).num_images,
        operations=[dict(operation) for operation in operations_of(checked)],
        seed=seed,
        count=NUM_DRAWN,
        edge=EDGE,
    )
    return VariedImage(answer["before"], tuple(answer["after"]))
