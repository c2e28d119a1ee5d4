"""What a transaction locks first where several may write at once; SQLite has one writer."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select, text

from pipelines.store.tables import runs

LOCK_CLASS = 0x64657369
"""The first number of every advisory lock; those of other programs have another."""
NAMES_LOCKS = LOCK_CLASS + 1


def lock_runs(connection: Connection, run_ids: Iterable[str]) -> None:
    """Let nobody else write about these runs before the transaction ends; SQLite has one writer.

    All of a transaction at once, and in order: two that wait for each other would both end.
    """
    if connection.dialect.name == "sqlite":
        return
    of_these = select(runs.c.id).where(runs.c.id.in_(sorted(run_ids)))
    connection.execute(of_these.order_by(runs.c.id).with_for_update())


def serialise(connection: Connection, what: str) -> None:
    """Let nobody else write of this kind before the transaction ends: names and numbers are given.

    SQLite has but one writer.
    """
    if connection.dialect.name == "postgresql":
        query = text("SELECT pg_advisory_xact_lock(:group, hashtext(:what))")
        connection.execute(query, {"group": NAMES_LOCKS, "what": what})
