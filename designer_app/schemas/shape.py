"""Documents in requests, and responses of several endpoints."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, JsonValue, WithJsonSchema

from modules.json_model import JsonModel
from modules.schema_reference import KEY
from pipelines.problems import Problem

Document = Annotated[dict[str, Any], WithJsonSchema({KEY: "PipelineDocument"})]
"""Pipeline document inside another object; it is read by ``parse_document``."""


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
