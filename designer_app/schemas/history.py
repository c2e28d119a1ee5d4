"""The objects of the HTTP API that are about the history of runs."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape
from pipelines.documents.parts import NodePath


class RunNaming(Shape):
    """What to change of a run; what is null stays as it is."""

    name: str | None = Field(None, min_length=1, max_length=200)
    note: str | None = Field(None, max_length=20_000)
    add_tags: list[str] = Field(default=[], max_length=50)
    remove_tags: list[str] = Field(default=[], max_length=50)


class FreedOutput(Shape):
    artifact_id: str
    node: str
    num_bytes: int


class KeptOutput(Shape):
    """An output that stays, and the runs and models (``name@version``) that need it."""

    artifact_id: str
    node: str
    num_bytes: int
    used_by: list[str]


class RunDeletion(Shape):
    """What deleting a run frees and what it leaves; sizes in bytes."""

    run_id: str
    num_bytes: int
    log_bytes: int
    freed: list[FreedOutput]
    kept: list[KeptOutput]
    is_done: bool
    left_for_gc: bool = Field(description="Outputs wait for `designer gc`: a run is under way.")


class Resubmission(Shape):
    """The same pipeline again. What is null is taken from the run."""

    from_node: NodePath | None = Field(None, description="It and what follows are made anew.")
    name: str | None = Field(None, min_length=1, max_length=200)
    experiment: str | None = Field(None, min_length=1, max_length=200)
