"""Points of curves as rows: the newest value of a step counts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, delete, insert

from pipelines.events import Event
from pipelines.store.database.tables import metrics


def write_metrics(connection: Connection, run_id: str, new_events: Sequence[Event]) -> None:
    """Store the points among a run's events, within a transaction of the caller."""
    points = {
        (event.node, event.data["name"], event.data["step"]): event
        for event in new_events
        if event.kind == "MetricLogged"
    }
    if not points:
        return
    # a resumed step logs its last epoch again: the newest value counts
    old = delete(metrics).where(
        metrics.c.run_id == run_id,
        metrics.c.node == bindparam("owner"),
        metrics.c.name == bindparam("curve"),
        metrics.c.step == bindparam("at"),
    )
    connection.execute(
        old, [{"owner": node, "curve": name, "at": step} for node, name, step in points]
    )
    rows = [
        {
            "run_id": run_id,
            "node": node,
            "name": name,
            "step": step,
            "value": _known(event.data["value"]),
            "time": event.time,
        }
        for (node, name, step), event in points.items()
    ]
    connection.execute(insert(metrics), rows)


def _known(value: float | None) -> float | None:
    """Return None for NaN: SQLite stores none, and PostgreSQL would sort it as the largest."""
    return None if value is None or math.isnan(value) else value
