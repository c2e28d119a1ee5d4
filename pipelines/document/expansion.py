"""Expansion of sub-pipelines: plans, runs and results know only modules and values.

A node inside a sub-pipeline has the path of its outer nodes as its id: ``front/split``. Broken
parts stay unchanged and never raise; ``pipelines.document.checks.sub_pipelines`` reports them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic import JsonValue

from pipelines.document.binds import SEPARATOR, Bound, bound_inside, bound_values, merged
from pipelines.document.document import (
    Definition,
    Endpoint,
    Link,
    Node,
    PipelineDocument,
    PipelineParameter,
    Position,
)
from pipelines.document.parts import MAX_DEPTH

MAX_NODES = 5000
Whole = PipelineDocument | Definition
Side = Literal["inputs", "outputs"]


def expanded(document: PipelineDocument) -> PipelineDocument:
    """Return the document with resolved parameters and expanded sub-pipelines.

    Nodes inside a sub-pipeline inherit from its node whether they are disabled or forced, and their
    compute target. Returns the same document if it has neither sub-pipelines nor parameters.
    """
    if not document.parameters and all(node.definition_id is None for node in document.nodes):
        return document
    return Expansion(document).document


def values_at(document: PipelineDocument) -> Callable[[str], dict[str, JsonValue]]:
    """Return a function from expanded node id to the values of all parameters in scope.

    Inner parameters override outer ones.
    """
    if not document.parameters and not document.definitions:
        return lambda _: {}
    places = {placement.prefix: placement.values for placement in Expansion(document).placements}

    def around(node_id: str) -> dict[str, JsonValue]:
        levels = node_id.split(SEPARATOR)
        prefixes = [
            "".join(f"{level}{SEPARATOR}" for level in levels[:n]) for n in range(len(levels))
        ]
        values: dict[str, JsonValue] = {}
        for prefix in prefixes:
            values |= places.get(prefix, {})
        return values

    return around


def members(document: PipelineDocument, node_id: str) -> tuple[str, ...]:
    """Return the ids of a node in an expanded document: its own, or those of its inner nodes."""
    inside = f"{node_id}{SEPARATOR}"
    ids = (node.id for node in document.nodes)
    return tuple(
        member_id for member_id in ids if member_id == node_id or member_id.startswith(inside)
    )


def all_nodes(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes of a JSON document, including those of its sub-pipelines."""
    yield from document["nodes"]
    for definition in document.get("definitions", ()):
        yield from definition["nodes"]


@dataclass(frozen=True)
class Placement:
    """Location of nodes: the pipeline itself, or a node that contains a sub-pipeline."""

    prefix: str
    """Prefix of the ids of its nodes: empty, or a path that ends in a slash."""
    whole: Whole
    values: Mapping[str, JsonValue]
    """Values of its parameters."""


@dataclass
class _Parts:
    nodes: list[Node] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


class Expansion:
    """Expanded document, and the origins of its parts."""

    def __init__(self, document: PipelineDocument) -> None:
        self.source = document
        self.definitions = {
            definition.id: definition for definition in reversed(document.definitions)
        }
        self.usable = frozenset(usable_definitions(document))
        self._nodes: dict[str, dict[str, Node]] = {}
        self.placements: list[Placement] = []
        self._parts = _Parts()
        self.is_too_large = not self._fits()
        self._expand(Placement("", document, _defaults(document.parameters)), None, {})
        self.document = document.model_copy(
            update={
                "nodes": tuple(self._parts.nodes),
                "links": tuple(self._parts.links),
                "notes": (),
                "groups": (),
                "parameters": (),
                "definitions": (),
            }
        )

    def definition_of(self, node: Node) -> Definition | None:
        """Return the sub-pipeline that replaces a node; None for modules and broken ones."""
        if not self.usable or self.is_too_large or node.definition_id not in self.usable:
            return None
        return self.definitions[node.definition_id]

    def node(self, placement: Placement, node_id: str) -> Node | None:
        """Return the first node with that id at a location."""
        whole = "" if isinstance(placement.whole, PipelineDocument) else placement.whole.id
        if whole not in self._nodes:
            self._nodes[whole] = {node.id: node for node in reversed(placement.whole.nodes)}
        return self._nodes[whole].get(node_id)

    def end(self, placement: Placement, end: Endpoint, side: Side) -> Endpoint | None:
        """Return the module port behind the end of a link; None if there is none."""
        node = self.node(placement, end.node)
        definition = self.definition_of(node) if node else None
        path = f"{placement.prefix}{end.node}"
        if definition is None:
            return end.model_copy(update={"node": path}) if placement.prefix else end
        ports = definition.inputs if side == "inputs" else definition.outputs
        inner = next((port for port in ports if port.id == end.port), None)
        if inner is None:
            return None
        within = Placement(f"{path}{SEPARATOR}", definition, {})
        return self.end(within, Endpoint(node=inner.node, port=inner.port), side)

    def entrance(self, input_: Endpoint) -> Endpoint:
        """Return the outermost port of a sub-pipeline that leads to an input of a module."""
        path, _, node_id = input_.node.rpartition(SEPARATOR)
        whole = self._definitions_at.get(path)
        ports = whole.inputs if whole else ()
        port = next((p for p in ports if (p.node, p.port) == (node_id, input_.port)), None)
        if port is None:
            return input_
        return self.entrance(Endpoint.model_construct(node=path, port=port.id))

    @cached_property
    def _definitions_at(self) -> dict[str, Definition]:
        """Definitions by path of the node that contains the sub-pipeline."""
        return {
            placement.prefix.rstrip(SEPARATOR): placement.whole
            for placement in self.placements
            if isinstance(placement.whole, Definition)
        }

    def _fits(self) -> bool:
        sizes = _sizes(self.source)
        total = sum(sizes.get(node.definition_id or "", 1) for node in self.source.nodes)
        return total <= MAX_NODES

    def _expand(self, placement: Placement, around: Node | None, outer: Bound) -> None:
        """Expand one location; ``outer`` are the values bound here by outer parameters."""
        self.placements.append(placement)
        bound = merged(bound_values(placement.whole.parameters, placement.values), outer)
        if not self.usable and not bound:  # the usual case, with a single location
            self._parts = _Parts([*placement.whole.nodes], [*placement.whole.links])
            return
        for node in placement.whole.nodes:
            present = _present(node, placement.prefix, bound.get(node.id, {}), around)
            definition = self.definition_of(node)
            if definition is None:
                self._parts.nodes.append(present)
                continue
            values = _defaults(definition.parameters) | dict(present.parameters)
            inside = Placement(f"{present.id}{SEPARATOR}", definition, values)
            self._expand(inside, present, bound_inside(bound, node.id))
        for link in placement.whole.links:
            source = self.end(placement, link.from_, "outputs")
            target = self.end(placement, link.to, "inputs")
            if source is link.from_ and target is link.to:
                self._parts.links.append(link)
            elif source is not None and target is not None:
                self._parts.links.append(link.model_copy(update={"from_": source, "to": target}))


def usable_definitions(document: PipelineDocument) -> list[str]:
    """Return the sub-pipelines that can be expanded: without cycles, and not nested too deep."""
    return list(_depths(document))


def _depths(document: PipelineDocument) -> dict[str, int]:
    """Return the number of levels of each definition, without those in a cycle or too deep."""
    inner = {definition.id: _uses(definition) for definition in document.definitions}
    depths: dict[str, int] = {}
    for depth in range(1, MAX_DEPTH + 1):
        ready = [
            name
            for name, uses in inner.items()
            if name not in depths and all(use in depths for use in uses & inner.keys())
        ]
        depths |= dict.fromkeys(ready, depth)
    return depths


def _sizes(document: PipelineDocument) -> dict[str, int]:
    """Return the number of modules of each definition, at all levels."""
    definitions = {definition.id: definition for definition in document.definitions}
    sizes: dict[str, int] = {}
    for name in _depths(document):  # inner ones first
        sizes[name] = sum(
            sizes.get(node.definition_id or "", 1) for node in definitions[name].nodes
        )
    return sizes


def _uses(definition: Definition) -> set[str]:
    return {node.definition_id for node in definition.nodes if node.definition_id is not None}


def _defaults(parameters: Iterable[PipelineParameter]) -> dict[str, JsonValue]:
    return {parameter.id: parameter.default for parameter in parameters}


def _present(node: Node, prefix: str, bound: Mapping[str, JsonValue], around: Node | None) -> Node:
    """Return a node as it is in the expanded document."""
    if not prefix and not bound and around is None:
        return node
    settings, disabled, position = node.run_settings, node.disabled, node.position
    if around is not None:
        outer = around.run_settings
        update = {
            "target": settings.target or outer.target,
            "regenerate_output": settings.regenerate_output or outer.regenerate_output,
        }
        settings, disabled = settings.model_copy(update=update), disabled or around.disabled
        corner = around.position
        position = Position.model_construct(x=corner.x + position.x, y=corner.y + position.y)
    return node.model_copy(
        update={
            "id": f"{prefix}{node.id}",
            "parameters": {**node.parameters, **bound},
            "run_settings": settings,
            "disabled": disabled,
            "position": position,
        }
    )
