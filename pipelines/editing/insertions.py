"""Edits that put nodes into a graph or take them out of it: insert, bridge, heal, paste.

Pure functions like those of ``pipelines.editing.edits``, and under the same shared cases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from modules.catalog import Catalog
from modules.datasets.import_images import import_images
from modules.sentences.sentence import Sentence
from pipelines.documents.document import Endpoint, Group, Link, Note, PipelineDocument, Position
from pipelines.documents.node_titles import port_of
from pipelines.editing.copied_definitions import definitions_for
from pipelines.editing.edits import (
    add_node,
    changed,
    connect,
    disconnect,
    free_name,
    fresh_id,
    module_of,
    node_of,
    remove_nodes,
    set_parameter,
)
from pipelines.problems import PORT_TYPE_MISMATCH, PipelineError
from pipelines.sentences import wiring
from pipelines.validation.connections import may_link
from pipelines.validation.graph import fits

ROW = 124
"""Pixels between a node and one below it."""
PASTE_OFFSET = 40
"""Pixels, right and down, that a copy lies away from its original."""


def remove_and_heal(document: PipelineDocument, catalog: Catalog, node_id: str) -> PipelineDocument:
    """Without the node; what came in is connected to what went out where exactly one fits."""
    module = module_of(catalog, node_of(document, node_id).module)
    incoming = {link.to.port: link.from_ for link in document.links if link.to.node == node_id}
    outgoing = [link for link in document.links if link.from_.node == node_id]
    healed = remove_nodes(document, [node_id])
    for link in outgoing:
        output = module.output(link.from_.port)
        sources = [
            incoming[port.id]
            for port in module.inputs
            if output is not None and port.id in incoming and fits(port.type, output.type)
        ]
        if len(sources) == 1:
            healed = connect(healed, catalog, sources[0], link.to)
    return healed


def insert_on_link(
    document: PipelineDocument, catalog: Catalog, module_id: str, to: Endpoint
) -> PipelineDocument:
    """With a node of the module put on the link that ends at an input, half-way."""
    link = next((each for each in document.links if each.to == to), None)
    if link is None:
        raise _refused(document, catalog, wiring.NO_LINK_ENDS, to)
    return insert_between(disconnect(document, to), catalog, module_id, link.from_, to)


def insert_bridge(
    document: PipelineDocument, catalog: Catalog, from_: Endpoint, to: Endpoint
) -> PipelineDocument:
    """With the one module between an output and an input that joins their types."""
    bridge = may_link(document, catalog, from_, to).bridge
    if bridge is None:
        ends = {"source": port_of(document, catalog, from_)}
        raise _refused(document, catalog, wiring.NO_BRIDGE, to, **ends)
    return insert_between(document, catalog, bridge, from_, to)


def insert_between(
    document: PipelineDocument, catalog: Catalog, module_id: str, from_: Endpoint, to: Endpoint
) -> PipelineDocument:
    """With a node of the module between two ports, by its first ports that fit."""
    module = module_of(catalog, module_id)
    source, target = node_of(document, from_.node), node_of(document, to.node)
    output = module_of(catalog, source.module).output(from_.port)
    input_ = module_of(catalog, target.module).input(to.port)
    entrance = next((p for p in module.inputs if output and fits(output.type, p.type)), None)
    exit_ = next((p for p in module.outputs if input_ and fits(p.type, input_.type)), None)
    if entrance is None or exit_ is None:
        facts = {"module": module.title, "source": port_of(document, catalog, from_)}
        raise _refused(document, catalog, wiring.DOES_NOT_FIT_BETWEEN, to, **facts)
    x = (source.position.x + target.position.x) / 2
    y = (source.position.y + target.position.y) / 2
    document = add_node(document, catalog, module_id, x, y)
    added = document.nodes[-1].id
    document = connect(document, catalog, from_, Endpoint(node=added, port=entrance.id))
    return connect(document, catalog, Endpoint(node=added, port=exit_.id), to)


def paste(
    document: PipelineDocument, copied: PipelineDocument, offset: float = PASTE_OFFSET
) -> PipelineDocument:
    """With copies of all nodes of another document, the links among them, its notes and groups."""
    names: dict[str, str] = {}
    definitions, modules = definitions_for(document, copied)
    document = changed(document, definitions=definitions)
    for node in copied.nodes:
        names[node.id] = fresh_id(document, node.id)
        place, module = _beside(node.position, offset), modules.get(node.module, node.module)
        update = {"id": names[node.id], "position": place, "module": module}
        fresh = node.model_copy(update=update)
        document = changed(document, nodes=(*document.nodes, fresh))
    links = tuple(
        Link(from_=_renamed(link.from_, names), to=_renamed(link.to, names))
        for link in copied.links
        if {link.from_.node, link.to.node} <= set(names)
    )
    notes, groups = document.notes, document.groups
    for note in copied.notes:
        notes = (*notes, _note_beside(note, notes, offset))
    for group in copied.groups:
        groups = (*groups, _group_of(group, groups, names))
    return changed(document, links=(*document.links, *links), notes=notes, groups=groups)


def duplicate(document: PipelineDocument, node_ids: Iterable[str]) -> PipelineDocument:
    """With copies of some nodes, of the links among them, and of the groups they fill."""
    return paste(document, extract(document, node_ids))


def extract(
    document: PipelineDocument, node_ids: Iterable[str], note_ids: Collection[str] = ()
) -> PipelineDocument:
    """Only these nodes and notes, the links among them, and the groups that they fill."""
    wanted = set(node_ids)
    others = [node.id for node in document.nodes if node.id not in wanted]
    notes = tuple(note for note in document.notes if note.id in note_ids)
    groups = tuple(group for group in document.groups if group.nodes and wanted >= {*group.nodes})
    return changed(remove_nodes(document, others), notes=notes, groups=groups)


def _beside(position: Position, offset: float) -> Position:
    return Position(x=position.x + offset, y=position.y + offset)


def _note_beside(note: Note, others: Iterable[Note], offset: float) -> Note:
    name = free_name({each.id for each in others}, note.id)
    return note.model_copy(update={"id": name, "position": _beside(note.position, offset)})


def _group_of(group: Group, others: Iterable[Group], names: Mapping[str, str]) -> Group:
    name = free_name({each.id for each in others}, group.id)
    nodes = tuple(names[node] for node in group.nodes if node in names)
    return group.model_copy(update={"id": name, "nodes": nodes})


def _renamed(end: Endpoint, names: Mapping[str, str]) -> Endpoint:
    return Endpoint(node=names[end.node], port=end.port)


def _refused(
    document: PipelineDocument, catalog: Catalog, sentence: Sentence, to: Endpoint, **facts: Any
) -> PipelineError:
    place = {"node": to.node, "port": to.port}
    at = port_of(document, catalog, to)
    return PipelineError.of(PORT_TYPE_MISMATCH, sentence, to=at, **place, **facts)


def with_images(document: PipelineDocument, catalog: Catalog, source: str) -> PipelineDocument:
    """With an Import Images of a source, below what is there: wires are for who looks at it."""
    places = [node.position for node in document.nodes]
    x = min((place.x for place in places), default=0)
    y = max((place.y for place in places), default=-ROW) + ROW
    added = add_node(document, catalog, import_images.id, x, y)
    return set_parameter(added, catalog, added.nodes[-1].id, "source", source)
