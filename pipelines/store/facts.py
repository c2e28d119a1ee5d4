"""A few single facts of a workspace: who it is, where its outputs lie."""

from __future__ import annotations

import secrets

from sqlalchemy import delete, insert, select

from pipelines.store.database import Database
from pipelines.store.tables import facts

WORKSPACE, ARTIFACTS = "workspace", "artifacts"


class WorkspaceFacts:
    """The facts of one workspace, by name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def own_id(self) -> str:
        """What tells the workspace from all others; made at first use."""
        known = self._get(WORKSPACE)
        if known is None:
            self._set(WORKSPACE, secrets.token_hex(8))
            known = self._get(WORKSPACE)
            assert known is not None
        return known

    @property
    def artifacts_address(self) -> str | None:
        """The object store that holds outputs; None where none does."""
        return self._get(ARTIFACTS)

    def remember_address(self, address: str) -> None:
        """Outputs lie there from now on, unless they lie elsewhere already."""
        self._set(ARTIFACTS, address)

    def forget_address(self) -> None:
        """No output lies in an object store any more."""
        with self._database.transaction() as connection:
            connection.execute(delete(facts).where(facts.c.name == ARTIFACTS))

    def _get(self, name: str) -> str | None:
        with self._database.reading() as connection:
            return connection.execute(select(facts.c.value).where(facts.c.name == name)).scalar()

    def _set(self, name: str, value: str) -> None:
        """The first one counts, also where two processes set it at once."""
        there = select(facts.c.name).where(facts.c.name == name).exists()
        with self._database.transaction() as connection:
            if not connection.execute(select(there)).scalar():
                connection.execute(insert(facts).values(name=name, value=value))
