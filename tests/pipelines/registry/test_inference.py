"""The model of an inference pipeline: of the pipeline that trained it, or that reused it."""

from __future__ import annotations

import pytest

from pipelines.document.document import PipelineDocument
from pipelines.events import Event
from pipelines.execution.runner_lock import without_runner
from pipelines.problems import PipelineError
from pipelines.registry.inference import inference_pipeline
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from tests.pipelines.registry.trained import DOCUMENT, trained_run

OTHER = DOCUMENT.model_copy(update={"id": "other", "name": "Other"})


def reusing_run(runs: RunService, artifact_id: str) -> str:
    """A completed run of another pipeline, whose training was reused."""
    with without_runner(runs.workspace):
        run_id = runs.store.create(
            OTHER.to_json(), ["train"], name="Other", experiment="E", options=RunOptions()
        )
        events = [
            Event("RunStarted"),
            Event("StepReused", "train", {"artifact_id": artifact_id}),
            Event("RunFinished", data={"status": "completed"}),
        ]
        runs.store.append_to(run_id, events)
        return run_id


def model_in(runs: RunService, document: PipelineDocument, run_id: str | None = None) -> str:
    registry = ModelRegistry(runs.database, runs.artifacts)
    derived = inference_pipeline(registry, document, runs.catalog, run_id=run_id).document
    [node] = (node for node in derived.nodes if node.module == "registered_model")
    return str(node.parameters["model"])


def test_a_reused_model_is_that_of_both_pipelines(runs: RunService) -> None:
    registry = ModelRegistry(runs.database, runs.artifacts)
    [(_, artifact_id, port)] = registry.trained_by(trained_run(runs))
    registry.register(artifact_id, port, "shapes")
    for run_id in (None, "no-such-run"):
        with pytest.raises(PipelineError):
            model_in(runs, OTHER, run_id)
    reused = reusing_run(runs, artifact_id)
    assert model_in(runs, DOCUMENT) == "shapes@1"
    assert model_in(runs, OTHER) == "shapes@1"
    assert model_in(runs, OTHER, reused) == "shapes@1"
