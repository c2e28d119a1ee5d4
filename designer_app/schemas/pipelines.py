"""Requests about saved pipelines."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel


class RevisionNaming(JsonModel):
    """New name of a revision."""

    name: str | None = Field(description="1 to 100 characters; null: no name, only its number.")
