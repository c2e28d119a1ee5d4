"""Parameters of every model module: starting weights and frozen layers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from modules.artifacts import UntrainedModel
from modules.context import Context
from modules.errors import (
    FailedToDownloadFilesError,
    InvalidModelDirectoryError,
    SourceNotAllowedError,
)
from modules.files.allowed_roots import require_allowed
from modules.files.database_files import is_held
from modules.forecast import ArtifactForecast, StepForecast
from modules.models.build import check_weights_file
from modules.models.included_weights import INCLUDED, check_included
from modules.models.origin import WeightsOrigin, contents_of
from modules.models.recipe import Recipe
from modules.models.sample_weights import PREFIX, SAMPLE_WEIGHTS, is_sample, located
from modules.models.weights import check_form
from modules.parameters import (
    AddedLater,
    Group,
    LocalPath,
    Parameters,
    ShownWhen,
    Suggestions,
)
from modules.sentences import all_families
from modules.sentences import models as say
from modules.spec import ParameterFinding

WEIGHTS = Group("Weights")


class StartingPoint(Parameters):
    """Parameters of a model module that do not depend on the family."""

    pretrained: Annotated[bool, WEIGHTS] = Field(
        True,
        description="Start from ImageNet weights. Those of efficientnet_lite0 are included, those "
        "of efficientnet_lite1 and 2 are in the extra weights; others are downloaded once. Turn "
        "off to start from random weights.",
    )
    weights_path: Annotated[
        str | None,
        LocalPath(apart_from=(PREFIX,)),
        Suggestions(lambda: SAMPLE_WEIGHTS),
        WEIGHTS,
    ] = Field(
        None,
        min_length=1,
        max_length=4096,
        title="Weights file",
        description="A file on the server to start from instead: safetensors, or a PyTorch state "
        "dict. Weights of a model trained here include its normalisation; others are assumed to "
        "use that of the published weights. A head for other classes is not used; a head for the "
        "same classes in another order is rearranged. sample:shapes is included with the "
        "designer, for shufflenet_v2_x0_5 of Image Model, trained on drawn shapes.",
    )
    weights_set: Annotated[str, WEIGHTS, AddedLater()] = Field(
        "",
        max_length=200,
        title="Set of weights",
        description="The set to use, such as model_ema, if a weights file has several sets of "
        "weights. If empty, state_dict or model is used.",
    )
    freeze: Annotated[Literal["none", "all but the head", "first stages"], WEIGHTS] = Field(
        "none",
        description="Layers that keep their starting weights. all but the head trains fastest and "
        "needs the fewest images.",
    )
    frozen_stages: Annotated[int, WEIGHTS, ShownWhen("freeze", ("first stages",))] = Field(
        1,
        gt=0,
        le=64,
        description="Number of frozen stages, counted from the input. ResNet and DenseNet have 4.",
    )


def check_starting_point(parameters: StartingPoint) -> Iterable[ParameterFinding]:
    """Check for conflicting parameters, in any family of networks."""
    has_weights = parameters.pretrained or parameters.weights_path is not None
    if parameters.freeze != "none" and not has_weights:
        yield ParameterFinding.of("freeze", say.FROZEN_RANDOM_WEIGHTS)


def check_stages(family: str, stages: int, parameters: StartingPoint) -> Iterable[ParameterFinding]:
    """Check the same for a family whose networks all have this number of stages."""
    yield from check_starting_point(parameters)
    if parameters.freeze == "first stages" and parameters.frozen_stages > stages:
        yield ParameterFinding.of(
            "frozen_stages",
            say.TOO_FEW_STAGES,
            severity="error",
            network=family,
            stages=stages,
            frozen=parameters.frozen_stages,
        )


def weights_file(parameters: StartingPoint, context: Context) -> Path | None:
    """Return the resolved path of the local weights file; None if there is none.

    Raises ``SourceNotAllowedError`` (3102) if it is outside the folders this server may read, and
    ``InvalidModelDirectoryError`` (0159) if it does not exist.
    """
    if parameters.weights_path is None:
        return None
    path = located(parameters.weights_path).resolve()
    roots = None if is_sample(parameters.weights_path) else context.allowed_roots
    name = say.THE_WEIGHTS_FILE.about({"file": path})
    require_allowed(path, roots, name=name, parameter="weights_path")
    if not path.is_file():
        raise InvalidModelDirectoryError(say.WEIGHTS_NOT_THERE, file=path, parameter="weights_path")
    if is_held(path):
        raise InvalidModelDirectoryError(
            say.WEIGHTS_ARE_DATABASE, file=path, parameter="weights_path"
        )
    return path


def fingerprint_of(parameters: StartingPoint, context: Context) -> str:
    """Return the hash of the local weights file and of its metadata; empty without one."""
    path = weights_file(parameters, context)
    return "" if path is None else contents_of(path)


def recipe_for(
    family: str, architecture: str, parameters: StartingPoint, arguments: Mapping[str, bool]
) -> Recipe:
    """Return the recipe that a model module outputs."""
    is_partly_frozen = parameters.freeze == "first stages"
    return Recipe(
        family=family,
        architecture=architecture,
        arguments=dict(arguments),
        pretrained=parameters.pretrained,
        weights_path=parameters.weights_path,
        weights_set=parameters.weights_set,
        freeze=parameters.freeze,
        frozen_stages=parameters.frozen_stages if is_partly_frozen else 0,
    )


def write_recipe(recipe: Recipe, parameters: StartingPoint, context: Context) -> UntrainedModel:
    """Write the output of a model module; raises like ``weights_file``.

    0162 if included weights are missing. 0159 also if the weights file is damaged or another
    network's. This loads torch, which takes seconds, but reports the error earlier than Train
    would.
    """
    path = weights_file(parameters, context)
    if path is not None:
        check_weights_file(recipe, path, context.warn)
    elif recipe.pretrained and recipe.architecture in INCLUDED:
        check_included(recipe.architecture)
    context.summary(all_families.SUMMARY, parts=_summary_of(recipe))
    return UntrainedModel.write(context.new_folder(), recipe.to_json())


def recipe_forecast(recipe: Recipe, parameters: StartingPoint, context: Context) -> StepForecast:
    """Return the forecast of a model module: its recipe; sizes are left to Train PyTorch Model."""
    is_loaded = recipe.pretrained and recipe.architecture not in INCLUDED
    return StepForecast(
        outputs={"untrained_model": ArtifactForecast(recipe=recipe.to_json())},
        # no images, so that its time is that of any start; a download may take longer
        images_processed=None if is_loaded else 0,
        findings=tuple(_weights_findings(recipe, parameters, context)),
    )


def _weights_findings(
    recipe: Recipe, parameters: StartingPoint, context: Context
) -> Iterable[ParameterFinding]:
    """Return the findings about the starting weights that need no torch."""
    try:
        path = weights_file(parameters, context)
        if path is not None:
            check_form(path)
            WeightsOrigin.of(path)
        elif recipe.pretrained and recipe.architecture in INCLUDED:
            check_included(recipe.architecture)
    except FailedToDownloadFilesError as error:
        yield ParameterFinding.from_error(error, "pretrained")
    except (InvalidModelDirectoryError, SourceNotAllowedError) as error:
        yield ParameterFinding.from_error(error, "weights_path")


def _summary_of(recipe: Recipe) -> list[object]:
    """Yield the parts of the node's footer line."""
    start = (say.IMAGENET_WEIGHTS if recipe.pretrained else say.RANDOM_WEIGHTS).about({})
    if recipe.weights_path is not None:
        start = say.WEIGHTS_FROM_FILE.about({})
        if is_sample(recipe.weights_path):
            start = say.SAMPLE_WEIGHTS.about({"name": recipe.weights_path})
    if recipe.freeze == "none":
        return [recipe.architecture, start]
    return [recipe.architecture, start, say.FROZEN.about({"what": recipe.freeze})]
