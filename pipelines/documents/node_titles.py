"""What nodes are called where several are called the same; as the editor's ``graph/titles.ts``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from modules.catalog import Catalog
from pipelines.documents.document import Node


def node_title(node: Node, catalog: Catalog) -> str:
    """The title that a node was given, else its module's."""
    module = catalog.get(node.module)
    return node.title or (module.title if module else node.module)


def node_titles(nodes: Iterable[Node], catalog: Catalog) -> dict[str, str]:
    """Titles by id; twins are numbered from 1 on ("Apply Image Transformation 2")."""
    titles = {node.id: node_title(node, catalog) for node in nodes}
    twins = Counter(titles.values())
    numbers: Counter[str] = Counter()
    for node_id, title in titles.items():
        if twins[title] > 1:
            numbers[title] += 1
            titles[node_id] = f"{title} {numbers[title]}"
    return titles
