"""Notes and groups of a sub-pipeline that is put in the place of its node."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.documents.document import Definition, Group, Node, Note, PipelineDocument, Position
from pipelines.editing.edits import free_name


def outer_notes(document: PipelineDocument, node: Node, definition: Definition) -> Iterator[Note]:
    """The notes of a sub-pipeline as they are beside those of the document."""
    taken = {each.id for each in document.notes}
    for note in definition.notes:
        name = free_name(taken, note.id)
        taken.add(name)
        position = moved(note.position, node.position.x, node.position.y)
        yield note.model_copy(update={"id": name, "position": position})


def outer_groups(
    document: PipelineDocument, definition: Definition, names: dict[str, str]
) -> Iterator[Group]:
    """Its groups beside those of the document, around the same nodes."""
    taken = {each.id for each in document.groups}
    for group in definition.groups:
        name = free_name(taken, group.id)
        taken.add(name)
        nodes = tuple(names[each] for each in group.nodes if each in names)
        yield group.model_copy(update={"id": name, "nodes": nodes})


def moved(position: Position, x: float, y: float) -> Position:
    """A position, so far to the right and below."""
    return Position(x=position.x + x, y=position.y + y)
