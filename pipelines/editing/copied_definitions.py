"""The sub-pipelines that pasted nodes bring along."""

from __future__ import annotations

from pipelines.documents.document import Definition, Node, PipelineDocument
from pipelines.documents.parts import DEFINITION_PREFIX
from pipelines.editing.edits import free_name


def definitions_for(
    document: PipelineDocument, copied: PipelineDocument
) -> tuple[tuple[Definition, ...], dict[str, str]]:
    """The sub-pipelines of a document and those that pasted nodes need; old module to new."""
    known = {each.id: each for each in document.definitions}
    needed = _needed_by(copied)
    names: dict[str, str] = {}
    for each in needed:
        taken = {*known, *names.values()}
        names[each.id] = each.id if known.get(each.id) == each else free_name(taken, each.id)
    prefix = DEFINITION_PREFIX
    modules = {f"{prefix}{old}": f"{prefix}{new}" for old, new in names.items()}
    added = (
        each.model_copy(update={"id": names[each.id], "nodes": _with_modules(each.nodes, modules)})
        for each in needed
        if names[each.id] not in known
    )
    return (*document.definitions, *added), modules


def _with_modules(nodes: tuple[Node, ...], modules: dict[str, str]) -> tuple[Node, ...]:
    return tuple(
        node.model_copy(update={"module": modules.get(node.module, node.module)}) for node in nodes
    )


def _needed_by(document: PipelineDocument) -> list[Definition]:
    """The sub-pipelines that the nodes of a document stand for, and those inside them."""
    needed: set[str] = set()
    waiting = [node.definition_id for node in document.nodes]
    while waiting:
        definition = document.definition(waiting.pop() or "")
        if definition is not None and definition.id not in needed:
            needed.add(definition.id)
            waiting += [node.definition_id for node in definition.nodes]
    return [each for each in document.definitions if each.id in needed]
