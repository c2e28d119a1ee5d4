"""Versions of named environments as rows: request and lock, as JSON."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, insert, select, update

from pipelines.store.database.connections import Database
from pipelines.store.database.locking import serialise
from pipelines.store.database.tables import environments

EnvironmentData = dict[str, Any]
"""Version of an environment as JSON (``pipelines.environments.record``)."""


class EnvironmentStore:
    """Environments of one workspace; version numbers are never reused."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[EnvironmentData]:
        """Return what each version contains, by name, with the newest version first."""
        query = (
            select(environments.c.content)
            .where(environments.c.removed.is_(None))
            .order_by(environments.c.name, environments.c.version.desc())
        )
        with self.database.reading() as connection:
            return [dict(row[0]) for row in connection.execute(query)]

    def get(self, name: str, version: int | None = None) -> EnvironmentData | None:
        """Return what a version contains, by default the newest; None if it does not exist."""
        query = (
            select(environments.c.content)
            .where(environments.c.name == name, environments.c.removed.is_(None))
            .order_by(environments.c.version.desc())
        )
        if version is not None:
            query = query.where(environments.c.version == version)
        with self.database.reading() as connection:
            row = connection.execute(query).first()
        return dict(row[0]) if row else None

    def add(self, name: str, key: str, content: Mapping[str, Any]) -> EnvironmentData:
        """Store the next version of a name; return it with its number and time."""
        newest = select(func.max(environments.c.version)).where(environments.c.name == name)
        with self.database.transaction() as connection:
            serialise(connection, "environments")
            version = (connection.execute(newest).scalar() or 0) + 1
            created = time.time()
            whole = {**content, "name": name, "version": version, "created": created, "key": key}
            connection.execute(
                insert(environments).values(
                    name=name, version=version, key=key, content=whole, created=created
                )
            )
        return whole

    def remove(self, name: str, version: int) -> bool:
        """Remove a version; return False if it does not exist."""
        query = update(environments).where(
            environments.c.name == name,
            environments.c.version == version,
            environments.c.removed.is_(None),
        )
        with self.database.transaction() as connection:
            return connection.execute(query.values(removed=time.time())).rowcount > 0
