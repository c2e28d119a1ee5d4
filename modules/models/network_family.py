"""Shared parts of the modules that choose a network: output, recipe, check and forecast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from modules.artifacts import UntrainedModel
from modules.context import Context
from modules.forecast import ArtifactForecast, StepForecast
from modules.models.initial_weights import (
    StartingPoint,
    check_stages,
    check_starting_point,
    recipe_for,
    recipe_forecast,
    write_recipe,
)
from modules.models.recipe import Recipe
from modules.spec import ParameterFinding, PortDoc


class NetworkOutputs(NamedTuple):
    untrained_model: Annotated[
        UntrainedModel, PortDoc("The recipe of the network, for Train PyTorch Model.")
    ]


@dataclass(frozen=True)
class NetworkFamily:
    """Family of networks behind one module, whose parameters include ``model_name``."""

    title: str
    arguments: tuple[str, ...] = ()
    """Names of the parameters that are arguments of torchvision's builder."""
    stages: int | None = None
    """Number of stages if all networks of the family have the same."""

    def recipe(self, parameters: StartingPoint) -> Recipe:
        """Return the recipe for the chosen network."""
        chosen = parameters.model_dump(include={"model_name", *self.arguments})
        name = chosen.pop("model_name")
        return recipe_for(self.title, name, parameters, chosen)

    def check(self, parameters: StartingPoint) -> Iterable[ParameterFinding]:
        """Return the findings that need no data."""
        if self.stages is None:
            return check_starting_point(parameters)
        return check_stages(self.title, self.stages, parameters)

    def forecast(
        self,
        inputs: Mapping[str, ArtifactForecast],  # noqa: ARG002 - the signature of every forecast
        parameters: StartingPoint,
        context: Context,
    ) -> StepForecast:
        """Return the forecast of the module: the recipe and findings about a weights file."""
        return recipe_forecast(self.recipe(parameters), parameters, context)

    def write(self, parameters: StartingPoint, context: Context) -> NetworkOutputs:
        """Write the output of the module; raises like ``write_recipe``."""
        return NetworkOutputs(write_recipe(self.recipe(parameters), parameters, context))
