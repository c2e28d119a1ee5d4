"""Parameters that scripts take by name: ``{{parameters.rate}}`` in what a node is set to."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from modules.scripts.arguments import parameters_named_in
from pipelines.documents.parts import Definition, Node


def named_parameters(
    nodes: Iterable[Node], definitions: Collection[Definition], depth: int = 16
) -> set[str]:
    """What nodes name, and those inside them that mean no parameter of a place further inside."""
    found = set[str]()
    for node in nodes:
        found |= parameters_named_in(node.parameters)
        inside = next(
            (definition for definition in definitions if definition.id == node.definition_id), None
        )
        if inside is not None and depth > 0:
            own = {parameter.id for parameter in inside.parameters}
            found |= named_parameters(inside.nodes, definitions, depth - 1) - own
    return found
