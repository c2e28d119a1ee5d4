"""What nodes are called where several are called the same; as the editor's ``graph/titles.ts``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from modules.catalog import Catalog
from pipelines.documents.document import Node


def node_title(node: Node, catalog: Catalog) -> str:
    """The title that a node was given, else its module's."""
    module = catalog.get(node.module)
    return node.title or (module.title if module else node.module)


def node_titles(nodes: Iterable[Node], catalog: Catalog) -> dict[str, str]:
    """Titles by id; twins are numbered from 1 on ("Apply Image Transformation 2")."""
    return numbered({node.id: node_title(node, catalog) for node in nodes})


def numbered(titles: Mapping[str, str]) -> dict[str, str]:
    """Titles by id, those of twins with a number, in their order."""
    twins = Counter(titles.values())
    numbers: Counter[str] = Counter()
    told = {}
    for node_id, title in titles.items():
        numbers[title] += 1
        told[node_id] = f"{title} {numbers[title]}" if twins[title] > 1 else title
    return told
