"""Lessons of the library, changed and run by tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import EvaluationResults
from pipelines.document.document import PipelineDocument, load_document
from pipelines.document.overrides import apply_overrides
from pipelines.events import RunState
from pipelines.runs.run_service import RunService

LIBRARY = Path(__file__).parents[3] / "pipelines" / "lessons" / "library"


@pytest.fixture(scope="module")
def runs(shared_runs: RunService) -> RunService:
    """One workspace for all lessons, as a workshop has it."""
    return shared_runs


def lesson(runs: RunService, name: str, *changes: str) -> PipelineDocument:
    """Return a lesson with changes such as ``train.epochs=1``."""
    return apply_overrides(load_document(LIBRARY / f"{name}.json"), list(changes), runs.catalog)


def evaluation(runs: RunService, state: RunState) -> dict[str, Any]:
    """Return the metrics of the node ``evaluate``."""
    folder = runs.artifacts.outputs(state.steps["evaluate"])["evaluation_results"]
    return EvaluationResults(Path(folder)).metrics


def with_light_network(document: PipelineDocument) -> PipelineDocument:
    """Replace the network by one with a thirtieth of the weights that learns as well."""
    light = {"model_name": "shufflenet_v2_x0_5", "pretrained": False}
    changed = {"module": "image_model", "parameters": light}
    nodes = (n.model_copy(update=changed) if n.id == "resnet" else n for n in document.nodes)
    return document.model_copy(update={"nodes": tuple(nodes)})
