"""This machine and this server."""

from __future__ import annotations

from typing import Literal

from designer_app.schemas.shape import Shape


class EnvironmentFinding(Shape):
    name: str
    ok: bool
    found: str
    cure: str


class Environment(Shape):
    "This machine and this server."

    version: str
    workspace: str
    healthy: bool
    findings: list[EnvironmentFinding]
    allowed_roots: list[str]
    runner: Literal["running", "none"]
