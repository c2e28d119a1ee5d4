"""Base class of all API objects, and common responses."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from designer_app.schemas.editor import ProblemShape


class Shape(BaseModel):
    """API object with exactly these fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Document = Annotated[dict[str, Any], WithJsonSchema({"x-model": "PipelineDocument"})]
"""Pipeline document inside another object; it is read by ``parse_document``."""


class ErrorBody(Shape):
    """Error message and fix."""

    code: str
    message: str
    cure: str
    reason: str
    facts: dict[str, JsonValue]


class ErrorAnswer(Shape):
    """Response with an error."""

    error: ErrorBody
    problems: list[ProblemShape] | None = Field(
        None, description="Problems of a rejected document."
    )
    revision: int | None = Field(
        None, description="Current revision, if a commit conflicts with it."
    )
    document: Document | None = Field(None, description="Document of that revision.")


class Created(Shape):
    """Id and revision of a new pipeline."""

    id: str
    revision: int


class Deleted(Shape):
    id: str
    deleted: bool
