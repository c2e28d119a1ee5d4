"""Published pipelines and their versions in the database."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sqlalchemy import delete, func, insert, select, update

from modules.schema_reference import DocumentData
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import serialise
from pipelines.store.database.tables import published, published_versions


@dataclass(frozen=True)
class PublishedVersion:
    """Frozen document of a published pipeline."""

    name: str
    version: int
    document: DocumentData
    description: str
    created: float


@dataclass(frozen=True)
class PublishedPipeline:
    """Name, description and versions of a published pipeline, oldest first."""

    name: str
    description: str
    created: float
    versions: list[PublishedVersion] = field(default_factory=list)

    @property
    def newest(self) -> PublishedVersion:
        return self.versions[-1]

    def version(self, number: int | None) -> PublishedVersion | None:
        """Return a version; the newest for None."""
        if number is None:
            return self.newest
        return next((version for version in self.versions if version.version == number), None)


class PublishedStore:
    """Published pipelines of one workspace. Each has one version or more."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[PublishedPipeline]:
        """Return the published pipelines by name."""
        ordered = select(published_versions).order_by(published_versions.c.version)
        with self.database.reading() as connection:
            versions: dict[str, list[PublishedVersion]] = {}
            for row in connection.execute(ordered).mappings():
                versions.setdefault(row["name"], []).append(PublishedVersion(**row))
            rows = connection.execute(select(published).order_by(published.c.name)).mappings()
            return [
                PublishedPipeline(
                    row["name"], row["description"], row["created"], versions[row["name"]]
                )
                for row in rows
                if row["name"] in versions
            ]

    def get(self, name: str) -> PublishedPipeline | None:
        return next((pipeline for pipeline in self.all() if pipeline.name == name), None)

    def add(
        self,
        name: str,
        document: DocumentData,
        version_description: str,
        description: str | None,
    ) -> int:
        """Add the next version, and the pipeline if it is new; return the version's number."""
        with self.database.transaction() as connection:
            serialise(connection, "published")
            query = select(published.c.last_version).where(published.c.name == name)
            last = connection.execute(query).scalar()
            if last is None:
                values = {"name": name, "description": "", "created": time.time()}
                connection.execute(insert(published).values(**values, last_version=0))
            number = int(last or 0) + 1
            connection.execute(
                insert(published_versions).values(
                    name=name,
                    version=number,
                    document=document,
                    description=version_description,
                    created=time.time(),
                )
            )
            changes: dict[str, object] = {"last_version": number}
            if description is not None:
                changes["description"] = description
            connection.execute(update(published).where(published.c.name == name).values(**changes))
        return number

    def delete(self, name: str, version: int | None) -> None:
        """Delete a version, or all; numbers are never used again."""
        with self.database.transaction() as connection:
            serialise(connection, "published")
            deletion = delete(published_versions).where(published_versions.c.name == name)
            if version is not None:
                deletion = deletion.where(published_versions.c.version == version)
            connection.execute(deletion)
            rest = select(func.count()).where(published_versions.c.name == name)
            if not connection.execute(rest).scalar():
                connection.execute(
                    update(published).where(published.c.name == name).values(description="")
                )
