"""DenseNet: the recipe of a densely connected network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import UntrainedModel
from modules.context import Context
from modules.declare import module
from modules.forecast import ArtifactForecast, StepForecast
from modules.models.initial_weights import (
    StartingPoint,
    check_stages,
    fingerprint_of,
    recipe_for,
    recipe_forecast,
    write_recipe,
)
from modules.models.recipe import Recipe
from modules.parameters import Parameters
from modules.spec import ParameterFinding, PortDoc


class DenseNetChoice(Parameters):
    model_name: Literal[
        "densenet121",
        "densenet161",
        "densenet169",
        "densenet201",
    ] = Field(
        "densenet201",
        title="Model name",
        description="The number counts layers: more are slower and need more memory. Azure's "
        "default is densenet201; on a machine without a GPU a new node starts with densenet121.",
    )
    memory_efficient: bool = Field(
        False,
        title="Memory efficient",
        description="Compute parts twice in training: slower, but with much less memory.",
    )


class DenseNetParameters(StartingPoint, DenseNetChoice):
    """Parameters of DenseNet; the network comes first, as pydantic lists the last base first."""


class DenseNetOutputs(NamedTuple):
    untrained_model: Annotated[
        UntrainedModel, PortDoc("The recipe of the network, for Train PyTorch Model.")
    ]


def _recipe(parameters: DenseNetParameters) -> Recipe:
    arguments = {"memory_efficient": parameters.memory_efficient}
    return recipe_for("DenseNet", parameters.model_name, parameters, arguments)


def _check(parameters: DenseNetParameters) -> Iterable[ParameterFinding]:
    return check_stages("DenseNet", 4, parameters)


def _forecast(
    inputs: Mapping[str, ArtifactForecast],  # noqa: ARG001 - every forecast is given the same three
    parameters: DenseNetParameters,
    context: Context,
) -> StepForecast:
    return recipe_forecast(_recipe(parameters), parameters, context)


@module(
    title="DenseNet",
    category="Computer Vision/Image Classification",
    summary="A densely connected network: few parameters, suited to few images.",
    icon="brain",
    keywords=("classification", "neural network", "huang", "densenet121", "densenet201"),
    check=_check,
    fingerprint=fingerprint_of,
    forecast=_forecast,
    without_gpu={"model_name": "densenet121"},
)
def densenet(parameters: DenseNetParameters, context: Context) -> DenseNetOutputs:
    """Create an untrained DenseNet (Huang et al. 2017, arXiv 1608.06993).

    The classification head is created for the classes of the training images. Train PyTorch Model
    loads the weights; a weights file is already checked here.
    """
    return DenseNetOutputs(write_recipe(_recipe(parameters), parameters, context))
