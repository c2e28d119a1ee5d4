"""Parameters referenced by scripts: ``{{parameters.rate}}`` in a node's values."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from modules.scripts.arguments import parameters_named_in
from pipelines.document.parts import Definition, Node


def named_parameters(
    nodes: Iterable[Node], definitions: Collection[Definition], depth: int = 16
) -> set[str]:
    """Return the parameters that nodes and their inner nodes reference, without inner ones."""
    names = set[str]()
    for node in nodes:
        names |= parameters_named_in(node.parameters)
        inside = next(
            (definition for definition in definitions if definition.id == node.definition_id), None
        )
        if inside is not None and depth > 0:
            own = {parameter.id for parameter in inside.parameters}
            names |= named_parameters(inside.nodes, definitions, depth - 1) - own
    return names
