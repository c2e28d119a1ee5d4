"""Locks of transactions that may write at once; SQLite has only one writer."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select, text

from pipelines.store.database.tables import runs

LOCK_CLASS = 0x64657369
"""First number of every advisory lock, different from other programs'."""
NAMES_LOCKS = LOCK_CLASS + 1


def lock_runs(connection: Connection, run_ids: Iterable[str]) -> None:
    """Lock these runs against other writers until the transaction ends; SQLite has one writer.

    All runs of a transaction at once and in order, to avoid deadlocks.
    """
    if connection.dialect.name == "sqlite":
        return
    of_these = select(runs.c.id).where(runs.c.id.in_(sorted(run_ids)))
    connection.execute(of_these.order_by(runs.c.id).with_for_update())


def serialise(connection: Connection, kind: str) -> None:
    """Lock this kind of object until the transaction ends, because names and numbers are assigned.

    SQLite has only one writer.
    """
    if connection.dialect.name == "postgresql":
        query = text("SELECT pg_advisory_xact_lock(:group, hashtext(:what))")
        connection.execute(query, {"group": NAMES_LOCKS, "what": kind})
