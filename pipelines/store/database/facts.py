"""Single facts of a workspace: its identity and where its outputs are."""

from __future__ import annotations

import secrets

from sqlalchemy import delete, insert, select

from pipelines.store.database.connections import Database
from pipelines.store.database.tables import facts

WORKSPACE, ARTIFACTS = "workspace", "artifacts"


class WorkspaceFacts:
    """Facts of one workspace, by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def own_id(self) -> str:
        """Return the unique id of the workspace, created on first use."""
        stored = self._get(WORKSPACE)
        if stored is None:
            self._set(WORKSPACE, secrets.token_hex(8))
            stored = self._get(WORKSPACE)
            assert stored is not None
        return stored

    @property
    def artifacts_address(self) -> str | None:
        """Return the address of the object store for outputs; None if there is none."""
        return self._get(ARTIFACTS)

    def remember_address(self, address: str) -> None:
        """Record the address of outputs unless another is recorded."""
        self._set(ARTIFACTS, address)

    def forget_address(self) -> None:
        """Record that no outputs are in an object store."""
        with self._database.transaction() as connection:
            connection.execute(delete(facts).where(facts.c.name == ARTIFACTS))

    def _get(self, name: str) -> str | None:
        with self._database.reading() as connection:
            return connection.execute(select(facts.c.value).where(facts.c.name == name)).scalar()

    def _set(self, name: str, value: str) -> None:
        """Set a fact unless it exists, also if two processes do so at once."""
        existing = select(facts.c.name).where(facts.c.name == name).exists()
        with self._database.transaction() as connection:
            if not connection.execute(select(existing)).scalar():
                connection.execute(insert(facts).values(name=name, value=value))
