"""Module Apply Image Transformation: attach operations to images without changing pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import AttachedTransformation, ImageDirectory, ImageTransformation
from modules.augmentation import Attaching, Augmentation
from modules.context import Context
from modules.declare import module
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import Parameters
from modules.sentences import image_loading
from modules.sentences import transforms as say
from modules.spec import ParameterFinding, PortDoc
from modules.transforms.operations import (
    FOR_TRAINING,
    Operation,
    common_output_size,
    is_unbounded,
    output_size,
    select,
    split_prefix,
)


class ApplyImageTransformationParameters(Parameters):
    mode: Literal["For training", "For inference"] = Field(
        "For inference",
        description="For training draws new random operations in each epoch. For inference skips "
        "all random operations, including color jitter. Use it for validation, test and scoring.",
    )


class ApplyImageTransformationOutputs(NamedTuple):
    output_image_directory: Annotated[
        ImageDirectory, PortDoc("The same images with the transformation attached.")
    ]


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: ApplyImageTransformationParameters,
    context: Context,  # noqa: ARG001 - every forecast is given the same three
) -> StepForecast:
    images = inputs.get("input_image_directory", ArtifactForecast())
    foreseen_operations = inputs.get(
        "input_image_transformation", ArtifactForecast()
    ).transformation
    if foreseen_operations is None:
        output = replace(images, transformation=None, image_height=None, image_width=None)
    else:
        operations = select(foreseen_operations, parameters.mode)
        height, width = _foreseen_size(images, operations)
        output = replace(images, transformation=operations, image_height=height, image_width=width)
    return StepForecast(
        outputs={"output_image_directory": output},
        images_processed=images.num_images,
        findings=tuple(_strips(images, output.transformation or ())),
    )


def _strips(
    images: ArtifactForecast, operations: Sequence[Operation]
) -> Iterator[ParameterFinding]:
    """Report an image that the deterministic prefix makes huge, which the next step refuses."""
    prefix, _ = split_prefix(operations)
    for image in images.largest_images or ():
        height, width = image["height"], image["width"]
        if is_unbounded(prefix, height, width):
            facts = {"image": image["path"], "width": width, "height": height}
            yield ParameterFinding.of("", image_loading.STRIP_TOO_LONG, **facts)
            return


def _foreseen_size(
    images: ArtifactForecast, operations: Sequence[Operation]
) -> tuple[int | None, int | None]:
    # The estimated sizes are those after the transformation that is replaced.
    is_original = images.transformation is None
    if is_original and images.image_height is not None and images.image_width is not None:
        return output_size(operations, images.image_height, images.image_width)
    return common_output_size(operations) or (None, None)


@module(
    title="Apply Image Transformation",
    category="Computer Vision/Image Data Transformation",
    summary="Attach a transformation to images.",
    icon="wand-sparkles",
    keywords=("augmentation", "resize", "crop", "preprocess"),
    libraries=("pandas",),
    forecast=_forecast,
    augmentation=Augmentation(
        attaching=Attaching("input_image_transformation", "mode", keeping=FOR_TRAINING)
    ),
)
def apply_image_transformation(
    input_image_transformation: Annotated[
        ImageTransformation, PortDoc("From Init Image Transformation.")
    ],
    input_image_directory: Annotated[ImageDirectory, PortDoc("The images to transform.")],
    parameters: ApplyImageTransformationParameters,
    context: Context,
) -> ApplyImageTransformationOutputs:
    """Transform images when they are read; no image is copied.

    In mode For training, each epoch draws new random operations. A transformation that is already
    attached is replaced with a warning: transformations are not combined.
    """
    input_image_transformation.check()
    input_image_directory.check()
    operations = input_image_transformation.operations
    selected = select(operations, parameters.mode)
    if input_image_directory.transformation is not None:
        context.warn(say.REPLACED)
    output = input_image_directory.derive(
        context.new_folder(), transformation=AttachedTransformation(operations, parameters.mode)
    )
    num_images = len(input_image_directory.images)
    mode = parameters.mode.lower()
    context.summary(say.ATTACHED, images=num_images, operations=len(selected), mode=mode)
    return ApplyImageTransformationOutputs(output)
