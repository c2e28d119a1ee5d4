"""Registry of trained models: register, find by alias, describe, delete with checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from modules.artifacts import OnnxModel, TrainedModel, read_json
from modules.export.onnx_classifier import card_in
from modules.export.onnx_model import onnx_model
from modules.foreign_model import ForeignModel
from modules.models.registered_model import registered_model
from modules.schema_reference import DocumentData
from pipelines.document.node_parameters import parameter_texts
from pipelines.errors import InUseError, NotFoundError, RefusedError
from pipelines.registry.model_files import PORT, files_of_export, is_exported_type, type_in
from pipelines.registry.model_texts import check_alias, check_lengths, check_reason, check_texts
from pipelines.registry.pipeline_labels import labelled_documents
from pipelines.sentences import refusals
from pipelines.store.artifacts.artifact_store import ArtifactStore
from pipelines.store.artifacts.manifest import MANIFEST
from pipelines.store.database.connections import Database
from pipelines.store.database.endpoints import EndpointStore
from pipelines.store.database.models import (
    AliasComparison,
    AliasMove,
    AliasRule,
    ModelStore,
    ModelVersion,
    NewVersion,
    RegisteredModel,
)
from pipelines.store.database.pipelines import PipelineStore
from pipelines.store.database.published import PublishedStore
from pipelines.store.database.runs import RunStore

SHOWN_MOVES = 50
GOLDEN_SET: Final = "golden"
"""Key of an alias's rule with its golden images."""
Registrable = TrainedModel | ForeignModel
TYPES: dict[str, type[Registrable]] = {kind.__name__: kind for kind in (TrainedModel, ForeignModel)}
"""Output types that can be registered as models."""
ModelType = Literal["TrainedModel", "ForeignModel"]


@dataclass(frozen=True)
class Mover:
    """Author of a change of an alias: the user, how it was made (``cli``), and why."""

    user: str
    via: str
    reason: str = ""


UNNAMED = Mover("", "")
"""Author of changes by programs that name none."""


@dataclass(frozen=True)
class RegisteredVersion:
    """Version of a model and its files."""

    model: RegisteredModel
    version: ModelVersion
    artifact: Registrable

    @property
    def reference(self) -> str:
        """Return ``name@version``."""
        return f"{self.model.name}@{self.version.version}"

    @property
    def aliases(self) -> list[str]:
        named = self.model.aliases.items()
        return [alias for alias, number in named if number == self.version.version]


class ModelRegistry:
    """Registered models of a workspace. Unknown ones raise ``NotFoundError``."""

    def __init__(self, database: Database, artifacts: ArtifactStore) -> None:
        self.store = ModelStore(database)
        self.artifacts = artifacts
        self.runs = RunStore(database)
        self._pipelines = PipelineStore(database)
        self._published = PublishedStore(database)
        self._endpoints = EndpointStore(database)

    def all(self) -> list[RegisteredModel]:
        """Return the models by name."""
        return self.store.all()

    def find(self, reference: str) -> RegisteredVersion:
        """Return the version behind ``NAME``, ``NAME@VERSION`` or ``NAME@ALIAS``."""
        name, _, selector = reference.partition("@")
        model = self.store.get(name)
        if model is None:
            raise NotFoundError(refusals.NO_MODEL, model=name[:100])
        version = model.meant_by(selector)
        if version is None:
            raise NotFoundError(refusals.NO_VERSION, model=name, version=selector[:100])
        return RegisteredVersion(model, version, _opened(self._folder(version)))

    def type_of(self, version: ModelVersion) -> ModelType:
        """Return the output type of a version."""
        is_trained = isinstance(_opened(self._folder(version)), TrainedModel)
        return "TrainedModel" if is_trained else "ForeignModel"

    def module_of(self, version: ModelVersion) -> str | None:
        """Return the id of the module that outputs a version for Score Image Model.

        None for files of a script and exports in other formats than ONNX.
        """
        model = _opened(self._folder(version))
        if isinstance(model, TrainedModel):
            return registered_model.id
        try:
            is_onnx = model.main_path.suffix.lower() == ".onnx" and model.main_path.is_file()
        except (OSError, LookupError, ValueError):  # damaged: its page reports it
            return None
        return onnx_model.id if is_onnx and card_in(model.path / "files") else None

    def _folder(self, version: ModelVersion) -> Path:
        artifact_id, _, port = version.artifact.partition("/")
        return self.artifacts.folder(artifact_id, port)

    def register(
        self,
        artifact_id: str,
        port: str,
        name: str,
        *,
        description: str | None = None,
        version_description: str = "",
        alias: str | None = None,
        by: Mover = UNNAMED,
    ) -> RegisteredVersion:
        """Register a model as the next version of a name; raises ``RefusedError`` for others.

        It was trained or made here, exported as ONNX, or written by a script. It stays when its run
        is deleted.
        """
        check_texts(name, description, alias)
        check_lengths(version_description)
        self._check_free(name, alias)
        with self.artifacts.referring():
            if is_exported_type(type_in(self.artifacts.folder(artifact_id, port))):
                artifact_id, port = files_of_export(self.artifacts, artifact_id, port), PORT
            version = self._version_of(artifact_id, port, version_description)
            return self._enter(name, version, description, alias, by)

    def register_made(
        self,
        make: Callable[[], str],
        port: str,
        name: str,
        description: str | None,
        alias: str | None,
        by: Mover = UNNAMED,
    ) -> RegisteredVersion:
        """Register the artifact that ``make`` creates and whose id it returns; see ``register``.

        Nothing is removed in between: until it is registered, nothing refers to it.
        """
        check_texts(name, description, alias)
        self._check_free(name, alias)
        with self.artifacts.referring():
            version = self._version_of(make(), port, "")
            return self._enter(name, version, description, alias, by)

    def _check_free(self, name: str, alias: str | None) -> None:
        """Raise ``RefusedError`` if the alias has a rule: a new version has to be compared."""
        model = self.store.get(name)
        if model is not None and alias in model.rules:
            raise RefusedError(refusals.ALIAS_HAS_RULE, model=name, alias=alias)

    def _enter(
        self,
        name: str,
        version: NewVersion,
        description: str | None,
        alias: str | None,
        by: Mover,
    ) -> RegisteredVersion:
        number = self.store.add(name, version, description)
        if alias is not None:
            self.set_alias(name, alias, number, by)
        return self.find(f"{name}@{number}")

    def _version_of(self, artifact_id: str, port: str, description: str) -> NewVersion:
        """Return the row of a version for this output. Raises the errors of ``register``."""
        record = self.artifacts.index.get(artifact_id)
        folder = self.artifacts.folder(artifact_id, port)
        if record is None or record.damaged or not folder.is_dir():
            raise NotFoundError(refusals.NO_OUTPUT, output=f"{artifact_id}/{port}")
        manifest = read_json(folder / MANIFEST)
        if manifest["type"] not in TYPES:
            raise RefusedError(refusals.NO_TRAINED_MODEL, port=port, type=manifest["type"])
        model = _opened(folder)
        if isinstance(model, ForeignModel) and not model.has_files:
            raise RefusedError(refusals.NO_MODEL_WRITTEN, port=port)
        described: Mapping[str, Any] = model.description
        if isinstance(model, ForeignModel):  # only files of Export Model have a card
            described = card_in(model.path / "files")
        return {
            "artifact": f"{artifact_id}/{port}",
            "run_id": record.run_id or None,
            "metrics": _numbers(described.get("metrics")),
            "description": description,
            "content": manifest["content"].get("model.safetensors", ""),
        }

    def trained_by(self, run_id: str) -> list[tuple[str, str, str]]:
        """Return node, artifact id and port of the models that a run produced or reused."""
        return self._outputs_by(run_id, TrainedModel)

    def written_by(self, run_id: str) -> list[tuple[str, str, str]]:
        """Return the same for models that its scripts wrote."""
        return self._outputs_by(run_id, ForeignModel)

    def exported_by(self, run_id: str) -> list[tuple[str, str, str]]:
        """Return the same for models that it exported as ONNX."""
        return self._outputs_by(run_id, OnnxModel)

    def _outputs_by(
        self, run_id: str, kind: type[Registrable | OnnxModel]
    ) -> list[tuple[str, str, str]]:
        outputs = []
        for node, step in self.runs.state(run_id).steps.items():
            for port, folder in self.artifacts.outputs(step).items():
                is_kind = read_json(Path(folder) / MANIFEST)["type"] == kind.__name__
                if is_kind and (kind is not ForeignModel or ForeignModel(Path(folder)).has_files):
                    outputs.append((node, str(step.artifact_id), port))
        return outputs

    def describe(self, name: str, description: str) -> RegisteredModel:
        """Set the description of a model."""
        check_lengths(description)
        self.store.describe(self.find(name).model.name, description)
        return self.find(name).model

    def set_alias(
        self,
        name: str,
        alias: str,
        version: int | None,
        by: Mover = UNNAMED,
        *,
        comparison: AliasComparison | None = None,
        forced: bool = False,
    ) -> RegisteredModel:
        """Set an alias to a version; None removes the alias.

        Args:
            name: The model.
            alias: Its alias.
            version: The version.
            by: Who changes it, and why.
            comparison: Figures of both versions on the golden images of the alias's rule, and
                ``current``, the version that it was compared with.
            forced: True to move it against its rule.

        Raises:
            RefusedError: The alias has a rule, and neither figures nor force permit the change.
        """
        check_alias(alias)
        check_reason(by.reason)
        model = self.find(name if version is None else f"{name}@{version}").model
        current, rule = model.aliases.get(alias), model.rules.get(alias)
        if version is None and current is None:
            raise NotFoundError(refusals.NO_ALIAS, model=name, alias=alias)
        if version is not None and version == current:
            return model
        if rule is not None and not forced:
            if version is None:
                raise RefusedError(refusals.ALIAS_REMOVAL_BY_FORCE, model=model.name, alias=alias)
            if comparison is not None and comparison.get("current") != current:
                raise RefusedError(refusals.ALIAS_MOVED_MEANWHILE, model=model.name, alias=alias)
            if not (comparison or {}).get("is_as_good"):
                raise RefusedError(refusals.ALIAS_HAS_RULE, model=model.name, alias=alias)
        forced = forced and rule is not None
        kept = None if version is None else rule
        self._change(model, alias, version, kept, by, comparison, forced=forced)
        return self.find(name).model

    def set_rule(self, name: str, alias: str, rule: AliasRule | None, by: Mover) -> RegisteredModel:
        """Set the rule by which an alias moves; None removes it."""
        check_reason(by.reason)
        model = self.find(name).model
        version = model.aliases.get(alias)
        if version is None:
            raise NotFoundError(refusals.NO_ALIAS, model=name, alias=alias[:100])
        if rule != model.rules.get(alias):
            self._change(model, alias, version, rule, by, None, forced=False)
        return self.find(name).model

    def _change(
        self,
        model: RegisteredModel,
        alias: str,
        version: int | None,
        rule: AliasRule | None,
        by: Mover,
        comparison: AliasComparison | None,
        *,
        forced: bool,
    ) -> None:
        change = AliasMove(
            alias=alias,
            moved=time.time(),
            version=version,
            previous=model.aliases.get(alias),
            rule=rule,
            moved_by=by.user,
            via=by.via,
            reason=by.reason,
            comparison=comparison,
            forced=forced,
        )
        if not self.store.change_alias(model.name, change):
            raise RefusedError(refusals.ALIAS_MOVED_MEANWHILE, model=model.name, alias=alias)

    def moves(self, name: str) -> list[AliasMove]:
        """Return the last changes of a model's aliases and their rules, the newest first."""
        return self.store.moves(self.find(name).model.name, SHOWN_MOVES)

    def users(self, name: str, version: int | None = None) -> list[str]:
        """Return saved pipelines and unfinished runs that need a model or that version.

        A version also is in use by its aliases with rules: they would lose the version that others
        are compared with.
        """
        model = self.find(name).model
        remaining = [
            other for other in model.versions if version is not None and other.version != version
        ]
        references = dict(model.references())
        reduced = RegisteredModel(model.name, "", 0.0, remaining, _aliases_of(model, remaining))
        missed = set(references) - (set(dict(reduced.references())) if remaining else set())
        if version is not None and model.newest.version == version:
            missed.add(model.name)  # would silently use another version
        serving = [
            row
            for row in self._endpoints.all()
            if missed & {row.settings.get("model"), row.settings.get("challenger")}
        ]
        return [
            *(user for user, document in self._documents() if _needs(document, missed)),
            *(f"the endpoint {row.name}" for row in serving),
            *(
                f"the alias {alias}, which has a rule"
                for alias, number in model.aliases.items()
                if number == version and alias in model.rules
            ),
        ]

    def delete(self, name: str, version: int | None = None) -> None:
        """Delete a model or one version. Raises ``InUseError`` if it is needed.

        The files are removed with the last run that refers to them, or by ``designer gc``.
        """
        reference = name if version is None else f"{name}@{version}"
        self.find(reference)
        users = self.users(name, version)
        if users:
            raise InUseError(refusals.MODEL_IN_USE, reference, users)
        self.store.delete(name, version)

    def _documents(self) -> Iterator[tuple[str, DocumentData]]:
        yield from labelled_documents(self._pipelines, self._published)
        for run_id in self.runs.unfinished():
            record = self.runs.record(run_id)
            if record is not None:
                yield f"the run {run_id}", record.document


def _opened(folder: Path) -> Registrable:
    """Return the model in a folder according to its manifest; without one, a trained one."""
    try:
        kind = read_json(folder / MANIFEST)["type"]
    except (OSError, ValueError, LookupError, TypeError):
        kind = TrainedModel.__name__
    return TYPES.get(kind, TrainedModel)(folder)


def model_references(document: DocumentData) -> set[str]:
    """Return the references to registered models in a document's nodes."""
    nodes = (registered_model.id, onnx_model.id)
    return set().union(*(parameter_texts(document, node, "model") for node in nodes))


def _needs(document: DocumentData, missed: set[str]) -> bool:
    return bool(model_references(document) & missed)


def _aliases_of(model: RegisteredModel, versions: Iterable[ModelVersion]) -> dict[str, int]:
    numbers = {version.version for version in versions}
    return {alias: number for alias, number in model.aliases.items() if number in numbers}


def _numbers(metrics: Any) -> dict[str, float]:
    """Return those metrics of a model that are valid JSON numbers."""
    items = metrics.items() if isinstance(metrics, dict) else ()
    return {
        str(name): float(value)
        for name, value in items
        if isinstance(value, int | float) and abs(float(value)) < float("inf")
    }
