"""Titles of nodes, settings and ports; duplicates as in the editor's ``graph/titles.ts``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from modules.catalog import Catalog
from modules.module_texts import parameter_title
from modules.spec import Module
from pipelines.document.document import Node, RunSettings


def node_title(node: Node, catalog: Catalog) -> str:
    """Return the title of a node, otherwise that of its module."""
    module = catalog.get(node.module)
    return node.title or (module.title if module else node.module)


def setting_title(name: str, module: Module | None) -> str:
    """Return the title of a parameter or run setting: ``Learning rate``."""
    title = parameter_title(module.parameters_type, name) if module else None
    field = RunSettings.model_fields.get(name)
    return title or (field and field.title) or name.replace("_", " ").capitalize()


def node_titles(nodes: Iterable[Node], catalog: Catalog) -> dict[str, str]:
    """Return titles by id; duplicates are numbered from 1 ("Apply Image Transformation 2")."""
    return numbered({node.id: node_title(node, catalog) for node in nodes})


def numbered(titles: Mapping[str, str]) -> dict[str, str]:
    """Return titles by id, with numbers for duplicates, in order."""
    twins = Counter(titles.values())
    numbers: Counter[str] = Counter()
    unique_titles = {}
    for node_id, title in titles.items():
        numbers[title] += 1
        unique_titles[node_id] = f"{title} {numbers[title]}" if twins[title] > 1 else title
    return unique_titles
