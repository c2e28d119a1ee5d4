"""JSON files between the designer and the Python of an environment, which may be an older one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class BootstrapSettings(TypedDict, total=False):
    """Settings of ``bootstrap`` in ``DESIGNER_BOOTSTRAP``, described there."""

    parent: int
    reports: str
    logs: str | None
    pipes: str | None
    secrets: list[str]
    home: str
    folders: str | None
    weights: bool


class ScriptFailure(TypedDict):
    """Exception that ended a script."""

    type: str
    message: str
    name: str | None
    """Missing module, if an import failed."""
    lines: list[str]


class ScriptInput(TypedDict, total=False):
    """Input of ``script_worker`` in ``told.json``; its ``kind`` is images, table or model."""

    kind: str
    path: str
    rows: str
    classes: list[str]
    files: list[str]
    main: str
    description: Mapping[str, Any]


class ScriptOutput(TypedDict, total=False):
    """Output in ``result.json``: a file of rows, a file of weights, or the input model."""

    rows: str
    file: str
    is_input: bool


class StoredRows(TypedDict):
    """Rows in a JSON file, for a Python without pyarrow."""

    columns: list[str]
    data: list[list[Any]]
    types: dict[str, str]
