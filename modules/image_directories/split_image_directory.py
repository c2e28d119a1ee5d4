"""Module Split Image Directory: divide images into two sets, each class in the same proportion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from modules.artifacts import ImageDirectory
from modules.augmentation import Augmentation
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError, NotInRangeValueError
from modules.forecast import ArtifactForecast, StepForecast
from modules.image_directories.stratified_split import StratifiedSplit, choose_first
from modules.parameters import Parameters
from modules.sentences import image_directories as say
from modules.spec import ParameterFinding, PortDoc, Share

if TYPE_CHECKING:
    import pandas as pd

ROUNDING_ERROR = 1e-6
"""Tolerance in images: 0.29 of 100 are 29, although their product is slightly less."""
_FRACTION = "fraction_of_images_in_the_first_output"


class SplitParameters(Parameters):
    fraction_of_images_in_the_first_output: float = Field(
        0.9,
        gt=0,
        lt=1,
        description="Fraction of the images in output 1, rounded down to whole images. The others "
        "go to output 2.",
    )
    random_seed: int = Field(
        42,
        ge=0,
        le=2**32 - 1,
        description="The same seed divides the same images in the same way.",
    )
    stratified: bool = Field(
        True,
        description="Divide each class in the same proportion. Classes that are too small are "
        "divided together, with a warning.",
    )
    keep_duplicates_together: bool = Field(
        True,
        description="Keep images with the same bytes in one output. Otherwise a model would be "
        "validated on training images.",
    )


class SplitOutputs(NamedTuple):
    output_image_directory1: Annotated[
        ImageDirectory,
        PortDoc(
            "The fraction of the images, usually for training.",
            "Output image directory1",
            "first part",
            Share(_FRACTION),
        ),
    ]
    output_image_directory2: Annotated[
        ImageDirectory,
        PortDoc(
            "The other images, usually for validation.",
            "Output image directory2",
            "second part",
            Share(_FRACTION, is_rest=True),
        ),
    ]


def _forecast(
    inputs: Mapping[str, ArtifactForecast], parameters: SplitParameters, _context: Context
) -> StepForecast:
    """Return the numbers of images in both outputs, and whether one stays empty."""
    images = inputs.get("input_image_directory", ArtifactForecast())
    total, first, rest, findings = images.num_images, None, None, []
    if total is not None:
        first = num_in_first(total, parameters)
        rest = total - first
        if total >= 2 and 0 in (first, rest):
            fault = _one_side_empty(total, parameters)
            findings.append(ParameterFinding.from_error(fault))
    outputs = {
        "output_image_directory1": replace(images, num_images=first, num_bytes=None),
        "output_image_directory2": replace(images, num_images=rest, num_bytes=None),
    }
    return StepForecast(outputs, images_processed=total, findings=tuple(findings))


def num_in_first(num_images: int, parameters: SplitParameters) -> int:
    """Return the number of images in the first output, rounded down."""
    share = num_images * parameters.fraction_of_images_in_the_first_output
    return int(share + ROUNDING_ERROR)


def _one_side_empty(num_images: int, parameters: SplitParameters) -> NotInRangeValueError:
    fraction = parameters.fraction_of_images_in_the_first_output
    least = math.ceil(10_000 / num_images) / 10_000
    return NotInRangeValueError(
        say.ONE_SIDE_EMPTY,
        fraction=fraction,
        images=num_images,
        least=least,
        parameter=_FRACTION,
    )


@module(
    title="Split Image Directory",
    category="Computer Vision/Image Data Transformation",
    summary="Split images into two sets, such as training and test.",
    icon="split",
    keywords=("train", "validation", "test", "holdout", "stratified", "duplicates"),
    results_version=2,
    libraries=("pandas",),
    forecast=_forecast,
    augmentation=Augmentation(
        kept={
            "output_image_directory1": "input_image_directory",
            "output_image_directory2": "input_image_directory",
        }
    ),
)
def split_image_directory(
    input_image_directory: Annotated[ImageDirectory, PortDoc("The images to divide.")],
    parameters: SplitParameters,
    context: Context,
) -> SplitOutputs:
    """Divide images into two sets; no pixels are copied.

    The first output gets its fraction of all images, rounded down. Stratified: each class gets its
    share, by largest remainder, so that the total is exact. Duplicates (same bytes) stay together,
    which can change the numbers by a few images. Both outputs have the same list of classes.
    """
    input_image_directory.check()
    images = input_image_directory.images
    choice = _choose(images, parameters)
    if choice.small_classes:
        context.warn(say.TOO_FEW_TO_STRATIFY, classes=choice.small_classes)
    first, rest = (
        input_image_directory.derive(context.new_folder(), images[side].reset_index(drop=True))
        for side in (choice.in_first, ~choice.in_first)
    )
    num_first = int(choice.in_first.sum())
    context.summary(say.DIVIDED, first=num_first, second=len(images) - num_first)
    return SplitOutputs(first, rest)


def _choose(images: pd.DataFrame, parameters: SplitParameters) -> StratifiedSplit:
    """Return the images of the first output; raise if an output would be empty."""
    total = len(images)
    if total < 2:
        raise InvalidDatasetError(say.TOO_FEW_TO_SPLIT, images=total, port="input_image_directory")
    target = num_in_first(total, parameters)
    if target in (0, total):
        raise _one_side_empty(total, parameters)
    choice = choose_first(
        labels=images["label"] if parameters.stratified else None,
        groups=images["sha256"] if parameters.keep_duplicates_together else None,
        num_images=total,
        fraction=parameters.fraction_of_images_in_the_first_output,
        num_first=target,
        seed=parameters.random_seed,
    )
    if choice.in_first.all() or not choice.in_first.any():
        raise InvalidDatasetError(say.ALL_DUPLICATES, parameter="keep_duplicates_together")
    return choice
