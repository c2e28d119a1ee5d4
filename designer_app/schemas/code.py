"""Code that may run in the workspace."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from designer_app.schemas.shape import Document, Shape

Hash = Annotated[str, Field(max_length=200, description="SHA-256, hexadecimal.")]


class CodeAllowance(Shape):
    """Code that somebody has looked at, told by what it hashes to."""

    hashes: list[Hash] = Field(max_length=10_000)


class CodePlace(Shape):
    """A parameter of a node, or its run setting ``variables``."""

    node: str = Field(max_length=2_000, description="As a path, inside sub-pipelines.")
    parameter: str = Field(max_length=200)


class CodeEdit(Shape):
    """What its owner has written here: code that was not allowed before is not allowed by it."""

    before: Document | None = None
    after: Document
    places: list[CodePlace] = Field(max_length=10_000)


class SourceFile(Shape):
    """The file that a call runs."""

    name: str
    text: str
    is_cut: bool = Field(description="It is longer than what is shown.")
    files: list[str] = Field(description="All that lies beside it.")


class CodePiece(Shape):
    """Something that a pipeline has its nodes run."""

    node: str
    kind: Literal["program", "call", "variables"]
    parameter: str
    title: str
    text: str
    settings: str = Field(description="What a program is called with, a line for each value.")
    hash: str
    is_allowed: bool
    source: SourceFile | None
    source_problem: str | None = Field(description="Why the file of a call cannot be shown.")


class CodePieces(Shape):
    """All code that a pipeline brings, in the order of its nodes."""

    pieces: list[CodePiece]


class CodeVerdict(Shape):
    """How many pieces may run that might not before."""

    allowed: int
