"""Requests about registered models."""

from __future__ import annotations

from pydantic import Field

from modules.json_model import JsonModel


class Registration(JsonModel):
    """Request to register an output as a model."""

    artifact_id: str = Field(max_length=80)
    port: str = Field(max_length=128)
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class FileRegistration(JsonModel):
    """Request to register a file of a node as a model."""

    file: str = Field(max_length=4_000, description="Path in the list of the node's files.")
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class ModelNaming(JsonModel):
    """Changes of a model; an alias with version null is removed."""

    description: str | None = Field(None, max_length=20_000)
    aliases: dict[str, int | None] = Field(default_factory=dict, max_length=50)
