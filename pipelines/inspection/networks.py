"""Structure of an untrained model: its input images and parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from modules.artifacts import ImageDirectory, RecipeData, UntrainedModel
from modules.errors import ModuleError
from modules.image_loading.final_size import final_size
from modules.json_model import JsonModel
from modules.models.recipe import OWN
from modules.transforms.operations import FOR_INFERENCE, select
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.client import Inspector
from pipelines.inspection.images import opened
from pipelines.inspection.models import trained_facts
from pipelines.inspection.questions import LAYERS
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.sentences import places

if TYPE_CHECKING:
    from modules.explain.layers import Layer

TRAINING, VALIDATION = "training_dataset", "validation_dataset"
MOST_PARTS = 24
"""Number of blocks that fit a chart."""


@dataclass(frozen=True)
class NetworkInput:
    """Input images of a network; height and width in pixels."""

    num_classes: int
    height: int
    width: int


USUAL_INPUT = NetworkInput(10, 224, 224)
"""Input of a model that is not connected in its run."""


class NetworkPart(JsonModel):
    """Adjacent layers under one name."""

    name: str
    num_parameters: int
    flops: float = Field(description="FLOPs per image.")


class NetworkSketch(JsonModel):
    """Untrained model, built for the images of its training."""

    architecture: str
    num_classes: int
    height: int = Field(description="Image height in pixels.")
    width: int
    num_parameters: int
    num_trainable: int
    flops_per_image: float
    parts: list[NetworkPart]


def input_of(outputs: RunOutputs, node: str) -> NetworkInput:
    """Return the images of the training connected to an untrained model."""
    for reader in outputs.readers(node):
        network_input = _of_training(outputs, reader)
        if network_input is not None:
            return network_input
    return USUAL_INPUT


def untrained_model(outputs: RunOutputs, node: str) -> RunOutput | None:
    """Return the untrained model of a node; None if it has none."""
    return next((output for output in outputs.of(node) if output.type == "UntrainedModel"), None)


def network_sketch(outputs: RunOutputs, node: str, inspector: Inspector) -> NetworkSketch | None:
    """Return the structure of a node's untrained model; None if it has none."""
    output = untrained_model(outputs, node)
    if output is None:
        return None
    recipe, images = recipe_of(output.folder), asdict(input_of(outputs, node))
    facts = inspector.ask(LAYERS, recipe=recipe, **images)
    return NetworkSketch(
        architecture=str(recipe.get("architecture", "")).removeprefix(OWN),
        **images,
        num_parameters=facts["num_parameters"],
        num_trainable=facts["num_trainable"],
        flops_per_image=facts["flops_per_image"],
        parts=parts_of(facts["layers"]),
    )


def recipe_of(folder: Path) -> RecipeData:
    """Return how the network is built.

    Raises ``UnreadableArtifactError`` if that cannot be read.
    """
    try:
        return dict(UntrainedModel(folder).recipe)
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableArtifactError(places.DESCRIPTION_UNREADABLE) from error


def parts_of(layers: Sequence[Layer]) -> list[NetworkPart]:
    """Return the layers by block: the first two parts of their names, or only the first."""
    blocks = [tuple(layer["name"].split(".")) for layer in layers]
    depth = 2 if len({block[:2] for block in blocks}) <= MOST_PARTS else 1
    parts: dict[str, NetworkPart] = {}
    for layer, block in zip(layers, blocks, strict=True):
        name = ".".join(block[:depth])
        part = parts.get(name, NetworkPart(name=name, num_parameters=0, flops=0.0))
        parts[name] = NetworkPart(
            name=name,
            num_parameters=part.num_parameters + layer["num_parameters"],
            flops=part.flops + layer["flops"],
        )
    return list(parts.values())


def _of_training(outputs: RunOutputs, node: str) -> NetworkInput | None:
    """Return the input from the trained model, or from the images of the connected training."""
    for output in outputs.of(node):
        if output.type == "TrainedModel":
            facts = trained_facts(output.folder)
            if facts.input_size is not None:
                return NetworkInput(len(facts.classes), *facts.input_size)
    inputs = outputs.inputs(node)
    training, validation = (
        opened(inputs[port].folder) if port in inputs else None for port in (TRAINING, VALIDATION)
    )
    return None if training is None else _of_images(training, validation or training)


def _of_images(training: ImageDirectory, validation: ImageDirectory) -> NetworkInput | None:
    attached = validation.transformation or training.transformation
    operations = select(attached.operations, FOR_INFERENCE) if attached else ()
    try:
        height, width = final_size(validation, operations, VALIDATION)
    except ModuleError:  # of several sizes: the training records the choice
        return None
    return NetworkInput(len(training.classes), height, width)
