"""What the objects of the API have in common, and the answers that several requests have."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, WithJsonSchema

from designer_app.schemas.editor import ProblemShape


class Shape(BaseModel):
    """Every object of the API: exactly these fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Document = Annotated[dict[str, Any], WithJsonSchema({"x-model": "PipelineDocument"})]
"""A pipeline document inside another object; it is read by ``parse_document``."""


class ErrorBody(Shape):
    """What went wrong and what to do."""

    code: str
    message: str
    cure: str
    reason: str
    facts: dict[str, JsonValue]


class ErrorAnswer(Shape):
    """Any answer that is no success."""

    error: ErrorBody
    problems: list[ProblemShape] | None = Field(None, description="Of a refused document.")
    revision: int | None = Field(None, description="The one that a commit collided with.")
    document: Document | None = Field(None, description="Its document.")


class Created(Shape):
    """Where a new pipeline is."""

    id: str
    revision: int


class Deleted(Shape):
    id: str
    deleted: bool
