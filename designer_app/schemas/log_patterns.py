"""Patterns for metrics that a script prints: tried, and suggested, on a log that is there."""

from __future__ import annotations

from pydantic import Field

from designer_app.schemas.shape import Shape


class LogPatternsRequest(Shape):
    """What is to be tried; without patterns there are only suggestions."""

    patterns: list[str] = Field(default=[], max_length=20)


class PatternExample(Shape):
    line: str
    value: float | None = Field(description="Null for what is no finite number.")
    step: int | None = Field(description="Null where values are counted.")


class PatternTrial(Shape):
    """How a pattern does on the log."""

    pattern: str = Field(description="NAME = EXPRESSION, as the parameter log_patterns takes it.")
    name: str
    problem: str | None = Field(description="What is wrong with it, and what to do.")
    num_lines: int = Field(description="How many lines it reads.")
    examples: list[PatternExample]


class LogPatternsAnswer(Shape):
    num_lines: int = Field(description="Lines that were looked at, of the end of the log.")
    tried: list[PatternTrial]
    suggested: list[PatternTrial]
