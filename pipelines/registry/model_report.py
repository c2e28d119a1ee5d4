"""Registered models as commands and the HTTP API return them."""

from __future__ import annotations

from typing import Any

from pydantic import Field, JsonValue

from modules.foreign_model import ForeignModel
from modules.json_model import JsonModel
from modules.models.recipe import OWN
from pipelines.registry.models import ModelRegistry, ModelType, RegisteredVersion, Registrable
from pipelines.store.database.models import ModelVersion, RegisteredModel


class VersionEntry(JsonModel):
    """Version of a model; its files are the output ``artifact_id/port``."""

    version: int
    type: ModelType = Field(
        description="ForeignModel: files written by a script, not accepted by Registered Model."
    )
    description: str
    created: float
    run_id: str | None
    metrics: dict[str, float]
    artifact_id: str
    port: str
    num_bytes: int


class ModelEntry(JsonModel):
    name: str
    description: str
    created: float
    aliases: dict[str, int]
    versions: list[VersionEntry] = Field(description="Oldest first.")


class ModelVersionReport(VersionEntry):
    """Version of a model and its origin."""

    name: str
    reference: str = Field(description="Value for the model of Registered Model.")
    aliases: list[str]
    lineage: dict[str, JsonValue]


def model_entry(registry: ModelRegistry, model: RegisteredModel) -> ModelEntry:
    """Return a model with its versions, oldest first."""
    versions = [_version(registry, version) for version in model.versions]
    return ModelEntry.copied(model, versions=versions)


def version_report(registry: ModelRegistry, registered: RegisteredVersion) -> ModelVersionReport:
    """Return a version with its origin."""
    record = registry.artifacts.index.get(registered.version.artifact.split("/")[0])
    run_id = registered.version.run_id
    run = registry.runs.record(run_id) if run_id else None
    return ModelVersionReport(
        **dict(_version(registry, registered.version)),
        name=registered.model.name,
        reference=registered.reference,
        aliases=registered.aliases,
        lineage={
            "run_id": run_id,
            "run_exists": run is not None,
            "run_name": run.name if run else None,
            "node": record.node if record else None,
            **_facts(registered.artifact),
        },
    )


def references_of(registry: ModelRegistry, artifact: str) -> list[str]:
    """Return the registered versions ``NAME@VERSION`` whose files are this output."""
    return [
        f"{model.name}@{version.version}"
        for model in registry.all()
        for version in model.versions
        if version.artifact == artifact
    ]


def _facts(model: Registrable) -> dict[str, Any]:
    """Return the model's own facts; for a script's model, its files."""
    described = model.description
    if isinstance(model, ForeignModel):
        files = described["files"]
        return {"framework": model.framework, "file": described["main"], "files": files}
    return {
        "pipeline": (described.get("pipeline") or {}).get("name"),
        "architecture": str(model.recipe.get("architecture", "")).removeprefix(OWN),
        "classes": list(model.classes),
        "input_size": described.get("input_size"),
        "best_epoch": described.get("best_epoch"),
        "training_parameters": described.get("training_parameters") or {},
        "dataset_fingerprint": described.get("dataset_fingerprint"),
        "versions": described.get("versions") or {},
    }


def _version(registry: ModelRegistry, version: ModelVersion) -> VersionEntry:
    artifact_id, _, port = version.artifact.partition("/")
    record = registry.artifacts.index.get(artifact_id)
    return VersionEntry.copied(
        version,
        type=registry.type_of(version),
        artifact_id=artifact_id,
        port=port,
        num_bytes=record.num_bytes if record else 0,
    )
