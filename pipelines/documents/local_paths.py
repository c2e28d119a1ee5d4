"""From a file and a few changes to a document that can be run from anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from modules.catalog import Catalog
from modules.parameters import LocalPath, fields_with
from pipelines.documents.binds import halves, node_at
from pipelines.documents.document import (
    Definition,
    Node,
    PipelineDocument,
    PipelineParameter,
    load_document,
)
from pipelines.documents.overrides import apply_overrides
from pipelines.documents.parameter_values import apply_parameter_values

Whole = TypeVar("Whole", PipelineDocument, Definition)


def read_document(
    path: Path, overrides: Sequence[str], catalog: Catalog, parameters: Sequence[str] = ()
) -> PipelineDocument:
    """The document of a file, changed by ``NODE.PARAM=VALUE`` overrides, its paths absolute.

    ``parameters`` are values of the pipeline's own, ``ID=VALUE``. Raises ``PipelineError`` with
    every problem of either.
    """
    document = apply_parameter_values(load_document(path), parameters)
    document = apply_overrides(document, list(overrides), catalog)
    return with_absolute_paths(document, catalog, Path.cwd())


def with_absolute_paths(
    document: PipelineDocument, catalog: Catalog, folder: Path
) -> PipelineDocument:
    """Paths in parameters taken from ``folder``: the runner has another working directory."""
    known = {each.id: each for each in document.definitions}
    inner = (_with_absolute_nodes(each, known, catalog, folder) for each in document.definitions)
    definitions = tuple(inner)
    present = _with_absolute_nodes(document, known, catalog, folder)
    return present.model_copy(update={"definitions": definitions})


def _with_absolute_nodes(
    whole: Whole, definitions: Mapping[str, Definition], catalog: Catalog, folder: Path
) -> Whole:
    """Those of nodes, and those of the parameters that are bound to them."""

    def bound(parameter: PipelineParameter) -> PipelineParameter:
        value = parameter.default
        for path, name in map(halves, parameter.binds):
            node = node_at(whole.nodes, definitions, path)
            if node is not None:
                holder = node.model_copy(update={"parameters": {name: value}})
                value = _absolute(holder, catalog, folder).parameters[name]
        return parameter.model_copy(update={"default": value})

    return whole.model_copy(
        update={
            "nodes": tuple(_absolute(node, catalog, folder) for node in whole.nodes),
            "parameters": tuple(bound(parameter) for parameter in whole.parameters),
        }
    )


def _absolute(node: Node, catalog: Catalog, folder: Path) -> Node:
    module = catalog.get(node.module)
    if module is None:
        return node
    changes: dict[str, Any] = {}
    for name, marks in fields_with(module.parameters_type, LocalPath).items():
        value = node.parameters.get(name)
        for local in marks:
            if isinstance(value, str) and len(value) > len(local.prefix):
                changes.update(_absolute_value(name, value, local, folder))
    if not changes:
        return node
    return node.model_copy(update={"parameters": {**node.parameters, **changes}})


def _absolute_value(name: str, value: str, local: LocalPath, folder: Path) -> dict[str, str]:
    is_path = value.startswith(local.prefix) and not value.startswith(local.apart_from)
    if not is_path or "\0" in value:
        return {}
    path = Path(value.removeprefix(local.prefix)).expanduser()
    return {name: f"{local.prefix}{path if path.is_absolute() else (folder / path).resolve()}"}
