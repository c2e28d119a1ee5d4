"""Log files of a node."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class LogEntry(Shape):
    """Log file of a node."""

    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher.")
    num_bytes: int


class LogList(Shape):
    logs: list[LogEntry]


class LogMatch(Shape):
    offset: int = Field(description="Offset of the line's first byte.")
    line: int = Field(description="Line number, from 1.")
    text: str


class RunLogMatch(LogMatch):
    """Matching line and its log."""

    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher.")


class RunLogMatches(Shape):
    matches: list[RunLogMatch]
    more: bool = Field(description="There are more matches.")


class LogMatches(Shape):
    matches: list[LogMatch]
    more: bool = Field(description="There are more matches.")
