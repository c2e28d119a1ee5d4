"""Code that may run in the workspace."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class CodeAllowance(Shape):
    """A program in a parameter, told by what its text hashes to."""

    hash: str = Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of its UTF-8, hexadecimal.")
