"""Saved pipelines and their revisions."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import ProblemShape
from designer_app.schemas.shape import Shape


class PipelineEntry(Shape):
    """A saved pipeline; times are seconds since the epoch."""

    id: str
    name: str
    revision: int
    created: float
    updated: float
    num_nodes: int


class PipelineList(Shape):
    pipelines: list[PipelineEntry]


class Committed(Shape):
    """A commit that is on disk, and what is wrong with the pipeline now."""

    revision: int
    problems: list[ProblemShape]


class RevisionEntry(Shape):
    """A revision and, in a sentence, what is different from the one before."""

    revision: int
    created: float
    num_nodes: int
    changes: str
    name: str | None


class RevisionNaming(Shape):
    """What a revision is to be called."""

    name: str | None = Field(description="1 to 100 characters; null: by its number alone.")


class RevisionList(Shape):
    revisions: list[RevisionEntry]
