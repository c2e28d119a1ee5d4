"""Registered models as commands and the HTTP API return them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field, JsonValue

from modules.foreign_model import ForeignModel
from modules.json_model import JsonModel
from modules.models.recipe import OWN
from pipelines.registry.models import (
    GOLDEN_SET,
    ModelRegistry,
    ModelType,
    RegisteredVersion,
    Registrable,
)
from pipelines.sentences import _
from pipelines.store.database.models import AliasMove, ModelVersion, RegisteredModel


class VersionEntry(JsonModel):
    """Version of a model; its files are the output ``artifact_id/port``."""

    version: int
    type: ModelType = Field(
        description="ForeignModel: files of a script or an export, not accepted by Registered "
        "Model."
    )
    module: str | None = Field(
        description="Module that outputs it for Score Image Model: registered_model or onnx_model. "
        "Null for other files of a script."
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
    rules: dict[str, str] = Field(
        description="Golden images of aliases that move only to versions that are not worse."
    )
    versions: list[VersionEntry] = Field(description="Oldest first.")


class AliasMoveEntry(JsonModel):
    """Change of an alias or of its rule."""

    alias: str
    moved: float
    version: int | None = Field(description="Null if the alias was removed.")
    previous: int | None = Field(description="Null if the alias was new.")
    golden: str | None = Field(description="Golden images of its rule after the change.")
    author: str
    reason: str
    comparison: dict[str, JsonValue] | None = Field(
        description="Right answers of both versions on the golden images, if they were compared."
    )
    forced: bool = Field(description="True if it was moved against its rule.")
    change: str = Field(description="The change as text.")


class ModelVersionReport(VersionEntry):
    """Version of a model and its origin."""

    name: str
    reference: str = Field(description="Value for the model of Registered Model.")
    aliases: list[str]
    lineage: dict[str, JsonValue]


def model_entry(registry: ModelRegistry, model: RegisteredModel) -> ModelEntry:
    """Return a model with its versions, oldest first."""
    versions = [_version(registry, version) for version in model.versions]
    rules = {alias: str(rule.get(GOLDEN_SET, "")) for alias, rule in model.rules.items()}
    return ModelEntry.copied(model, versions=versions, rules=rules)


def move_entries(registry: ModelRegistry, name: str) -> list[AliasMoveEntry]:
    """Return the last changes of a model's aliases, the newest first."""
    return [
        AliasMoveEntry.copied(
            move,
            golden=None if move.rule is None else str(move.rule.get(GOLDEN_SET, "")),
            change=_change_text(move),
            author=_author(move),
        )
        for move in registry.moves(name)
    ]


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


def _change_text(move: AliasMove) -> str:
    if move.version is None:
        change = _("removed from version {previous}", previous=move.previous)
    elif move.previous == move.version:
        change = (
            _("rule removed") if move.rule is None else _("rule set: not worse on golden images")
        )
    elif move.previous is None:
        change = _("set to version {version}", version=move.version)
    else:
        facts = {"previous": move.previous, "version": move.version}
        change = _("moved from version {previous} to {version}", **facts)
    details = [change, *_comparison_texts(move.comparison or {})]
    if move.forced:
        details.append(_("forced"))
    return "; ".join(details)


def _comparison_texts(comparison: Mapping[str, Any]) -> Iterator[str]:
    if comparison.get("images"):
        facts = {key: comparison.get(key) for key in ("right", "images", "before")}
        yield _("{right} of {images} golden images right, {before} before", **facts)
    elif comparison.get("error"):
        yield _("not compared: {error}", error=str(comparison["error"]).rstrip("."))


def _author(move: AliasMove) -> str:
    ways = {
        "app": _("in the app"),
        "api": _("by the API"),
        "cli": _("on the command line"),
        "python": _("in Python"),
    }
    return " ".join(part for part in (move.moved_by, ways.get(move.via, "")) if part)


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
        module=registry.module_of(version),
        artifact_id=artifact_id,
        port=port,
        num_bytes=record.num_bytes if record else 0,
    )
