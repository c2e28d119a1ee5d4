"""Pins of a document's nodes: set and removed, also inside sub-pipelines."""

from __future__ import annotations

from collections.abc import Iterable

from pipelines.document.binds import SEPARATOR
from pipelines.document.document import Node, PipelineDocument
from pipelines.document.edits import changed, node_of
from pipelines.document.parts import Pin
from pipelines.problems import UNKNOWN_NODE, PipelineError, did_you_mean
from pipelines.sentences import wiring


def with_pin(document: PipelineDocument, node_id: str, pin: Pin | None) -> PipelineDocument:
    """Pin a node to a stored result, or unpin it.

    A path leads to a node in a sub-pipeline: ``front/split``.
    """
    outer, _, inner = node_id.partition(SEPARATOR)
    node = node_of(document, outer)
    if not inner:
        return changed(document, nodes=_with_pin(document.nodes, outer, pin))
    *way, last = inner.split(SEPARATOR)
    definition = document.definition(node.definition_id or "")
    for name in way:
        nodes = definition.nodes if definition else ()
        between = next((other for other in nodes if other.id == name), None)
        definition = document.definition(between.definition_id or "") if between else None
    names = [other.id for other in definition.nodes] if definition else []
    if definition is None or last not in names:
        help_ = did_you_mean(last, names)
        raise PipelineError.of(UNKNOWN_NODE, wiring.NO_NODE, name=node_id[:100], help=help_)
    changed_one = definition.model_copy(update={"nodes": _with_pin(definition.nodes, last, pin)})
    definitions = (changed_one if one.id == definition.id else one for one in document.definitions)
    return changed(document, definitions=tuple(definitions))


def _with_pin(nodes: Iterable[Node], node_id: str, pin: Pin | None) -> tuple[Node, ...]:
    return tuple(
        node.model_copy(update={"pin": pin}) if node.id == node_id else node for node in nodes
    )


def without_pins(document: PipelineDocument) -> PipelineDocument:
    """Return the document with no node pinned: for a pipeline with other inputs."""
    nodes = (node.model_copy(update={"pin": None}) for node in document.nodes)
    return changed(document, nodes=tuple(nodes))
