"""Nodes of a pipeline that decide how a network is trained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from modules.catalog import Catalog
from modules.training.parameters import TrainParameters
from modules.transforms.init_image_transformation import InitImageTransformationParameters
from pipelines.document.checks.graph import Graph
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Node, PipelineDocument

TRAIN = "train_pytorch_model"
NETWORK_PORT, IMAGES_PORT = "untrained_model", "training_dataset"
VALIDATION_PORT, MODEL_PORT = "validation_dataset", "trained_model"
APPLY, TRANSFORMATION = "apply_image_transformation", "init_image_transformation"
KEPT_IMAGES_PORT = "input_image_directory"
TRANSFORMATION_PORT = "input_image_transformation"


@dataclass(frozen=True)
class TrainingParts:
    """A training and the nodes before it that decide its network and its images."""

    train: str
    settings: TrainParameters
    network: str
    chosen: Any
    """Parameters of the network's module."""
    apply: str | None = None
    transformation: str | None = None
    operations: InitImageTransformationParameters | None = None
    """Parameters of the node that chooses the transformation of the training images."""


def training_parts(document: PipelineDocument, catalog: Catalog) -> Iterator[TrainingParts]:
    """Yield the trainings on the canvas whose network comes from a module of networks.

    Those inside sub-pipelines, pinned ones and those with invalid parameters are left out.
    """
    graph = Graph(document, catalog)
    for node in document.nodes:
        if node.module != TRAIN or node.disabled or node.is_pinned:
            continue
        network = graph.inputs(node.id).get(NETWORK_PORT)
        if network is None or graph.nodes[network.node].is_pinned:
            continue
        settings, chosen = _parameters(graph, node.id), _parameters(graph, network.node)
        if not isinstance(settings, TrainParameters) or not hasattr(chosen, "freeze"):
            continue
        apply = _applying(graph, node.id)
        source = graph.inputs(apply).get(TRANSFORMATION_PORT) if apply else None
        operations = _parameters(graph, source.node) if source else None
        if source is None or not isinstance(operations, InitImageTransformationParameters):
            yield TrainingParts(node.id, settings, network.node, chosen)
        else:
            more = (apply, source.node, operations)
            yield TrainingParts(node.id, settings, network.node, chosen, *more)


def _applying(graph: Graph, node_id: str) -> str | None:
    """Return the node that attaches the transformation of the training images."""
    seen: set[str] = set()
    end = graph.inputs(node_id).get(IMAGES_PORT)
    while end is not None and end.node not in seen:
        seen.add(end.node)
        if graph.nodes[end.node].module == APPLY:
            return end.node
        ports = graph.inputs(end.node)
        end = ports.get(KEPT_IMAGES_PORT)
    return None


def _parameters(graph: Graph, node_id: str) -> Any | None:
    """Return a node's parameters if they are valid."""
    node: Node = graph.nodes[node_id]
    module = graph.catalog.get(node.module)
    try:
        return module and parameters_of(node, module, graph.document)
    except ValidationError:  # reported by validate
        return None
