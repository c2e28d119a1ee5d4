"""Endpoint for inference pipelines, derived from training pipelines."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.registry.inference import inference_pipeline


class InferenceRequest(JsonModel):
    """Request to derive the inference pipeline of a document."""

    document: Document
    model: str | None = Field(
        None,
        max_length=201,
        description="Registered model. Null: the newest that the run or pipeline trained.",
    )
    run_id: str | None = Field(None, max_length=64, description="Run that trained the model.")
    node: str | None = Field(None, max_length=1200, description="Node of the trained model.")


class InferenceChange(JsonModel):
    """Change of a node, and its reason."""

    kind: Literal["removed", "replaced", "changed", "added"]
    node: str
    title: str
    why: str


class InferenceAnswer(JsonModel):
    """Inference pipeline and the changes that led to it. Nothing is stored."""

    document: PipelineDocument
    changes: list[InferenceChange]


@ApiEndpoint("POST", "/api/inference-pipelines", takes=InferenceRequest, errors=(404, 422))
def _derive(application: Application, call: Call) -> InferenceAnswer:
    """Derive the inference pipeline of a document: without training, with a registered model."""
    request: InferenceRequest = call.body
    derived = inference_pipeline(
        application.session.models,
        parse_document(request.document),
        application.session.catalog,
        model=request.model,
        run_id=request.run_id,
        node=request.node,
    )
    changes = [
        InferenceChange(kind=change.kind, node=change.node, title=change.title, why=str(change.why))
        for change in derived.changes
    ]
    return InferenceAnswer(document=derived.document, changes=changes)


ENDPOINTS = (_derive,)
"""Endpoints in the order of the documentation."""
