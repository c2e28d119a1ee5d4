"""Random operations that were made for a training and never reach it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.parameters import Parameters
from modules.transforms.apply_image_transformation import ApplyImageTransformationParameters
from modules.transforms.init_image_transformation import (
    InitImageTransformationParameters,
    operations_of,
)
from modules.transforms.operations import FOR_TRAINING, RANDOM
from pipelines.documents.document import Endpoint, PipelineDocument
from pipelines.problems import AUGMENTATION_LEFT_OUT, Problem
from pipelines.validation.graph import Graph
from pipelines.validation.parameters import parameters_of

P = TypeVar("P", bound=Parameters)

TRAIN = "train_pytorch_model"
TRAINING, VALIDATION = "training_dataset", "validation_dataset"
TRANSFORMATION = "input_image_transformation"
KEEPING: Mapping[tuple[str, str], str] = {
    ("split_image_directory", "output_image_directory1"): "input_image_directory",
    ("split_image_directory", "output_image_directory2"): "input_image_directory",
    ("align_classes", "output_image_directory1"): "input_image_directory1",
    ("align_classes", "output_image_directory2"): "input_image_directory2",
}
"""Outputs that have the transformation of an input: module and port, to that input."""


def idle_augmentation(document: PipelineDocument, catalog: Catalog) -> Iterator[Problem]:
    """A warning for each Apply that keeps random operations from the images of a training."""
    trainings = [node for node in document.nodes if node.module == TRAIN and not node.disabled]
    graph = Graph(document, catalog)
    told: set[str] = set()
    for training in trainings:
        applying = _applying(graph, training.id, TRAINING)
        if applying is None or applying in told:
            continue
        names = _left_out(graph, applying)
        if names:
            told.add(applying)
            validates = applying == _applying(graph, training.id, VALIDATION)
            module = catalog.get(TRAIN)
            title = training.title or (module.title if module else TRAIN)
            yield _problem(title, applying, names, validates=validates)


def _problem(training: str, applying: str, names: list[str], *, validates: bool) -> Problem:
    also = " That is right for validating on them, too." if validates else ""
    return Problem.of(
        AUGMENTATION_LEFT_OUT,
        f"{training} learns from these images without {', '.join(names)}: "
        "in mode For inference, random operations are left out.",
        f"Set Mode to For training; validation and scoring leave them out in any mode.{also}",
        severity="warning",
        node=applying,
        parameter="mode",
        remedy={"set": {"mode": FOR_TRAINING}},
    )


def _applying(graph: Graph, node: str, port: str) -> str | None:
    """The node that attaches the transformation of what comes in there."""
    seen: set[Endpoint] = set()
    end = graph.inputs(node).get(port)
    while end is not None and end not in seen:
        seen.add(end)
        if _parameters(graph, end.node, ApplyImageTransformationParameters) is not None:
            return end.node
        kept = KEEPING.get((graph.nodes[end.node].module, end.port))
        end = graph.inputs(end.node).get(kept) if kept else None
    return None


def _left_out(graph: Graph, applying: str) -> list[str]:
    """The random operations that this node's mode leaves out, in words."""
    applied = _parameters(graph, applying, ApplyImageTransformationParameters)
    source = graph.inputs(applying).get(TRANSFORMATION)
    if applied is None or applied.mode == FOR_TRAINING or source is None:
        return []
    made = _parameters(graph, source.node, InitImageTransformationParameters)
    operations = operations_of(made) if made else ()
    names = [str(each["operation"]) for each in operations if each["operation"] in RANDOM]
    return [name.replace("_", " ") for name in names]


def _parameters(graph: Graph, node_id: str, wanted: type[P]) -> P | None:
    """A node's parameters if they are of that class and valid."""
    node = graph.nodes[node_id]
    module = graph.catalog.get(node.module)
    if module is None or module.parameters_type is not wanted:
        return None
    try:
        found = parameters_of(node, module, graph.document)
    except ValidationError:  # validate says what is wrong with them
        return None
    return found if isinstance(found, wanted) else None
