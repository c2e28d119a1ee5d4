"""Registered models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from designer_app.schemas.shape import Shape


class VersionEntry(Shape):
    """Version of a model; its files are the output ``artifact_id/port``."""

    version: int
    type: Literal["TrainedModel", "ForeignModel"] = Field(
        description="ForeignModel: files written by a script, not accepted by Registered Model."
    )
    description: str
    created: float
    run_id: str | None
    metrics: dict[str, float]
    artifact_id: str
    port: str
    num_bytes: int


class ModelEntry(Shape):
    name: str
    description: str
    created: float
    aliases: dict[str, int]
    versions: list[VersionEntry] = Field(description="Oldest first.")


class ModelList(Shape):
    models: list[ModelEntry]


class ModelVersionAnswer(VersionEntry):
    """Version of a model and its origin."""

    name: str
    reference: str = Field(description="Value for the model of Registered Model.")
    aliases: list[str]
    lineage: dict[str, JsonValue]


class Registration(Shape):
    """Request to register an output as a model."""

    artifact_id: str = Field(max_length=80)
    port: str = Field(max_length=128)
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class FileRegistration(Shape):
    """Request to register a file of a node as a model."""

    file: str = Field(max_length=4_000, description="Path in the list of the node's files.")
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class ModelNaming(Shape):
    """Changes of a model; an alias with version null is removed."""

    description: str | None = Field(None, max_length=20_000)
    aliases: dict[str, int | None] = Field(default_factory=dict, max_length=50)
