"""Image Model: the recipe of any classification network in torchvision's registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

from pydantic import Field

from modules.artifacts import UntrainedModel
from modules.context import Context
from modules.declare import module
from modules.forecast import ArtifactForecast, StepForecast
from modules.models.architectures import IMAGE_MODELS
from modules.models.initial_weights import (
    StartingPoint,
    check_starting_point,
    fingerprint_of,
    recipe_for,
    recipe_forecast,
    write_recipe,
)
from modules.models.recipe import Recipe, closest, unknown_architecture
from modules.parameters import Parameters, Suggestions
from modules.sentences import models as say
from modules.spec import ParameterFinding, PortDoc


class ImageModelChoice(Parameters):
    model_name: Annotated[str, Suggestions(lambda: IMAGE_MODELS)] = Field(
        "mobilenet_v3_small",
        min_length=1,
        max_length=80,
        title="Model name",
        description="A network of torchvision: ConvNeXt, EfficientNet, MobileNet, RegNet, Swin, "
        "ViT and others. Vision Transformers and MaxViT accept only images of 224 x 224 pixels.",
    )


class ImageModelParameters(StartingPoint, ImageModelChoice):
    """Parameters of Image Model; the network comes first, as pydantic lists the last base first."""


class ImageModelOutputs(NamedTuple):
    untrained_model: Annotated[
        UntrainedModel, PortDoc("The recipe of the network, for Train PyTorch Model.")
    ]


def _check(parameters: ImageModelParameters) -> Iterable[ParameterFinding]:
    yield from check_starting_point(parameters)
    if parameters.model_name not in IMAGE_MODELS:
        yield ParameterFinding.of(
            "model_name",
            say.UNKNOWN_MODEL_NAME,
            severity="error",
            name=parameters.model_name,
            near=closest(parameters.model_name),
        )


def _recipe(parameters: ImageModelParameters) -> Recipe:
    return recipe_for("Image Model", parameters.model_name, parameters, {})


def _forecast(
    inputs: Mapping[str, ArtifactForecast],  # noqa: ARG001 - every forecast is given the same three
    parameters: ImageModelParameters,
    context: Context,
) -> StepForecast:
    return recipe_forecast(_recipe(parameters), parameters, context)


@module(
    title="Image Model",
    category="Computer Vision/Image Classification",
    summary="Any other classification network of torchvision.",
    icon="brain-circuit",
    keywords=(
        "convnext",
        "efficientnet",
        "mobilenet",
        "vit",
        "swin",
        "regnet",
        "vgg",
        "neural network",
    ),
    check=_check,
    fingerprint=fingerprint_of,
    forecast=_forecast,
)
def image_model(parameters: ImageModelParameters, context: Context) -> ImageModelOutputs:
    """Create an untrained network of torchvision's registry, chosen by name.

    The classification head is created for the classes of the training images. Train PyTorch Model
    loads the weights; a weights file is already checked here.
    """
    if parameters.model_name not in IMAGE_MODELS:
        raise unknown_architecture(parameters.model_name)
    return ImageModelOutputs(write_recipe(_recipe(parameters), parameters, context))
