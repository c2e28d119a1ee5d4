"""Titles of the parameters that a sweep varies, and their values as people read them."""

from __future__ import annotations

import json
from collections import Counter

from designer_app.translation import _
from modules.catalog import Catalog
from modules.formatting import shortest
from modules.search.spaces import SpaceLike, ends_of, value_text
from modules.sentences.translation import local_number
from pipelines.document.document import Node, parse_document
from pipelines.document.node_titles import node_titles, setting_title
from pipelines.problems import PipelineError
from pipelines.runs.metric_words import metric_words
from pipelines.sweeps.sweeps import Sweep


def parameter_titles(sweep: Sweep, catalog: Catalog) -> dict[str, str]:
    """Return titles by place: ``Learning rate``, with the node if several have this name.

    A place inside a sub-pipeline, or in a document of a newer version, is its own title.
    """
    places = list(sweep.settings.parameters)
    nodes = _nodes(sweep)
    names = node_titles(nodes.values(), catalog)
    titles: dict[str, str] = {}
    for place in places:
        node = nodes.get(place.rpartition(".")[0])
        module = None if node is None else catalog.get(node.module)
        titles[place] = setting_title(place.rpartition(".")[2], module) if node else place
    objective = sweep.settings.objective
    counts = Counter([*titles.values(), metric_words(objective.metric) if objective else ""])
    return {
        place: title
        if counts[title] == 1
        else f"{names.get(place.rpartition('.')[0], place)}: {title}"
        for place, title in titles.items()
    }


def full_titles(sweep: Sweep, catalog: Catalog) -> dict[str, str]:
    """Return titles by place, always with the node: ``Train PyTorch Model, Learning rate``."""
    nodes = _nodes(sweep)
    names = node_titles(nodes.values(), catalog)
    titles: dict[str, str] = {}
    for place in sweep.settings.parameters:
        path, _dot, name = place.rpartition(".")
        node = nodes.get(path)
        module = None if node is None else catalog.get(node.module)
        titles[place] = f"{names[path]}, {setting_title(name, module)}" if node else place
    return titles


def metric_title(sweep: Sweep, catalog: Catalog) -> str:
    """Return the compared metric with its node: ``Train PyTorch Model, Validation loss``."""
    objective = sweep.settings.objective
    if objective is None:
        return ""
    names = node_titles(_nodes(sweep).values(), catalog)
    node = names.get(objective.node, objective.node)
    return f"{node}, {metric_words(objective.metric)}"


def space_words(space: SpaceLike) -> str:
    """Return a space as people read it: ``4, 8, 16`` or ``0.001 to 0.1, logarithmic``."""
    if space.kind == "choices":
        return ", ".join(map(value_text, space.choices))
    low, high = (local_number(json.dumps(shortest(end))) for end in ends_of(space))
    if space.kind == "log":
        return _("{low} to {high}, logarithmic", low=low, high=high)
    if space.kind == "integer":
        return _("{low} to {high}, whole numbers", low=low, high=high)
    return _("{low} to {high}", low=low, high=high)


def _nodes(sweep: Sweep) -> dict[str, Node]:
    """Return the nodes by id; none for a document of a newer version of the program."""
    try:
        return {node.id: node for node in parse_document(sweep.row.document).nodes}
    except PipelineError:
        return {}
