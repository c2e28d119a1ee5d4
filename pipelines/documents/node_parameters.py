"""What the nodes of a document are given, wherever that is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.documents.document import parse_document
from pipelines.documents.expansion import all_nodes, expanded
from pipelines.problems import PipelineError


def texts_given(document: Mapping[str, Any], module: str, parameter: str) -> set[str]:
    """The texts that nodes of a module have for a parameter: their own, and those that parameters
    of the pipeline and of its sub-pipelines put in their place."""
    given = (node["parameters"] for node in _nodes(document) if node["module"] == module)
    return {text for each in given if isinstance(text := each.get(parameter), str)}


def _nodes(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from all_nodes(document)
    if not document.get("parameters") and not document.get("definitions"):
        return
    try:
        placed = expanded(parse_document(document)).nodes
    except PipelineError:  # of a newer version of the program
        return
    yield from ({"module": node.module, "parameters": node.parameters} for node in placed)
