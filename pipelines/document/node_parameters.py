"""Values of node parameters in a document, including bound ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.document.document import parse_document
from pipelines.document.expansion import all_nodes, expanded
from pipelines.problems import PipelineError


def parameter_texts(document: Mapping[str, Any], module: str, parameter: str) -> set[str]:
    """Return the texts of a parameter in all nodes of a module.

    Includes the values of the pipeline's and sub-pipelines' parameters bound to it.
    """
    parameters = (node["parameters"] for node in _nodes(document) if node["module"] == module)
    return {text for values in parameters if isinstance(text := values.get(parameter), str)}


def _nodes(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield from all_nodes(document)
    if not document.get("parameters") and not document.get("definitions"):
        return
    try:
        placed = expanded(parse_document(document)).nodes
    except PipelineError:  # from a newer version of the program
        return
    yield from ({"module": node.module, "parameters": node.parameters} for node in placed)
