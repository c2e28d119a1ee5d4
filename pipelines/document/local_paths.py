"""Documents with absolute paths, so that they run from any folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue

from modules.catalog import Catalog
from modules.parameters import LocalPath, Parameters, fields_with
from pipelines.document.binds import halves, node_at
from pipelines.document.document import Definition, Node, PipelineDocument, PipelineParameter

Whole = TypeVar("Whole", PipelineDocument, Definition)


def with_absolute_paths(
    document: PipelineDocument, catalog: Catalog, folder: Path
) -> PipelineDocument:
    """Resolve relative paths in parameters: the runner has another working directory."""
    by_id = {definition.id: definition for definition in document.definitions}
    inner = (
        _with_absolute_nodes(definition, by_id, catalog, folder)
        for definition in document.definitions
    )
    definitions = tuple(inner)
    present = _with_absolute_nodes(document, by_id, catalog, folder)
    return present.model_copy(update={"definitions": definitions})


def _with_absolute_nodes(
    whole: Whole, definitions: Mapping[str, Definition], catalog: Catalog, folder: Path
) -> Whole:
    """Resolve the paths of nodes and of the parameters bound to them."""

    def absolute(value: JsonValue, marks: Iterable[LocalPath]) -> JsonValue:
        for local in marks:
            value = _absolute_value(value, local, folder)
        return value

    def present(node: Node) -> Node:
        own = {
            name: absolute(value, _marks(node, name, definitions, catalog))
            for name, value in node.parameters.items()
        }
        is_as_before = own == node.parameters
        return node if is_as_before else node.model_copy(update={"parameters": own})

    def bound(parameter: PipelineParameter) -> PipelineParameter:
        marks = _marks_of(parameter, whole.nodes, definitions, catalog)
        return parameter.model_copy(update={"default": absolute(parameter.default, marks)})

    return whole.model_copy(
        update={
            "nodes": tuple(present(node) for node in whole.nodes),
            "parameters": tuple(bound(parameter) for parameter in whole.parameters),
        }
    )


def _marks(
    node: Node, name: str, definitions: Mapping[str, Definition], catalog: Catalog
) -> Iterable[LocalPath]:
    """Return the path annotations of a parameter, in its module or through a sub-pipeline."""
    module = catalog.get(node.module)
    if module is not None:
        return _paths_in(module.parameters_type).get(name, ())
    definition = definitions.get(node.definition_id or "")
    own = definition.parameters if definition else ()
    parameter = next((parameter for parameter in own if parameter.id == name), None)
    if definition is None or parameter is None:
        return ()
    others = {key: other for key, other in definitions.items() if other is not definition}
    return _marks_of(parameter, definition.nodes, others, catalog)


@lru_cache(maxsize=256)
def _paths_in(parameters_type: type[Parameters]) -> Mapping[str, list[LocalPath]]:
    return fields_with(parameters_type, LocalPath)


def _marks_of(
    parameter: PipelineParameter,
    nodes: Iterable[Node],
    definitions: Mapping[str, Definition],
    catalog: Catalog,
) -> Iterable[LocalPath]:
    for path, name in map(halves, parameter.binds):
        node = node_at(nodes, definitions, path)
        if node is not None:
            yield from _marks(node, name, definitions, catalog)


def _absolute_value(value: JsonValue, local: LocalPath, folder: Path) -> JsonValue:
    if not isinstance(value, str) or len(value) <= len(local.prefix):
        return value
    is_path = value.startswith(local.prefix) and not value.startswith(local.apart_from)
    if not is_path or "\0" in value:
        return value
    # neither raises for an unknown user or a dangling link: opening the path reports it
    path = os.path.expanduser(value.removeprefix(local.prefix))
    whole = path if os.path.isabs(path) else os.path.realpath(folder / path)
    return f"{local.prefix}{whole}"
