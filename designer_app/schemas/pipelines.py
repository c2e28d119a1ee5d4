"""Saved pipelines and their revisions."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import ProblemShape
from designer_app.schemas.shape import Shape


class PipelineEntry(Shape):
    """Saved pipeline; times are seconds since the epoch."""

    id: str
    name: str
    revision: int
    created: float
    updated: float
    num_nodes: int


class PipelineList(Shape):
    pipelines: list[PipelineEntry]


class Committed(Shape):
    """Stored commit and the current problems of the pipeline."""

    revision: int
    problems: list[ProblemShape]


class RevisionEntry(Shape):
    """Revision with a one-sentence summary of its changes."""

    revision: int
    created: float
    num_nodes: int
    changes: str
    name: str | None


class RevisionNaming(Shape):
    """New name of a revision."""

    name: str | None = Field(description="1 to 100 characters; null: no name, only its number.")


class RevisionList(Shape):
    revisions: list[RevisionEntry]
