"""Objects of the run history endpoints."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Document, Shape
from pipelines.document.parts import NodePath


class RunNaming(Shape):
    """Changes of a run; null means unchanged."""

    name: str | None = Field(None, min_length=1, max_length=200)
    note: str | None = Field(None, max_length=20_000)
    add_tags: list[str] = Field(default=[], max_length=50)
    remove_tags: list[str] = Field(default=[], max_length=50)


class FreedOutput(Shape):
    artifact_id: str
    node: str
    num_bytes: int


class KeptOutput(Shape):
    """Output that stays, and the runs and models (``name@version``) that need it."""

    artifact_id: str
    node: str
    num_bytes: int
    used_by: list[str]


class RunDeletion(Shape):
    """Effects of deleting a run; sizes in bytes."""

    run_id: str
    num_bytes: int
    log_bytes: int
    freed: list[FreedOutput]
    kept: list[KeptOutput]
    is_done: bool
    left_for_gc: bool = Field(
        description="Outputs are left to `designer gc` because a run is in progress."
    )


class Resubmission(Shape):
    """Request to run the same pipeline again. Null values are taken from the run."""

    from_node: NodePath | None = Field(
        None, description="This node and the following ones run again."
    )
    document: Document | None = Field(
        None, description="The same pipeline after a fix, run in place of the run's own."
    )
    name: str | None = Field(None, min_length=1, max_length=200)
    experiment: str | None = Field(None, min_length=1, max_length=200)
