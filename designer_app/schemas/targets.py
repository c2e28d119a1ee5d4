"""Compute targets."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.editor import TargetShape
from designer_app.schemas.shape import Shape


class TargetRequest(Shape):
    """This machine as so many simulated nodes, to learn and to test."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    simulated_nodes: int = Field(ge=1, le=64)


class TargetList(Shape):
    targets: list[TargetShape]
