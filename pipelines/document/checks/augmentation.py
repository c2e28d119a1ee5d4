"""Random operations intended for a training that never reach it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from modules.augmentation import Attaching, Augmentation
from modules.catalog import Catalog
from pipelines.document.checks.graph import Graph
from pipelines.document.checks.parameters import parameters_of
from pipelines.document.document import Endpoint, PipelineDocument
from pipelines.problems import AUGMENTATION_LEFT_OUT, Problem
from pipelines.sentences import values


def idle_augmentation(document: PipelineDocument, catalog: Catalog) -> Iterator[Problem]:
    """Yield a warning for each node that drops random operations from a training's images."""
    graph = Graph(document, catalog)
    reported: set[str] = set()
    for training in document.nodes:
        learned = _part(graph, training.id).learned
        if learned is None or training.disabled:
            continue
        applying = _applying(graph, training.id, learned)
        if applying is None or applying in reported:
            continue
        attaching = _part(graph, applying).attaching
        names = _left_out(graph, applying, attaching) if attaching else []
        if attaching and names:
            reported.add(applying)
            validated = _part(graph, training.id).validated
            validates = validated is not None and applying == _applying(
                graph, training.id, validated
            )
            module = catalog.get(training.module)
            title = training.title or (module.title if module else training.module)
            yield _problem(title, applying, attaching, names, validates=validates)


def _problem(
    training: str, applying: str, attaching: Attaching, names: list[str], *, validates: bool
) -> Problem:
    both = values.AUGMENTATION_LEFT_OUT_OF_BOTH
    return Problem.of(
        AUGMENTATION_LEFT_OUT,
        both if validates else values.AUGMENTATION_LEFT_OUT,
        training=training,
        names=names,
        severity="warning",
        node=applying,
        parameter=attaching.parameter,
        remedy={"set": {attaching.parameter: attaching.keeping}},
    )


def _applying(graph: Graph, node: str, port: str) -> str | None:
    """Return the node that attaches the transformation of an input."""
    seen: set[Endpoint] = set()
    end = graph.inputs(node).get(port)
    while end is not None and end not in seen:
        seen.add(end)
        if _part(graph, end.node).attaching and _parameters(graph, end.node) is not None:
            return end.node
        source_port = _part(graph, end.node).kept.get(end.port)
        end = graph.inputs(end.node).get(source_port) if source_port else None
    return None


def _left_out(graph: Graph, applying: str, attaching: Attaching) -> list[str]:
    """Return the random operations that this node removes from the transformation, as text."""
    parameters = _parameters(graph, applying)
    source = graph.inputs(applying).get(attaching.transformation)
    if source is None or getattr(parameters, attaching.parameter) == attaching.keeping:
        return []
    chosen = _part(graph, source.node).chosen
    choosing = _parameters(graph, source.node)
    return list(chosen(choosing)) if chosen and choosing else []


def _part(graph: Graph, node_id: str) -> Augmentation:
    """Return how the node's module handles random operations."""
    module = graph.catalog.get(graph.nodes[node_id].module)
    return (module.augmentation if module else None) or Augmentation()


def _parameters(graph: Graph, node_id: str) -> Any | None:
    """Return a node's parameters if they are valid."""
    node = graph.nodes[node_id]
    module = graph.catalog.get(node.module)
    try:
        return module and parameters_of(node, module, graph.document)
    except ValidationError:  # reported by validate
        return None
