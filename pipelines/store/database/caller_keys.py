"""Hashed keys of callers in the database."""

from __future__ import annotations

import time

from sqlalchemy import delete, insert, select

from pipelines.store.database.connections import Database
from pipelines.store.database.tables import caller_keys


class CallerKeyStore:
    """Digests of the keys of one owner, such as ``endpoint:birds``, by slot."""

    def __init__(self, database: Database, owner: str) -> None:
        self._database = database
        self._owner = owner

    def all(self) -> dict[int, tuple[str, float]]:
        """Return digest and creation time by slot."""
        query = select(caller_keys).where(caller_keys.c.owner == self._owner)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(caller_keys.c.slot)).mappings()
            return {row["slot"]: (row["digest"], row["created"]) for row in rows}

    def set(self, slot: int, digest: str | None) -> None:
        """Replace the digest of a slot, or remove it."""
        is_it = (caller_keys.c.owner == self._owner, caller_keys.c.slot == slot)
        with self._database.transaction() as connection:
            connection.execute(delete(caller_keys).where(*is_it))
            if digest is not None:
                connection.execute(
                    insert(caller_keys).values(
                        owner=self._owner, slot=slot, digest=digest, created=time.time()
                    )
                )

    def clear(self) -> None:
        """Remove all keys of the owner."""
        with self._database.transaction() as connection:
            connection.execute(delete(caller_keys).where(caller_keys.c.owner == self._owner))
