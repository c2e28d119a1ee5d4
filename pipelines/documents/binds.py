"""What parameters are bound to: ``train.epochs``; inside a sub-pipeline ``front/train.epochs``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from pipelines.documents.parts import Definition, Node, PipelineParameter

SEPARATOR = "/"
Bound = Mapping[str, Mapping[str, JsonValue]]
"""Path of a node -> parameter -> value."""


def halves(bind: str) -> tuple[str, str]:
    """The path of the node, and the name of its parameter."""
    path, _, name = bind.partition(".")
    return path, name


def outermost(path: str) -> str:
    """The node on the canvas that a path begins with."""
    return path.partition(SEPARATOR)[0]


def node_at(nodes: Iterable[Node], definitions: Mapping[str, Definition], path: str) -> Node | None:
    """The node that a path leads to, from these nodes on; None where it leads nowhere."""
    first, _, rest = path.partition(SEPARATOR)
    node = next((each for each in nodes if each.id == first), None)
    if node is None or not rest:
        return node
    inside = definitions.get(node.definition_id or "")
    return node_at(inside.nodes, definitions, rest) if inside else None


def bound_values(parameters: Iterable[PipelineParameter], values: Mapping[str, JsonValue]) -> Bound:
    """What parameters give to the nodes beside them, and inside those."""
    bound: dict[str, dict[str, JsonValue]] = {}
    for parameter in parameters:
        for path, name in map(halves, parameter.binds):
            bound.setdefault(path, {})[name] = values[parameter.id]
    return bound


def merged(inner: Bound, outer: Bound) -> Bound:
    """Both; where both give a value, the outer one."""
    return {
        path: {**inner.get(path, {}), **outer.get(path, {})}
        for path in (*inner, *(each for each in outer if each not in inner))
    }


def bound_inside(bound: Bound, node_id: str) -> Bound:
    """What is given inside a node, by the paths that hold there."""
    prefix = f"{node_id}{SEPARATOR}"
    inside = (path for path in bound if path.startswith(prefix))
    return {path.removeprefix(prefix): bound[path] for path in inside}
