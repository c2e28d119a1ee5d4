"""Responses of several endpoints."""

from __future__ import annotations

from pydantic import Field, JsonValue

from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.problems import Problem


class ErrorBody(JsonModel):
    """Error message and fix."""

    code: str
    message: str
    cure: str
    reason: str
    facts: dict[str, JsonValue]


class ErrorAnswer(JsonModel):
    """Response with an error."""

    error: ErrorBody
    problems: list[Problem] | None = Field(None, description="Problems of a rejected document.")
    revision: int | None = Field(
        None, description="Current revision, if a commit conflicts with it."
    )
    document: Document | None = Field(None, description="Document of that revision.")


class Created(JsonModel):
    """Id and revision of a new pipeline."""

    id: str
    revision: int


class Deleted(JsonModel):
    id: str
    deleted: bool
