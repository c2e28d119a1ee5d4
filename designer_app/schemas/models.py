"""Registered models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from designer_app.schemas.shape import Shape


class VersionEntry(Shape):
    """A version of a model; its files are the output ``artifact_id/port``."""

    version: int
    type: Literal["TrainedModel", "ForeignModel"] = Field(
        description="ForeignModel: files as a script wrote them, which Registered Model refuses."
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
    versions: list[VersionEntry] = Field(description="The oldest first.")


class ModelList(Shape):
    models: list[ModelEntry]


class ModelVersionAnswer(VersionEntry):
    """A version and where it comes from."""

    name: str
    reference: str = Field(description="What to write in Registered Model.")
    aliases: list[str]
    lineage: dict[str, JsonValue]


class Registration(Shape):
    """Which output to keep under which name."""

    artifact_id: str = Field(max_length=80)
    port: str = Field(max_length=128)
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class FileRegistration(Shape):
    """Which file of a node to keep as a model, and under which name."""

    file: str = Field(max_length=4_000, description="Its path in the list of the node's files.")
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class ModelNaming(Shape):
    """What to change of a model; an alias with version null is taken away."""

    description: str | None = Field(None, max_length=20_000)
    aliases: dict[str, int | None] = Field(default_factory=dict, max_length=50)
