"""Compute targets: two built-in ones and those of the user."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select

from pipelines.errors import NameTakenError, NotFoundError, RefusedError
from pipelines.sentences import refusals
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import serialise
from pipelines.store.database.tables import targets

BUILT_IN: Mapping[str, Mapping[str, int]] = {
    "local": {"simulated_nodes": 0},
    "simulated": {"simulated_nodes": 4},
}
"""This machine, and four simulated nodes that share it, for learning and testing."""


@dataclass(frozen=True)
class TargetRecord:
    """Named compute target and its settings."""

    name: str
    kind: str
    settings: Mapping[str, Any]


class TargetStore:
    """Compute targets of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[TargetRecord]:
        """Return the built-in ones first, then the user's by name."""
        with self.database.reading() as connection:
            rows = connection.execute(select(targets).order_by(targets.c.name)).mappings().all()
        built_in = [TargetRecord(name, "local", settings) for name, settings in BUILT_IN.items()]
        added = [TargetRecord(row["name"], row["kind"], row["settings"]) for row in rows]
        return [*built_in, *added]

    def add(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        """Add a target; an existing one is never changed (``NameTakenError``)."""
        if name in BUILT_IN:
            raise NameTakenError(refusals.TARGET_BUILT_IN, target=name)
        with self.database.transaction() as connection:
            serialise(connection, "targets")
            if connection.execute(select(targets).where(targets.c.name == name)).first():
                raise NameTakenError(refusals.TARGET_TAKEN, target=name)
            connection.execute(
                insert(targets).values(
                    name=name, kind=kind, settings=dict(settings), created=time.time()
                )
            )

    def remove(self, name: str) -> None:
        """Remove a user's target; runs that used it stay unchanged.

        Raises ``RefusedError`` for a built-in one, ``NotFoundError`` for an unknown one.
        """
        if name in BUILT_IN:
            raise RefusedError(refusals.TARGET_STAYS, target=name)
        with self.database.transaction() as connection:
            num_deleted = connection.execute(delete(targets).where(targets.c.name == name)).rowcount
        if not num_deleted:
            raise NotFoundError(refusals.NO_TARGET, target=name)
