"""Shared parts of the modules that choose a network: output, recipe, check and forecast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple, get_args

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
from modules.models.weights_source import weights_sources
from modules.parameters import Suggestions, metadata
from modules.sentences import models as say
from modules.spec import ParameterFinding, PortDoc


class NetworkOutputs(NamedTuple):
    untrained_model: Annotated[
        UntrainedModel, PortDoc("The recipe of the network, for Train PyTorch Model.")
    ]


def _model_names(parameters_type: type[StartingPoint]) -> tuple[str, ...]:
    """Return the values of ``model_name`` that a module offers."""
    info = parameters_type.model_fields["model_name"]
    listed = [name for suggestions in metadata(info, Suggestions) for name in suggestions.values()]
    return tuple(listed) or get_args(info.annotation)


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
        """Return the forecast of the module: the recipe, findings, and sources of weights."""
        recipe = self.recipe(parameters)
        forecast = recipe_forecast(recipe, parameters, context)
        if not parameters.pretrained or parameters.weights_path is not None:
            return forecast
        sources = weights_sources(_model_names(type(parameters)), context.weights_dir)
        choices = {"model_name": {name: source.message for name, source in sources.items()}}
        source = sources.get(recipe.architecture)
        notes = (say.PRETRAINED_WEIGHTS.about({"source": source}),) if source else ()
        return replace(forecast, choices=choices, notes=notes)

    def write(self, parameters: StartingPoint, context: Context) -> NetworkOutputs:
        """Write the output of the module; raises like ``write_recipe``."""
        return NetworkOutputs(write_recipe(self.recipe(parameters), parameters, context))
