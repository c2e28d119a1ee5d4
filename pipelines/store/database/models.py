"""Registered models, their versions and aliases in the database."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from sqlalchemy import Connection, delete, func, insert, select, update

from pipelines.store.database.connections import Database
from pipelines.store.database.locking import serialise
from pipelines.store.database.tables import alias_moves, model_aliases, model_versions, models


class AliasRule(TypedDict):
    """Rule of an alias: the folder or dataset with its golden images."""

    golden: str


class AliasComparison(TypedDict, total=False):
    """Figures of two versions on golden images, or the ``error`` of their comparison."""

    golden: str
    current: int
    """Version that was compared with."""
    error: str
    images: int
    right: int
    before: int | None
    low: float | None
    is_as_good: bool


class NewVersion(TypedDict):
    """Version to add."""

    artifact: str
    run_id: str | None
    metrics: dict[str, float]
    description: NotRequired[str]
    content: NotRequired[str]
    """Hash of the weights."""


@dataclass(frozen=True)
class ModelVersion:
    """Version of a model. ``artifact`` is ``<artifact id>/<port>``."""

    version: int
    artifact: str
    run_id: str | None
    metrics: dict[str, float]
    created: float
    description: str = ""


@dataclass(frozen=True)
class AliasMove:
    """Change of an alias or of its rule: who made it, when and why."""

    alias: str
    moved: float
    version: int | None
    """None if the alias was removed."""
    previous: int | None
    """None if the alias is new."""
    rule: AliasRule | None
    """Rule of the alias after the change."""
    moved_by: str
    via: str
    reason: str
    comparison: AliasComparison | None
    """Figures of both versions, if the rule was checked."""
    forced: bool


@dataclass(frozen=True)
class RegisteredModel:
    """Named model with its versions (oldest first) and the targets of its aliases."""

    name: str
    description: str
    created: float
    versions: list[ModelVersion] = field(default_factory=list)
    aliases: dict[str, int] = field(default_factory=dict)
    rules: dict[str, AliasRule] = field(default_factory=dict)
    """Rules of aliases that have one."""

    @property
    def newest(self) -> ModelVersion:
        return self.versions[-1]

    def version(self, number: int) -> ModelVersion | None:
        return next((version for version in self.versions if version.version == number), None)

    def meant_by(self, text: str) -> ModelVersion | None:
        """Return the version of a number or alias; the newest for an empty text."""
        if not text:
            return self.newest
        if re.fullmatch(r"[0-9]{1,9}", text):
            return self.version(int(text))
        return self.version(self.aliases.get(text, 0))

    def references(self) -> Iterator[tuple[str, ModelVersion]]:
        """Yield the references to its versions: ``name``, ``name@version``, ``name@alias``."""
        if self.versions:
            yield self.name, self.newest
        for version in self.versions:
            yield f"{self.name}@{version.version}", version
        for alias in self.aliases:
            version_of_alias = self.meant_by(alias)
            if version_of_alias is not None:
                yield f"{self.name}@{alias}", version_of_alias


class ModelStore:
    """Registered models of one workspace. A model has one version or more."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[RegisteredModel]:
        """Return the models by name."""
        with self.database.reading() as connection:
            rows = list(connection.execute(select(models).order_by(models.c.name)).mappings())
            versions: dict[int, list[ModelVersion]] = {}
            for row in connection.execute(
                select(model_versions).order_by(model_versions.c.version)
            ).mappings():
                versions.setdefault(row["model_id"], []).append(_version(row))
            aliases: dict[int, dict[str, int]] = {}
            rules: dict[int, dict[str, AliasRule]] = {}
            for row in connection.execute(
                select(model_aliases).order_by(model_aliases.c.alias)
            ).mappings():
                aliases.setdefault(row["model_id"], {})[row["alias"]] = row["version"]
                if row["rule"] is not None:
                    rules.setdefault(row["model_id"], {})[row["alias"]] = row["rule"]
        return [
            RegisteredModel(
                row["name"],
                row["description"],
                row["created"],
                versions[row["id"]],
                aliases.get(row["id"], {}),
                rules.get(row["id"], {}),
            )
            for row in rows
            if row["id"] in versions
        ]

    def get(self, name: str) -> RegisteredModel | None:
        return next((model for model in self.all() if model.name == name), None)

    def artifacts_by_reference(self) -> dict[str, str]:
        """Return ``<artifact id>/<port>`` of each version by every reference to it."""
        return {
            reference: version.artifact
            for model in self.all()
            for reference, version in model.references()
        }

    def add(self, name: str, version: NewVersion, description: str | None = None) -> int:
        """Add the next version, and the model if it is new; return the version's number."""
        with self.database.transaction() as connection:
            serialise(connection, "models")
            model_id = _id(connection, name)
            if model_id is None:
                values = {"name": name, "description": "", "created": time.time()}
                result = connection.execute(insert(models).values(**values))
                model_id = int(result.inserted_primary_key[0])  # type: ignore[index]  # always set
            number = _last_number(connection, model_id) + 1
            connection.execute(
                insert(model_versions).values(
                    model_id=model_id, version=number, created=time.time(), **version
                )
            )
            if description is not None:
                _describe(connection, model_id, description)
        return number

    def describe(self, name: str, description: str) -> None:
        with self.database.transaction() as connection:
            _describe(connection, _id(connection, name), description)

    def change_alias(self, name: str, change: AliasMove) -> bool:
        """Set an alias and its rule, or remove them, and record the change.

        Returns:
            False if the alias meanwhile refers to another version than ``change.previous``.
        """
        with self.database.transaction() as connection:
            serialise(connection, "models")
            model_id = _id(connection, name)
            is_it = (model_aliases.c.model_id == model_id, model_aliases.c.alias == change.alias)
            query = select(model_aliases.c.version).where(*is_it)
            if connection.execute(query).scalar() != change.previous:
                return False
            connection.execute(delete(model_aliases).where(*is_it))
            if change.version is not None:
                values = {"alias": change.alias, "version": change.version, "rule": change.rule}
                connection.execute(insert(model_aliases).values(model_id=model_id, **values))
            moves = select(func.max(alias_moves.c.moved)).where(alias_moves.c.model_id == model_id)
            last = connection.execute(moves).scalar() or 0.0
            moved = max(change.moved, last + 1e-3)  # clocks can go back
            connection.execute(
                insert(alias_moves).values(model_id=model_id, **{**vars(change), "moved": moved})
            )
        return True

    def moves(self, name: str, most: int) -> list[AliasMove]:
        """Return the last changes of the aliases of a model, the newest first."""
        with self.database.reading() as connection:
            query = (
                select(alias_moves)
                .join(models, models.c.id == alias_moves.c.model_id)
                .where(models.c.name == name)
                .order_by(alias_moves.c.moved.desc())
                .limit(most)
            )
            rows = list(connection.execute(query).mappings())
        return [AliasMove(**{key: row[key] for key in row if key != "model_id"}) for row in rows]

    def delete(self, name: str, version: int | None) -> None:
        """Delete a version and its aliases, or the whole model; numbers are never reused."""
        with self.database.transaction() as connection:
            serialise(connection, "models")
            model_id = _id(connection, name)
            last = {"last_version": _last_number(connection, model_id)}
            connection.execute(update(models).where(models.c.id == model_id).values(**last))
            for table in (model_aliases, model_versions):
                deletion = delete(table).where(table.c.model_id == model_id)
                if version is not None:
                    deletion = deletion.where(table.c.version == version)
                connection.execute(deletion)
            remaining = select(func.count()).where(model_versions.c.model_id == model_id)
            if not connection.execute(remaining).scalar():
                _describe(connection, model_id, "")


def _version(row: Any) -> ModelVersion:
    return ModelVersion(
        row["version"],
        row["artifact"],
        row["run_id"],
        row["metrics"],
        row["created"],
        row["description"],
    )


def _id(connection: Connection, name: str) -> int | None:
    return connection.execute(select(models.c.id).where(models.c.name == name)).scalar()


def _last_number(connection: Connection, model_id: int | None) -> int:
    """Return the highest number that one of its versions has or had."""
    newest = select(func.max(model_versions.c.version)).where(model_versions.c.model_id == model_id)
    last = select(models.c.last_version).where(models.c.id == model_id)
    return max(connection.execute(query).scalar() or 0 for query in (newest, last))


def _describe(connection: Connection, model_id: int | None, description: str) -> None:
    connection.execute(
        update(models).where(models.c.id == model_id).values(description=description)
    )
