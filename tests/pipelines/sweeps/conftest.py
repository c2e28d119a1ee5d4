"""A workspace with modules that report a quadratic curve, and a pipeline of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from modules.catalog import Catalog
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.runs.run_service import RunService
from pipelines.workspace import Workspace
from tests.pipelines.sweeps import quadratic
from tests.workspaces import made_place, opened

CATALOG = Catalog.of(quadratic.MODULES)
SCORE = {"node": "curve", "metric": "score", "goal": "maximize"}


def curve(sweep: dict[str, Any] | None = None, **parameters: Any) -> PipelineDocument:
    """A base, and a quadratic curve with these parameters above it."""
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "curve",
            "name": "Curve",
            "nodes": [
                {"id": "base", "module": "base"},
                {"id": "curve", "module": "quadratic", "parameters": parameters},
            ],
            "links": [
                {
                    "from": {"node": "base", "port": "output"},
                    "to": {"node": "curve", "port": "level"},
                }
            ],
            "settings": {"sweep": sweep} if sweep is not None else {},
        }
    )


def choices(*values: Any) -> dict[str, Any]:
    return {"kind": "choices", "choices": list(values)}


def between(low: float, high: float, kind: str = "linear") -> dict[str, Any]:
    return {"kind": kind, "low": low, "high": high}


@contextmanager
def curve_workspace() -> Iterator[RunService]:
    """A workspace with these modules."""
    with made_place() as workspace:
        install(workspace.make())
        with opened(workspace) as runs:
            yield runs


def install(workspace: Workspace) -> None:
    workspace.modules_dir.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(quadratic.__file__), workspace.modules_dir / "quadratic.py")


@pytest.fixture(scope="module")
def runs() -> Iterator[RunService]:
    with curve_workspace() as service:
        yield service
