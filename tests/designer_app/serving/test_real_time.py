"""Inference pipelines that an endpoint can serve, and those that only score batches."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.document.document import PipelineDocument, parse_document
from pipelines.errors import NotFoundError, RefusedError
from pipelines.registry.endpoints import Endpoints
from pipelines.registry.models import ModelRegistry
from pipelines.registry.published import PublishedPipelines
from pipelines.registry.real_time import real_time_model
from pipelines.runs.run_service import RunService
from tests.designer_app.serving.endpoints import EDGE

LINKS = [
    ("input.dataset", "convert.input_dataset"),
    ("convert.output_image_directory", "apply.input_image_directory"),
    ("init.output_image_transformation", "apply.input_image_transformation"),
    ("apply.output_image_directory", "score.dataset"),
    ("model.trained_model", "score.trained_model"),
    ("score.scored_dataset", "output.scored_dataset"),
]


def inference(size: int = EDGE, **more: str) -> PipelineDocument:
    """An inference pipeline with an Apply of this size, and more nodes."""
    init = {"size": size, "crop_size": size, "random_horizontal_flip": False}
    modules: dict[str, tuple[str, dict[str, Any]]] = {
        "input": ("web_service_input", {"source": "sample:shapes"}),
        "convert": ("convert_to_image_directory", {"class_from": "none"}),
        "init": ("init_image_transformation", init),
        "apply": ("apply_image_transformation", {}),
        "model": ("registered_model", {"model": "m@1"}),
        "score": ("score_image_model", {}),
        "output": ("web_service_output", {}),
        **{name: (module, {}) for name, module in more.items()},
    }
    return parse_document(
        {
            "format": "pipeline-designer/2",
            "id": "score",
            "nodes": [
                {"id": name, "module": module, "parameters": parameters}
                for name, (module, parameters) in modules.items()
            ],
            "links": [
                {
                    "from": dict(zip(("node", "port"), source.split("."), strict=True)),
                    "to": dict(zip(("node", "port"), target.split("."), strict=True)),
                }
                for source, target in LINKS
            ],
        }
    )


def test_a_pipeline_that_does_what_an_endpoint_does_is_served(
    runs: RunService, registry: ModelRegistry
) -> None:
    assert real_time_model(inference().to_json(), registry) == "m@1"
    PublishedPipelines(runs.database).publish("score", inference(), lambda _: [])
    endpoints = Endpoints(runs.database, registry)
    endpoint = endpoints.deploy("from-pipeline", "published:score")
    assert endpoint.settings.model == "m@1"
    endpoints.remove("from-pipeline")
    with pytest.raises(NotFoundError):
        endpoints.deploy("from-pipeline", "published:none")


@pytest.mark.parametrize(
    "document",
    [
        inference(size=EDGE * 2),
        inference(evaluate="evaluate_model"),
        inference(second="score_image_model"),
        inference(split="split_image_directory"),
        parse_document({"format": "pipeline-designer/2", "id": "empty"}),
    ],
    ids=["size", "evaluate", "two scores", "split", "empty"],
)
def test_other_pipelines_are_for_batches(
    document: PipelineDocument, registry: ModelRegistry
) -> None:
    with pytest.raises(RefusedError) as refused:
        real_time_model(document.to_json(), registry)
    assert "batches" in refused.value.message
