"""Matching of the same nodes in several documents, although their ids may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pipelines.document.document import Definition, Endpoint, Node, PipelineDocument

_Whole = TypeVar("_Whole", PipelineDocument, Definition)
_Key = tuple[str, str]


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
        for key_of in (_id_key, _title_key, _module_key):
            waiting = self._assign(index, waiting, key_of)
        for node in waiting:
            cells: list[Node | None] = [None] * self.num_documents
            cells[index] = node
            self.rows.append(MatchedNode(cells))

    def _assign(
        self, index: int, waiting: list[Node], key_of: Callable[[Node], _Key | None]
    ) -> list[Node]:
        """Assign nodes to their only free row with the same key; return those without one."""
        free: dict[_Key | None, list[MatchedNode]] = {}
        for row in self.rows:
            if row.nodes[index] is None:
                free.setdefault(key_of(row.any), []).append(row)
        rivals = Counter(key_of(node) for node in waiting)
        unmatched = []
        for node in waiting:
            key = key_of(node)
            fitting = [] if key is None else free.get(key, [])
            if len(fitting) == 1 and rivals[key] == 1:
                fitting[0].nodes[index] = node
            else:
                unmatched.append(node)
        return unmatched


def match_nodes(documents: Sequence[PipelineDocument | Definition]) -> list[MatchedNode]:
    """Match nodes: one row per node, in the order of the first document, then additional nodes.

    Nodes of one module match by id, otherwise by title, otherwise if each document has only one
    unmatched node of that module.
    """
    matching = _Matching(len(documents))
    for index, document in enumerate(documents):
        matching.add(index, document.nodes)
    return matching.rows


def matching_names(rows: Sequence[MatchedNode], index: int) -> dict[str, str]:
    """Return the ids of the first document for the matching nodes of another one, by their own.

    A node without a match keeps its id, unless a node of the first document has the same.
    """
    taken = {node.id for row in rows for node in row.nodes[:1] if node is not None}
    names: dict[str, str] = {}
    for row in rows:
        own = row.nodes[index]
        if own is None:
            continue
        name = row.id
        while row.nodes[0] is None and name in taken:
            name += "-other"
        taken.add(name)
        names[own.id] = name
    return names


def renamed(document: _Whole, names: Mapping[str, str]) -> _Whole:
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


def _id_key(node: Node) -> _Key | None:
    return node.module, node.id


def _title_key(node: Node) -> _Key | None:
    return None if node.title is None else (node.module, node.title)


def _module_key(node: Node) -> _Key | None:
    return node.module, ""
