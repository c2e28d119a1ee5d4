"""Requests about ended runs."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.document.parts import NodePath


class RunNaming(JsonModel):
    """Changes of a run; null means unchanged."""

    name: str | None = Field(None, min_length=1, max_length=200)
    note: str | None = Field(None, max_length=20_000)
    add_tags: list[str] = Field(default=[], max_length=50)
    remove_tags: list[str] = Field(default=[], max_length=50)


class Resubmission(JsonModel):
    """Request to run the same pipeline again. Null values are taken from the run."""

    from_node: NodePath | None = Field(
        None, description="This node and the following ones run again."
    )
    document: Document | None = Field(
        None, description="The same pipeline after a fix, run in place of the run's own."
    )
    name: str | None = Field(None, min_length=1, max_length=200)
    experiment: str | None = Field(None, min_length=1, max_length=200)
