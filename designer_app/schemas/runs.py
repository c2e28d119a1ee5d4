"""Requests to run pipelines."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.document.parts import NodePath


class RunSubmission(JsonModel):
    """Request to queue a run.

    Without a name, the run is named after the changes since the previous run. The default
    experiment is the pipeline's.
    """

    document: Document
    pipeline_id: str | None = Field(None, max_length=64)
    name: str | None = Field(None, max_length=200)
    experiment: str | None = Field(None, max_length=200)
    description: str = Field("", max_length=20_000)
    to: NodePath | None = Field(None, description="Run only this node and the nodes that it needs.")
    target: str | None = Field(None, max_length=64, description="Replaces the document's target.")
    only: list[str] = Field(
        [],
        max_length=10_000,
        description="Selected nodes, if the document contains only what they need.",
    )
    forced: list[str] = Field(
        [], max_length=10_000, description="Run these nodes and all following ones again."
    )
