"""Edits of a document by the server: pure functions from one document to the next.

Each raises ``PipelineError`` if it makes no sense. The browser has the same edits, and all others;
the shared cases are in ``tests/cases/edits.json``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from modules.catalog import Catalog
from modules.datasets.import_images import import_images
from modules.spec import Module
from pipelines.document.binds import halves, outermost
from pipelines.document.checks.connections import may_link
from pipelines.document.document import (
    Endpoint,
    Link,
    Node,
    PipelineDocument,
    PipelineParameter,
    Position,
    compact,
)
from pipelines.document.named_parameters import named_parameters
from pipelines.problems import (
    UNKNOWN_MODULE,
    UNKNOWN_NODE,
    PipelineError,
    did_you_mean,
)
from pipelines.sentences import wiring

MAX_ID_LENGTH = 64
COLUMN, ROW = 224, 148
"""Distance between a node and one right of it, and one below it, in pixels."""


def fresh_id(document: PipelineDocument, name: str) -> str:
    """Return ``name``, or with the first suffix ``_2``, ``_3`` ... that no node has."""
    return free_name({node.id for node in document.nodes}, name)


def free_name(used: Collection[str], base: str, separator: str = "_") -> str:
    """Return ``base``, or with the first suffix ``_2``, ``_3`` ... that is not used."""
    stem, number, name = base[:MAX_ID_LENGTH], 1, base[:MAX_ID_LENGTH]
    while name in used:
        number += 1
        ending = f"{separator}{number}"
        name = stem[: MAX_ID_LENGTH - len(ending)] + ending
    return name


def add_node(
    document: PipelineDocument, catalog: Catalog, module_id: str, x: float = 0, y: float = 0
) -> PipelineDocument:
    """Add a node of the module at a position; its id is the module's, made unique."""
    module = module_of(catalog, module_id)
    node = Node(
        id=fresh_id(document, module_id),
        module=module_id,
        version=module.version,
        position=Position(x=x, y=y),
    )
    return changed(document, nodes=(*document.nodes, node))


def remove_nodes(document: PipelineDocument, node_ids: Iterable[str]) -> PipelineDocument:
    """Remove the nodes and their links, also from groups and parameters."""
    removed = set(node_ids)
    nodes = tuple(node for node in document.nodes if node.id not in removed)
    return changed(
        document,
        nodes=nodes,
        links=tuple(
            link for link in document.links if not {link.from_.node, link.to.node} & removed
        ),
        groups=tuple(
            group.model_copy(
                update={
                    "nodes": tuple(node_id for node_id in group.nodes if node_id not in removed)
                }
            )
            for group in document.groups
        ),
        parameters=tuple(_still_bound(document, nodes, removed)),
    )


def _still_bound(
    document: PipelineDocument, nodes: tuple[Node, ...], removed: set[str]
) -> Iterator[PipelineParameter]:
    """Yield parameters without binds to removed nodes; drop those that then have no effect."""
    for parameter in document.parameters:
        binds = tuple(bind for bind in parameter.binds if outermost(halves(bind)[0]) not in removed)
        if len(binds) == len(parameter.binds):
            yield parameter
        elif binds or parameter.id in named_parameters(nodes, document.definitions):
            yield parameter.model_copy(update={"binds": binds})


def connect(
    document: PipelineDocument, catalog: Catalog, from_: Endpoint, to: Endpoint
) -> PipelineDocument:
    """Add the link, replacing one to the same input."""
    verdict = may_link(document, catalog, from_, to)
    if not verdict.allowed:
        raise PipelineError([verdict.problem(to)])
    link = Link(from_=from_, to=to)
    return changed(document, links=(*disconnect(document, to).links, link))


def disconnect(document: PipelineDocument, to: Endpoint) -> PipelineDocument:
    """Remove the link to the input."""
    return changed(document, links=tuple(link for link in document.links if link.to != to))


def set_parameter(
    document: PipelineDocument, catalog: Catalog, node_id: str, name: str, value: Any
) -> PipelineDocument:
    """Set the value, without a range check (see ``validate``); a default is not stored."""
    node = node_of(document, node_id)
    other = node.model_copy(update={"parameters": {**node.parameters, name: value}})
    nodes = tuple(other if candidate.id == node_id else candidate for candidate in document.nodes)
    return compact(changed(document, nodes=nodes), catalog)


def with_images(document: PipelineDocument, catalog: Catalog, source: str) -> PipelineDocument:
    """Add an Import Images node for a source below the others; the user connects it."""
    positions = [node.position for node in document.nodes]
    x = min((position.x for position in positions), default=0)
    y = max((position.y for position in positions), default=-ROW) + ROW
    added = add_node(document, catalog, import_images.id, x, y)
    return set_parameter(added, catalog, added.nodes[-1].id, "source", source)


def changed(document: PipelineDocument, **changes: Any) -> PipelineDocument:
    return document.model_copy(update=changes)


def node_of(document: PipelineDocument, node_id: str) -> Node:
    node = document.node(node_id)
    if node is None:
        node_ids = [node.id for node in document.nodes]
        help_ = did_you_mean(node_id, node_ids)
        raise PipelineError.of(UNKNOWN_NODE, wiring.NO_NODE, name=node_id[:100], help=help_)
    return node


def module_of(catalog: Catalog, module_id: str) -> Module:
    module = catalog.get(module_id)
    if module is None:
        module_ids = [module.id for module in catalog.modules]
        help_ = did_you_mean(module_id, module_ids)
        raise PipelineError.of(UNKNOWN_MODULE, wiring.NO_MODULE, module=module_id[:100], help=help_)
    return module
