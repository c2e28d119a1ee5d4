"""Pipelines without sub-pipelines, whose nodes have ids without a path."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.document.binds import SEPARATOR
from pipelines.document.document import Endpoint, Link, PipelineDocument
from pipelines.document.edits import free_name
from pipelines.document.expansion import expanded


def flattened(document: PipelineDocument) -> PipelineDocument:
    """Return the document without sub-pipelines, their nodes with plain ids."""
    if all(node.definition_id is None for node in document.nodes):
        return document
    flat = expanded(document)
    names: dict[str, str] = {}
    for node in flat.nodes:
        name = node.id.replace(SEPARATOR, "-")
        names[node.id] = free_name(set(names.values()), name)
    return PipelineDocument.model_construct(
        **{
            **{name: getattr(document, name) for name in PipelineDocument.model_fields},
            "nodes": tuple(node.model_copy(update={"id": names[node.id]}) for node in flat.nodes),
            "links": tuple(
                Link(from_=_renamed(link.from_, names), to=_renamed(link.to, names))
                for link in flat.links
            ),
            "definitions": (),
            "groups": (),
            "parameters": (),  # their values are in the nodes
        }
    )


def _renamed(endpoint: Endpoint, names: Mapping[str, str]) -> Endpoint:
    return Endpoint(node=names[endpoint.node], port=endpoint.port)
