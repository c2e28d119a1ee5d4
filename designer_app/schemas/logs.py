"""The log files of a node."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class LogEntry(Shape):
    """A log file of a node."""

    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher's.")
    num_bytes: int


class LogList(Shape):
    logs: list[LogEntry]


class LogMatch(Shape):
    offset: int = Field(description="Of the line's first byte.")
    line: int = Field(description="Its number, from 1 on.")
    text: str


class RunLogMatch(LogMatch):
    """A line, and whose log it is in."""

    node: str
    file: str
    rank: int | None = Field(description="Null for the launcher's.")


class RunLogMatches(Shape):
    matches: list[RunLogMatch]
    more: bool = Field(description="There are more than were given.")


class LogMatches(Shape):
    matches: list[LogMatch]
    more: bool = Field(description="There are more than were given.")
