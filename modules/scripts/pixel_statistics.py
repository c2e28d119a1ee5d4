"""Normalisation of pixels in a script."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.errors import NotInRangeValueError
from modules.parameters import Parameters, ShownWhen
from modules.sentences import own_python as say
from modules.sentences.sentence import Facts
from modules.spec import ParameterFinding

if TYPE_CHECKING:
    from modules.image_loading.normalisation import Normalisation
    from modules.transforms.operations import Operations

NUM_CHANNELS = 3
OWN = ShownWhen("normalisation", ("own numbers",))


class PixelStatistics(Parameters):
    """Numbers that are subtracted from pixels between 0 and 1, and that they are divided by."""

    normalisation: Literal["ImageNet", "none", "of the images", "own numbers"] = Field(
        "ImageNet",
        description="Normalisation used by the script on pixels between 0 and 1 (the output of "
        "ToTensor): Normalize with ImageNet's mean and deviation, none, Normalize with the mean "
        "and deviation of these images, or with your own numbers. If it differs from the "
        "script's, the model scores worse.",
    )
    mean: Annotated[str, OWN] = Field(
        "0.5, 0.5, 0.5", max_length=200, description="Mean of red, green and blue, between 0 and 1."
    )
    standard_deviation: Annotated[str, OWN] = Field(
        "0.5, 0.5, 0.5",
        max_length=200,
        description="Standard deviation of red, green and blue, above 0.",
    )


def check_statistics(parameters: PixelStatistics) -> Iterable[ParameterFinding]:
    """Check the numbers, if they are used."""
    if parameters.normalisation != "own numbers":
        return
    for name in ("mean", "standard_deviation"):
        try:
            _channels(name, getattr(parameters, name))
        except NotInRangeValueError as error:
            yield ParameterFinding.from_error(error)


def normalisation_of(
    parameters: PixelStatistics, images: ImageDirectory, operations: Operations, context: Context
) -> Normalisation:
    """Return the selected numbers; those of the images are measured after their operations."""
    from modules.image_loading.normalisation import Normalisation
    from modules.models.build import IMAGENET_MEAN, IMAGENET_STD

    if parameters.normalisation == "of the images":
        return _measured(images, operations, context)
    if parameters.normalisation == "own numbers":
        deviation = _channels("standard_deviation", parameters.standard_deviation)
        return Normalisation(_channels("mean", parameters.mean), deviation)
    if parameters.normalisation == "none":
        return Normalisation((0.0,) * NUM_CHANNELS, (1.0,) * NUM_CHANNELS)
    return Normalisation(IMAGENET_MEAN, IMAGENET_STD)


def _measured(images: ImageDirectory, operations: Operations, context: Context) -> Normalisation:
    from modules.compute.distributed import process_group
    from modules.image_loading.datasets import open_images
    from modules.image_loading.normalisation import from_sums, measure

    with (
        process_group(context) as group,
        closing(open_images(images, operations, context, group)) as opened,
    ):
        return from_sums(measure(opened))


def _channels(name: str, text: str) -> tuple[float, ...]:
    """Return three finite numbers; raise 0008, also for a deviation that is not above 0."""
    facts: Facts = {"name": name.replace("_", " ").capitalize(), "text": text[:80]}
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != NUM_CHANNELS or not all(abs(number) < float("inf") for number in numbers):
        raise NotInRangeValueError(say.NO_CHANNELS, parameter=name, **facts)
    if name == "standard_deviation" and min(numbers) <= 0:
        raise NotInRangeValueError(say.NO_DEVIATION, parameter=name, text=facts["text"])
    return numbers
