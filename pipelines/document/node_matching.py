"""Matching of the same nodes in several documents, although their ids may differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pipelines.document.document import Endpoint, Node, PipelineDocument


@dataclass
class MatchedNode:
    """Node in each of the documents: null if a document has none that matches."""

    nodes: list[Node | None]

    @property
    def any(self) -> Node:
        """Return the node of the first document that has it."""
        return next(node for node in self.nodes if node is not None)

    @property
    def id(self) -> str:
        """Return its id in the first document that has it."""
        return self.any.id


@dataclass
class _Matching:
    """Rows of matched nodes; documents are added one by one."""

    num_documents: int
    rows: list[MatchedNode] = field(default_factory=list)

    def add(self, index: int, nodes: Iterable[Node]) -> None:
        waiting = list(nodes)
        for sameness in (_same_id, _same_title, _same_module):
            waiting = self._assign(index, waiting, sameness)
        for node in waiting:
            cells: list[Node | None] = [None] * self.num_documents
            cells[index] = node
            self.rows.append(MatchedNode(cells))

    def _assign(
        self, index: int, waiting: list[Node], sameness: Callable[[Node, Node], bool]
    ) -> list[Node]:
        """Assign nodes to their only free matching row; return those without one."""
        unmatched = []
        for node in waiting:
            free = [row for row in self.rows if row.nodes[index] is None]
            fitting = [row for row in free if sameness(row.any, node)]
            rivals = [other for other in waiting if fitting and sameness(fitting[0].any, other)]
            if len(fitting) == 1 and len(rivals) == 1:
                fitting[0].nodes[index] = node
            else:
                unmatched.append(node)
        return unmatched


def match_nodes(documents: Sequence[PipelineDocument]) -> list[MatchedNode]:
    """Match nodes: one row per node, in the order of the first document, then additional nodes.

    Nodes of one module match by id, otherwise by title, otherwise if each document has only one
    unmatched node of that module.
    """
    matching = _Matching(len(documents))
    for index, document in enumerate(documents):
        matching.add(index, document.nodes)
    return matching.rows


def renamed(document: PipelineDocument, names: dict[str, str]) -> PipelineDocument:
    """Return the document with other ids for some of its nodes."""

    def end(point: Endpoint) -> Endpoint:
        return point.model_copy(update={"node": names.get(point.node, point.node)})

    # copied, not validated again: an expanded document has paths as ids, which links must not have
    nodes = (node.model_copy(update={"id": names.get(node.id, node.id)}) for node in document.nodes)
    links = (
        link.model_copy(update={"from_": end(link.from_), "to": end(link.to)})
        for link in document.links
    )
    return document.model_copy(update={"nodes": tuple(nodes), "links": tuple(links)})


def _same_id(one: Node, other: Node) -> bool:
    return one.id == other.id and one.module == other.module


def _same_title(one: Node, other: Node) -> bool:
    return one.title is not None and one.title == other.title and one.module == other.module


def _same_module(one: Node, other: Node) -> bool:
    return one.module == other.module
