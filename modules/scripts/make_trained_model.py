"""Module Make Trained Model: turn weights written by a script into a model that can score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError, InvalidModelDirectoryError
from modules.forecast import ArtifactForecast, StepForecast
from modules.foreign_model import ForeignModel
from modules.models.recipe import Recipe, recipe_of
from modules.scripts.image_folders import classes_in_folder_order, classes_with_images
from modules.scripts.pixel_statistics import PixelStatistics, check_statistics, normalisation_of
from modules.sentences import own_python as say
from modules.spec import ParameterFinding, PortDoc
from modules.training.training_images import write_training_images

if TYPE_CHECKING:
    from torch import nn

    from modules.image_loading.sizes import Size
    from modules.transforms.operations import Operations


class MakeTrainedModelParameters(PixelStatistics):
    state_dict: str | None = Field(
        None,
        min_length=1,
        max_length=1000,
        description="File of the model with its tensors by name: saved with torch.save from "
        "model.state_dict() or the model itself, or a safetensors file. If empty, the script's "
        "own model file is used. The code of a whole model is never run.",
    )


class MakeTrainedModelOutputs(NamedTuple):
    trained_model: Annotated[
        TrainedModel, PortDoc("For Score Image Model, the registry and exports, like any other.")
    ]


def _check(parameters: MakeTrainedModelParameters) -> Iterable[ParameterFinding]:
    return check_statistics(parameters)


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: MakeTrainedModelParameters,  # noqa: ARG001 - every forecast is given the same three
    context: Context,  # noqa: ARG001
) -> StepForecast:
    images = inputs.get("images", ArtifactForecast())
    recipe = inputs.get("untrained_model", ArtifactForecast()).recipe
    seen = replace(images, num_images=None, num_bytes=None, labeled=None, recipe=recipe)
    return StepForecast({"trained_model": seen})


@module(
    title="Make Trained Model",
    category="Python",
    summary="Turn the weights of a script into a model that can score.",
    icon="package-check",
    results_version=2,
    keywords=("state dict", "checkpoint", "weights", "convert", "script", "own model", "bridge"),
    libraries=("torch", "torchvision"),
    bridges=("model",),
    check=_check,
    forecast=_forecast,
)
def make_trained_model(
    untrained_model: Annotated[UntrainedModel, PortDoc("The network that the script trained.")],
    model: Annotated[ForeignModel, PortDoc("From Run Training Script or Execute Python Script.")],
    images: Annotated[
        ImageDirectory,
        PortDoc(
            "The images that the script was trained on: their class order and transformation "
            "are used."
        ),
    ],
    parameters: MakeTrainedModelParameters,
    context: Context,
) -> MakeTrainedModelOutputs:
    """Load the script's tensors into their network, and add everything that scoring needs.

    Prefixes of distributed training, compiling, averaging and Lightning (`module.`, `_orig_mod.`,
    `model.`, `net.`, `backbone.`, `encoder.`, `network.`) are removed in any order. The tensors may
    be in a checkpoint under `state_dict`, `model` or `model_state_dict`. The outputs of the network
    are the classes of `images` in the order in which the script read them. For Run Training Script
    that is the order of folder names, as sorted by torchvision's `ImageFolder`; for Execute Python
    Script that of `images1.classes`. The transformation attached to `images`, without its random
    operations, is stored in the model. No code in a file is ever run.
    """
    from modules.models.state_dict import network_with, state_dict_of

    recipe = recipe_of(untrained_model)
    model.check()
    operations, size = _seen(images, recipe)
    path, stored = state_dict_of(model, parameters.state_dict)
    build = partial(network_with, recipe, stored, file=path.name, warn=context.warn)
    classes, network = _built(build, images, in_folders=model.class_order == "folders")
    facts = {
        "recipe": recipe.to_json(),
        "classes": list(classes),
        "normalisation": asdict(normalisation_of(parameters, images, operations, context)),
        "inference_transformation": [dict(operation) for operation in operations],
        "input_size": {"height": size[0], "width": size[1]},
        "precision": "fp32",
        "made_from": {"file": path.name, "framework": model.framework},
        "pipeline": context.document,
    }
    made = _saved(network, facts, images, context)
    write_training_images(made.path, images)
    num_parameters = sum(parameter.numel() for parameter in network.parameters())
    shown: dict[str, Any] = {"width": size[1], "height": size[0], "parameters": num_parameters}
    context.summary(say.MADE, classes=len(classes), **shown)
    return MakeTrainedModelOutputs(made)


def _built(
    build: Callable[[Sequence[str]], nn.Module], images: ImageDirectory, *, in_folders: bool
) -> tuple[Sequence[str], nn.Module]:
    """Return the classes of the outputs, and the network with one output for each.

    A script that reads folders has only seen classes with images, unless other inputs have more.
    """
    if not in_folders:
        return images.classes, build(images.classes)
    classes = classes_in_folder_order(images)
    there = classes_with_images(images)
    met = [name for name in classes if name in there]
    try:
        return classes, build(classes)
    except InvalidModelDirectoryError as error:
        if error.reason != say.OTHER_HEAD.key or len(met) == len(classes):
            raise
        return met, build(met)


def _seen(images: ImageDirectory, recipe: Recipe) -> tuple[Operations, Size]:
    """Return the preparation of images and their size; raise if they do not suit the model."""
    from modules.image_loading.final_size import final_size
    from modules.training.input_checks import check_size
    from modules.transforms.operations import FOR_INFERENCE, select

    images.check()
    if not images.classes or not len(images.images):
        raise InvalidDatasetError(say.NO_CLASSES, port="images")
    attached = images.transformation.operations if images.transformation else ()
    operations = select(attached, FOR_INFERENCE)
    size = final_size(images, operations, "images", attached)
    check_size(recipe, size, "images")
    return operations, size


def _saved(
    network: nn.Module, facts: Mapping[str, Any], images: ImageDirectory, context: Context
) -> TrainedModel:
    """Write the artifact; the training was not observed, so its history is empty."""
    import pandas as pd

    from modules.models.serialization import save_trained
    from modules.training.fingerprints import dataset_fingerprint

    described = {**facts, "dataset_fingerprint": dataset_fingerprint(images)}
    return save_trained(context.new_folder(), network, described, pd.DataFrame())
