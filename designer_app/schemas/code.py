"""Requests about code in pipelines and its approval."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from designer_app.schemas.documents import Document
from modules.json_model import JsonModel

Hash = Annotated[str, Field(max_length=200, description="SHA-256, hexadecimal.")]


class CodeAllowance(JsonModel):
    """Reviewed code, identified by its hashes."""

    hashes: list[Hash] = Field(max_length=10_000)


class CodePlace(JsonModel):
    """Parameter of a node, or its run setting ``variables``."""

    node: str = Field(max_length=2_000, description="Path of the node, including sub-pipelines.")
    parameter: str = Field(max_length=200)


class CodeEdit(JsonModel):
    """Code written here by the owner; code that was unapproved before stays unapproved."""

    before: Document | None = None
    after: Document
    places: list[CodePlace] = Field(max_length=10_000)
