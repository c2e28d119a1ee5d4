"""Sweeps and their trials in the database."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from modules.schema_reference import DocumentData
from modules.search.spaces import TrialValues
from modules.sentences.sentence import StatementData
from pipelines.store.database.connections import Database
from pipelines.store.database.runs import new_run_id
from pipelines.store.database.tables import runs, sweep_trials, sweeps

SweepState = Literal["running", "stopping", "stopped", "completed", "failed"]
"""``stopping``: no trial is started, and those that run are being cancelled."""
TrialState = Literal[
    "planned",
    "running",
    "interrupted",
    "paused",
    "completed",
    "failed",
    "cancelled",
    "stopped",
]
"""``planned``: to be submitted; ``interrupted``: to be resumed; ``paused``: at a rung of successive
halving; ``stopped``: early, because it fell behind others."""
STATE_BEFORE_REPEATS = "state_before_repeats"
"""Note of a sweep that only runs repetitions of its trials: its state before."""
ACTIVE: tuple[SweepState, ...] = ("running", "stopping")


class StoredReason(StatementData):
    """Statement with its English text."""

    message: str
    cure: str


@dataclass(frozen=True)
class SweepRow:
    """Stored sweep; ``settings`` are those of the document with the strategy resolved."""

    id: str
    name: str
    document: DocumentData
    settings: dict[str, Any]
    options: dict[str, Any]
    state: SweepState
    reason: StoredReason | None
    notes: dict[str, Any]
    pipeline_id: str | None
    created: float
    started: float
    """Time of the last start: at first or by a resumption."""
    finished: float | None

    @property
    def why(self) -> str | None:
        """Return the message of the reason."""
        return None if self.reason is None else self.reason.get("message")


@dataclass(frozen=True)
class TrialRow:
    """Stored trial."""

    sweep: str
    number: int
    values: TrialValues
    state: TrialState
    run_id: str | None
    objective: float | None
    epoch: int | None
    reason: StoredReason | None
    created: float
    finished: float | None

    @property
    def why(self) -> str | None:
        """Return the message of the reason."""
        return None if self.reason is None else self.reason.get("message")


class SweepStore:
    """Sweeps of one workspace."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(
        self,
        name: str,
        document: Mapping[str, Any],
        settings: Mapping[str, Any],
        options: Mapping[str, Any],
        pipeline_id: str | None,
    ) -> str:
        """Add a running sweep; return its id."""
        now = time.time()
        row = {
            "name": name,
            "document": dict(document),
            "settings": dict(settings),
            "options": dict(options),
            "state": "running",
            "notes": {},
            "pipeline_id": pipeline_id,
            "created": now,
            "started": now,
        }
        while True:
            sweep_id = new_run_id()
            try:
                with self.database.transaction() as connection:
                    connection.execute(insert(sweeps).values(id=sweep_id, **row))
            except IntegrityError:
                if self.get(sweep_id) is None:
                    raise  # not because the id already exists in this second
            else:
                return sweep_id

    def all(self, limit: int = 1000) -> list[SweepRow]:
        """Return the sweeps, newest first."""
        query = select(sweeps).order_by(sweeps.c.created.desc(), sweeps.c.id.desc()).limit(limit)
        with self.database.reading() as connection:
            return [SweepRow(**row) for row in connection.execute(query).mappings()]

    def get(self, sweep_id: str) -> SweepRow | None:
        query = select(sweeps).where(sweeps.c.id == sweep_id)
        with self.database.reading() as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else SweepRow(**row)

    def find(self, text: str) -> list[str]:
        """Return the ids that start with ``text`` or have it as their last part, newest first."""
        ends = sweeps.c.id.endswith(f"-{text}", autoescape=True)
        is_it = or_(sweeps.c.id.startswith(text, autoescape=True), ends)
        query = select(sweeps.c.id).where(is_it).order_by(sweeps.c.created.desc())
        with self.database.reading() as connection:
            return list(connection.execute(query).scalars())

    def active(self) -> list[SweepRow]:
        """Return the sweeps that have not ended, oldest first."""
        query = select(sweeps).where(sweeps.c.state.in_(ACTIVE)).order_by(sweeps.c.created)
        with self.database.reading() as connection:
            return [SweepRow(**row) for row in connection.execute(query).mappings()]

    def has_active(self) -> bool:
        """Return True if a sweep has not ended."""
        query = select(exists().where(sweeps.c.state.in_(ACTIVE)))
        with self.database.reading() as connection:
            return bool(connection.execute(query).scalar())

    def set_state(
        self,
        sweep_id: str,
        state: SweepState,
        *,
        only_from: Sequence[SweepState],
        reason: Mapping[str, Any] | None = None,
    ) -> bool:
        """Change the state; return False if the sweep is in none of the states ``only_from``."""
        values: dict[str, object] = {
            "state": state,
            "reason": None if reason is None else dict(reason),
        }
        if state == "running":
            values |= {"started": time.time(), "finished": None}
        elif state not in ACTIVE:
            values["finished"] = time.time()
        is_it = (sweeps.c.id == sweep_id, sweeps.c.state.in_(only_from))
        with self.database.transaction() as connection:
            done = connection.execute(update(sweeps).where(*is_it).values(**values))
            return bool(done.rowcount)

    def set_settings(self, sweep_id: str, settings: Mapping[str, Any]) -> None:
        with self.database.transaction() as connection:
            connection.execute(
                update(sweeps).where(sweeps.c.id == sweep_id).values(settings=dict(settings))
            )

    def set_notes(self, sweep_id: str, notes: Mapping[str, Any]) -> None:
        with self.database.transaction() as connection:
            connection.execute(
                update(sweeps).where(sweeps.c.id == sweep_id).values(notes=dict(notes))
            )

    def plan(
        self, sweep_id: str, number: int, values: Mapping[str, Any], epoch: int | None
    ) -> bool:
        """Add a trial; return False if the sweep has ended or another process has added it."""
        row = {
            "sweep": sweep_id,
            "number": number,
            "values": dict(values),
            "state": "planned",
            "epoch": epoch,
        }
        is_running = (sweeps.c.id == sweep_id, sweeps.c.state == "running")
        try:
            with self.database.transaction() as connection:
                if not connection.execute(select(exists().where(*is_running))).scalar():
                    return False
                connection.execute(insert(sweep_trials).values(**row, created=time.time()))
        except IntegrityError:
            return False
        return True

    def plan_repeats(
        self,
        sweep_id: str,
        first_number: int,
        repeats: Sequence[Mapping[str, Any]],
        *,
        only_from: Sequence[SweepState],
    ) -> bool:
        """Add repetitions and let the sweep run them; return False if its state does not allow it.

        ``first_number`` is the number of its trials.
        """
        rows = [
            {
                "sweep": sweep_id,
                "number": first_number + position,
                "values": dict(values),
                "state": "planned",
                "created": time.time(),
            }
            for position, values in enumerate(repeats)
        ]
        is_it = (sweeps.c.id == sweep_id, sweeps.c.state.in_(only_from))
        query = select(sweeps.c.state, sweeps.c.notes).where(*is_it)
        try:
            with self.database.transaction() as connection:
                row = connection.execute(query).first()
                if row is None:
                    return False
                connection.execute(
                    update(sweeps)
                    .where(*is_it)
                    .values(
                        state="running",
                        finished=None,
                        notes={STATE_BEFORE_REPEATS: row.state, **(row.notes or {})},
                    )
                )
                connection.execute(insert(sweep_trials), rows)
        except IntegrityError:  # another process has added trials
            return False
        return True

    def end_repeats(self, sweep_id: str, state: SweepState) -> None:
        """Give a sweep back the state that it had before its repetitions."""
        is_it = (sweeps.c.id == sweep_id, sweeps.c.state == "running")
        with self.database.transaction() as connection:
            notes = connection.execute(select(sweeps.c.notes).where(*is_it)).scalar() or {}
            rest = {name: note for name, note in notes.items() if name != STATE_BEFORE_REPEATS}
            values = {"state": state, "finished": time.time(), "notes": rest}
            connection.execute(update(sweeps).where(*is_it).values(**values))

    def resume(self, sweep_id: str, *, only_from: Sequence[SweepState]) -> None:
        """Let a sweep run all trials that are left."""
        is_it = (sweeps.c.id == sweep_id, sweeps.c.state.in_(only_from))
        with self.database.transaction() as connection:
            notes = connection.execute(select(sweeps.c.notes).where(*is_it)).scalar() or {}
            rest = {name: note for name, note in notes.items() if name != STATE_BEFORE_REPEATS}
            now = {"started": time.time(), "finished": None}
            values = {"state": "running", "reason": None, "notes": rest, **now}
            connection.execute(update(sweeps).where(*is_it).values(**values))

    def set_trial(self, sweep_id: str, number: int, **values: Any) -> None:
        """Change columns of a trial."""
        is_it = (sweep_trials.c.sweep == sweep_id, sweep_trials.c.number == number)
        with self.database.transaction() as connection:
            connection.execute(update(sweep_trials).where(*is_it).values(**values))

    def trials(self, sweep_id: str) -> list[TrialRow]:
        """Return the trials of a sweep by number."""
        query = select(sweep_trials).where(sweep_trials.c.sweep == sweep_id)
        with self.database.reading() as connection:
            rows = connection.execute(query.order_by(sweep_trials.c.number)).mappings()
            return [TrialRow(**row) for row in rows]

    def num_trials(self) -> dict[str, int]:
        """Return the number of trials by sweep."""
        query = select(sweep_trials.c.sweep, func.count()).group_by(sweep_trials.c.sweep)
        with self.database.reading() as connection:
            return {row[0]: int(row[1]) for row in connection.execute(query)}

    def run_statuses(self, sweep_id: str) -> dict[str, str]:
        """Return the statuses of the runs of open trials by run; deleted runs are absent."""
        query = (
            select(runs.c.id, runs.c.status)
            .select_from(sweep_trials.join(runs, sweep_trials.c.run_id == runs.c.id))
            .where(
                sweep_trials.c.sweep == sweep_id,
                sweep_trials.c.state.in_(("running", "paused")),
            )
        )
        with self.database.reading() as connection:
            return {str(row.id): str(row.status) for row in connection.execute(query)}
