"""From a file and a few changes to a document that can be run from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from modules.catalog import Catalog
from modules.parameters import LocalPath, metadata
from pipelines.documents.document import Node, PipelineDocument, load_document
from pipelines.documents.overrides import apply_overrides


def read_document(path: Path, overrides: Sequence[str], catalog: Catalog) -> PipelineDocument:
    """The document of a file, changed by ``NODE.PARAM=VALUE`` overrides, its paths absolute.

    Raises ``PipelineError`` with every problem of either.
    """
    document = apply_overrides(load_document(path), list(overrides), catalog)
    return with_absolute_paths(document, catalog, Path.cwd())


def with_absolute_paths(
    document: PipelineDocument, catalog: Catalog, folder: Path
) -> PipelineDocument:
    """Paths in parameters taken from ``folder``: the runner has another working directory."""
    nodes = tuple(_absolute(node, catalog, folder) for node in document.nodes)
    return document.model_copy(update={"nodes": nodes})


def _absolute(node: Node, catalog: Catalog, folder: Path) -> Node:
    module = catalog.get(node.module)
    if module is None:
        return node
    changes: dict[str, Any] = {}
    for name, info in module.parameters_type.model_fields.items():
        value = node.parameters.get(name)
        for local in metadata(info, LocalPath):
            if isinstance(value, str) and len(value) > len(local.prefix):
                changes.update(_absolute_value(name, value, local, folder))
    return node.model_copy(update={"parameters": {**node.parameters, **changes}})


def _absolute_value(name: str, value: str, local: LocalPath, folder: Path) -> dict[str, str]:
    is_path = value.startswith(local.prefix) and not value.startswith(local.apart_from)
    if not is_path or "\0" in value:
        return {}
    path = Path(value.removeprefix(local.prefix)).expanduser()
    return {name: f"{local.prefix}{path if path.is_absolute() else (folder / path).resolve()}"}
