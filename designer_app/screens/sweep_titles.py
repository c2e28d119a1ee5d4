"""Titles of the parameters that a sweep varies."""

from __future__ import annotations

from collections import Counter

from modules.catalog import Catalog
from pipelines.document.document import parse_document
from pipelines.document.node_titles import node_titles, setting_title
from pipelines.problems import PipelineError
from pipelines.runs.metric_words import metric_words
from pipelines.sweeps.sweeps import Sweep


def parameter_titles(sweep: Sweep, catalog: Catalog) -> dict[str, str]:
    """Return titles by place: ``Learning rate``, with the node if several have this name.

    A place inside a sub-pipeline, or in a document of a newer version, is its own title.
    """
    places = list(sweep.settings.parameters)
    try:
        document = parse_document(sweep.row.document)
    except PipelineError:  # of a newer version of the program
        return {place: place for place in places}
    nodes = {node.id: node for node in document.nodes}
    names = node_titles(document.nodes, catalog)
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
