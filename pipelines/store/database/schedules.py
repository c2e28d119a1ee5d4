"""Schedules and their firings in the database."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NotRequired

from sqlalchemy import Connection, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from modules.sentences.sentence import StatementData
from pipelines.store.database.connections import Database
from pipelines.store.database.tables import firings, runs, schedules

MOST_FIRINGS = 1000
"""Number of firings that are kept of each schedule."""
Status = Literal["planned", "submitted", "skipped", "missed", "failed", "ended"]
"""``planned``: to be submitted; ``submitted``: its run has not ended; ``ended``: it has."""


@dataclass(frozen=True)
class ScheduleRow:
    """Stored schedule; ``settings`` and ``state`` are JSON of the automation."""

    name: str
    settings: dict[str, Any]
    state: dict[str, Any]
    paused: str | None
    created: float


class FiringReason(StatementData):
    """Statement with its English text; ``counted`` as one of the failures in a row."""

    message: str
    counted: NotRequired[bool]


@dataclass(frozen=True)
class Firing:
    """One planned time of a schedule and what became of it."""

    schedule: str
    planned: int
    status: Status
    created: float
    run_id: str | None
    reason: FiringReason | None

    @property
    def why(self) -> str | None:
        """Return the reason as text."""
        return None if self.reason is None else self.reason.get("message")


class ScheduleStore:
    """Schedules of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def all(self) -> list[ScheduleRow]:
        """Return the schedules by name."""
        query = select(schedules).order_by(schedules.c.name)
        with self.database.reading() as connection:
            return [ScheduleRow(**row) for row in connection.execute(query).mappings()]

    def get(self, name: str) -> ScheduleRow | None:
        return next((row for row in self.all() if row.name == name), None)

    def add(self, name: str, settings: Mapping[str, Any], state: Mapping[str, Any]) -> bool:
        """Add a schedule; return False if the name is used."""
        values = {"settings": dict(settings), "state": dict(state), "created": time.time()}
        try:
            with self.database.transaction() as connection:
                connection.execute(insert(schedules).values(name=name, **values))
        except IntegrityError:
            return False
        return True

    def delete(self, name: str) -> None:
        with self.database.transaction() as connection:
            connection.execute(delete(firings).where(firings.c.schedule == name))
            connection.execute(delete(schedules).where(schedules.c.name == name))

    def pause(self, name: str, reason: str | None) -> None:
        """Pause a schedule for a reason, or resume it with None."""
        with self.database.transaction() as connection:
            connection.execute(
                update(schedules).where(schedules.c.name == name).values(paused=reason)
            )

    def set_state(self, name: str, state: Mapping[str, Any]) -> None:
        with self.database.transaction() as connection:
            connection.execute(
                update(schedules).where(schedules.c.name == name).values(state=dict(state))
            )

    def plan(
        self,
        name: str,
        planned: int,
        status: Status = "planned",
        reason: Mapping[str, Any] | None = None,
    ) -> bool:
        """Add a firing; return False if another process has added it, or the schedule is gone."""
        row = {"schedule": name, "planned": planned, "status": status, "created": time.time()}
        try:
            with self.database.transaction() as connection:
                known = select(exists().where(schedules.c.name == name))
                if not connection.execute(known).scalar():
                    return False
                connection.execute(
                    insert(firings).values(**row, reason=None if reason is None else dict(reason))
                )
                _forget_oldest(connection, name)
        except IntegrityError:
            return False
        return True

    def set_firing(
        self,
        firing: Firing,
        status: Status,
        *,
        run_id: str | None = None,
        reason: Mapping[str, Any] | None = None,
    ) -> None:
        """Change the status of a firing, unless another process has changed it."""
        values: dict[str, object] = {"status": status}
        if run_id is not None:
            values["run_id"] = run_id
        if reason is not None:
            values["reason"] = dict(reason)
        is_it = (
            firings.c.schedule == firing.schedule,
            firings.c.planned == firing.planned,
            firings.c.status == firing.status,
        )
        with self.database.transaction() as connection:
            connection.execute(update(firings).where(*is_it).values(**values))

    def firings(self, name: str, limit: int = 20, status: Status | None = None) -> list[Firing]:
        """Return the newest firings of a schedule, newest first."""
        query = select(firings).where(firings.c.schedule == name)
        if status is not None:
            query = query.where(firings.c.status == status)
        with self.database.reading() as connection:
            rows = connection.execute(query.order_by(firings.c.planned.desc()).limit(limit))
            return [Firing(**row) for row in rows.mappings()]

    def run_statuses(self, name: str) -> dict[str, str]:
        """Return the statuses of the runs of submitted firings by run; deleted runs are absent."""
        query = (
            select(runs.c.id, runs.c.status)
            .select_from(firings.join(runs, firings.c.run_id == runs.c.id))
            .where(firings.c.schedule == name, firings.c.status == "submitted")
        )
        with self.database.reading() as connection:
            return {str(row.id): str(row.status) for row in connection.execute(query)}

    def has_enabled(self) -> bool:
        """Return True if a schedule is not paused."""
        query = select(exists().where(schedules.c.paused.is_(None)))
        with self.database.reading() as connection:
            return bool(connection.execute(query).scalar())


def _forget_oldest(connection: Connection, name: str) -> None:
    """Delete the firings of a schedule beyond ``MOST_FIRINGS``, except unfinished ones."""
    is_own = firings.c.schedule == name
    planned = select(firings.c.planned).where(is_own).order_by(firings.c.planned.desc())
    last = connection.execute(planned.offset(MOST_FIRINGS).limit(1)).scalar()
    if last is not None:
        is_over = firings.c.status.not_in(("planned", "submitted"))
        connection.execute(delete(firings).where(is_own, firings.c.planned <= last, is_over))
