"""Patterns for metrics in script output: tried on and suggested from an existing log."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class LogPatternsRequest(Shape):
    """Patterns to be tried; if empty, patterns are only suggested."""

    patterns: list[str] = Field(default=[], max_length=20)


class PatternExample(Shape):
    line: str
    value: float | None = Field(description="Null if it is not a finite number.")
    step: int | None = Field(description="Null if steps are counted.")


class PatternTrial(Shape):
    """Result of a pattern on the log."""

    pattern: str = Field(description="NAME = EXPRESSION, as in the parameter log_patterns.")
    name: str
    problem: str | None = Field(description="Error message and fix.")
    num_lines: int = Field(description="Number of matching lines.")
    examples: list[PatternExample]


class LogPatternsAnswer(Shape):
    num_lines: int = Field(description="Number of lines read from the end of the log.")
    tried: list[PatternTrial]
    suggested: list[PatternTrial]
