"""Binds of parameters: ``train.epochs``; inside a sub-pipeline ``front/train.epochs``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from pipelines.document.parts import Definition, Node, PipelineParameter

SEPARATOR = "/"
Bound = Mapping[str, Mapping[str, JsonValue]]
"""Values by node path and parameter."""


def halves(bind: str) -> tuple[str, str]:
    """Return the path of the node and the name of its parameter."""
    path, _, name = bind.partition(".")
    return path, name


def outermost(path: str) -> str:
    """Return the node on the canvas with which a path starts."""
    return path.partition(SEPARATOR)[0]


def node_at(nodes: Iterable[Node], definitions: Mapping[str, Definition], path: str) -> Node | None:
    """Return the node at a path relative to these nodes; None if there is none."""
    first, _, rest = path.partition(SEPARATOR)
    node = next((node for node in nodes if node.id == first), None)
    if node is None or not rest:
        return node
    inside = definitions.get(node.definition_id or "")
    return node_at(inside.nodes, definitions, rest) if inside else None


def bound_values(parameters: Iterable[PipelineParameter], values: Mapping[str, JsonValue]) -> Bound:
    """Return the values that parameters set on nodes at the same level and inside them."""
    bound: dict[str, dict[str, JsonValue]] = {}
    for parameter in parameters:
        for path, name in map(halves, parameter.binds):
            bound.setdefault(path, {})[name] = values[parameter.id]
    return bound


def merged(inner: Bound, outer: Bound) -> Bound:
    """Return both; if both set a value, the outer one wins."""
    return {
        path: {**inner.get(path, {}), **outer.get(path, {})}
        for path in (*inner, *(outer_path for outer_path in outer if outer_path not in inner))
    }


def bound_inside(bound: Bound, node_id: str) -> Bound:
    """Return the values set inside a node, with paths relative to it."""
    prefix = f"{node_id}{SEPARATOR}"
    inside = (path for path in bound if path.startswith(prefix))
    return {path.removeprefix(prefix): bound[path] for path in inside}
