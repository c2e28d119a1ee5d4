"""Code in pipelines and its approval."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from designer_app.schemas.shape import Document, Shape

Hash = Annotated[str, Field(max_length=200, description="SHA-256, hexadecimal.")]


class CodeAllowance(Shape):
    """Reviewed code, identified by its hashes."""

    hashes: list[Hash] = Field(max_length=10_000)


class CodePlace(Shape):
    """Parameter of a node, or its run setting ``variables``."""

    node: str = Field(max_length=2_000, description="Path of the node, including sub-pipelines.")
    parameter: str = Field(max_length=200)


class CodeEdit(Shape):
    """Code written here by the owner; code that was unapproved before stays unapproved."""

    before: Document | None = None
    after: Document
    places: list[CodePlace] = Field(max_length=10_000)


class SourceFile(Shape):
    """File that a call runs."""

    name: str
    text: str
    is_cut: bool = Field(description="The text is longer than shown.")
    files: list[str] = Field(description="Other files in its folder.")


class CodePiece(Shape):
    """Code that a pipeline runs in one of its nodes."""

    node: str
    kind: Literal["program", "call", "variables"]
    parameter: str
    title: str
    text: str
    settings: str = Field(description="Arguments of a program, one per line.")
    hash: str
    is_allowed: bool
    source: SourceFile | None
    source_problem: str | None = Field(description="Reason why the file of a call cannot be shown.")


class CodePieces(Shape):
    """All code in a pipeline, in node order."""

    pieces: list[CodePiece]


class CodeVerdict(Shape):
    """Number of newly approved pieces."""

    allowed: int
