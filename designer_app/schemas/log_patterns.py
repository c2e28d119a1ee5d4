"""Patterns for metrics in script output: tried on and suggested from an existing log."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel


class LogPatternsRequest(JsonModel):
    """Patterns to be tried; if empty, patterns are only suggested."""

    patterns: list[str] = Field(default=[], max_length=20)
