"""Requests about scripts, which are read before they run."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel


class ScriptText(JsonModel):
    """Text of a script."""

    text: str = Field(max_length=1_000_000)
