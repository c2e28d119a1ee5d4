"""Events that a running step has already reported, for a runner that adopts it."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import func, select

from pipelines.store.database.connections import Database
from pipelines.store.database.tables import events, of_kinds


def count_reported_events(database: Database, run_id: str, node: str) -> Counter[tuple[str, int]]:
    """Return the number of events of each kind by rank of a step's latest attempt."""
    of_step = (events.c.run_id == run_id, events.c.node == node)
    started = select(func.max(events.c.id)).where(*of_step, of_kinds("StepStarted"))
    query = select(events.c.kind, events.c.data).where(*of_step)
    query = query.where(events.c.id > started.scalar_subquery())
    with database.reading() as connection:
        rows = connection.execute(query).all()
    return Counter((kind, data.get("rank", 0)) for kind, data in rows if _is_own(kind, data))


def _is_own(kind: str, data: dict[str, object]) -> bool:
    """Return False for the target's reports about it."""
    return kind != "StepPhase" or "rank" in data
