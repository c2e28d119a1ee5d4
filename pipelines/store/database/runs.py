"""Runs and their steps, events and metrics in the database."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, tuple_, update
from sqlalchemy.engine import RowMapping
from sqlalchemy.exc import IntegrityError

from modules.schema_reference import DocumentData
from pipelines.events import Event, RunState, StepState, apply
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import lock_runs, serialise
from pipelines.store.database.metric_rows import write_metrics
from pipelines.store.database.run_options import DEFAULTS, RunOptions
from pipelines.store.database.tables import events, experiments, metrics, of_kinds, runs, steps

STEP_FIELDS = tuple(field.name for field in fields(StepState))
_STEP = tuple(steps.c[name] for name in STEP_FIELDS)
_EVENT = (events.c.kind, events.c.node, events.c.data, events.c.time, events.c.id)


@dataclass(frozen=True)
class RunRecord:
    """Submission of a run; its state is stored separately."""

    id: str
    name: str
    experiment: str
    document: DocumentData
    options: RunOptions
    created: float


@dataclass(frozen=True)
class MetricPoint:
    """Point of a curve."""

    node: str
    name: str
    step: int
    value: float | None
    time: float


def new_run_id() -> str:
    """Return a short id that sorts by time."""
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"


class RunStore:
    """Runs of one workspace. Every write appends events and updates the rows folded from them."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(
        self,
        document: DocumentData,
        nodes: Sequence[str],
        *,
        name: str,
        experiment: str,
        options: RunOptions = DEFAULTS,
    ) -> str:
        """Queue a run and return its id."""
        row = {
            "name": name,
            "status": "queued",
            "document": document,
            "options": options.to_json(),
            "cancel_requested": False,
            "pipeline_id": options.pipeline_id,
        }
        while True:
            run_id = new_run_id()
            try:
                self._insert(run_id, row, experiment, nodes)
            except IntegrityError:
                if self.record(run_id) is None:
                    raise  # not because the id already exists in this second
            else:
                return run_id

    def _insert(
        self, run_id: str, row: dict[str, object], experiment: str, nodes: Sequence[str]
    ) -> None:
        with self.database.transaction() as connection:
            experiment_id = _experiment_id(connection, experiment)
            added = insert(runs).values(
                id=run_id, experiment_id=experiment_id, created=time.time(), **row
            )
            connection.execute(added)
            queued = Event("RunQueued", data={"nodes": list(nodes)})
            _append(connection, run_id, RunState(), [queued])

    def append(
        self,
        run_id: str,
        state: RunState,
        new_events: Sequence[Event],
        fence: Callable[[Connection], None] | None = None,
    ) -> None:
        """Apply events to ``state`` and record both in one transaction.

        ``fence`` raises, in it, if they must not be written any more.
        """
        if not new_events:
            return
        try:
            with self.database.transaction() as connection:
                if fence is not None:
                    fence(connection)
                lock_runs(connection, [run_id])
                _append(connection, run_id, state, new_events)
        except Exception:
            state.__dict__.update(self.state(run_id).__dict__)  # what was recorded before
            raise

    def append_to(self, run_id: str, new_events: Sequence[Event]) -> RunState:
        """Append events without the state; return the resulting state."""
        with self.database.transaction() as connection:
            lock_runs(connection, [run_id])
            state = _state(connection, run_id)
            _append(connection, run_id, state, new_events)
        return state

    def record(self, run_id: str) -> RunRecord | None:
        """Return a run as submitted; None if the id does not exist."""
        query = _records().where(runs.c.id == run_id)
        with self.database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return _record(row) if row else None

    def set_options(self, run_id: str, options: RunOptions) -> None:
        """Change a run's options before it is queued again."""
        with self.database.transaction() as connection:
            changed = update(runs).where(runs.c.id == run_id).values(options=options.to_json())
            connection.execute(changed)

    def find(self, text: str) -> list[str]:
        """Return the ids that start with ``text`` or have it as their last part, newest first."""
        ends = runs.c.id.endswith(f"-{text}", autoescape=True)
        query = select(runs.c.id).where(runs.c.id.startswith(text, autoescape=True) | ends)
        with self.database.reading() as connection:
            return list(connection.execute(query.order_by(runs.c.created.desc())).scalars())

    def newest(self, *, experiment: str | None = None, limit: int = 50) -> list[RunRecord]:
        """Return the newest runs, newest first."""
        query = _records().order_by(runs.c.created.desc(), runs.c.id.desc()).limit(limit)
        if experiment is not None:
            query = query.where(experiments.c.name == experiment)
        with self.database.reading() as connection:
            return [_record(row) for row in connection.execute(query).mappings()]

    def experiments(self) -> list[str]:
        """Return the names of the experiments, the newest first."""
        query = select(experiments.c.name).order_by(experiments.c.created.desc())
        with self.database.reading() as connection:
            return list(connection.execute(query).scalars())

    def state(self, run_id: str) -> RunState:
        """Return the current state of a run."""
        with self.database.reading() as connection:
            return _state(connection, run_id)

    def snapshot(self, run_id: str) -> tuple[RunState, int]:
        """Return the state of a run and the id of its last event, both of the same moment."""
        last_id = select(func.max(events.c.id)).where(events.c.run_id == run_id)
        with self.database.reading() as connection:
            return _state(connection, run_id), connection.execute(last_id).scalar() or 0

    def state_of_step(self, run_id: str, node: str) -> StepState | None:
        """Return the state of one node of a run; None if the run was deleted."""
        query = select(*_STEP).where(steps.c.run_id == run_id, steps.c.node == node)
        with self.database.reading() as connection:
            row = connection.execute(query).first()
        return StepState(*row) if row else None

    def summaries(self, made_by: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the steps' summaries of their outputs by run id and node, where there are any."""
        columns = (steps.c.run_id, steps.c.node, steps.c.summary)
        query = select(*columns).where(steps.c.summary.is_not(None))
        query = query.where(tuple_(steps.c.run_id, steps.c.node).in_(made_by))
        with self.database.reading() as connection:
            return {(run_id, node): text for run_id, node, text in connection.execute(query)}

    def unfinished(self) -> list[str]:
        """Return the ids of queued and running runs, oldest first."""
        return list(self.requests())

    def request_cancel(self, run_id: str) -> None:
        """Request the cancellation of a run from its runner."""
        self.append_to(run_id, [Event("RunCancelRequested")])

    def requests(self) -> dict[str, bool]:
        """Return the queued and running runs, oldest first; True for those to be cancelled."""
        query = select(runs.c.id, runs.c.cancel_requested)
        query = query.where(runs.c.status.in_(("queued", "running"))).order_by(runs.c.created)
        with self.database.reading() as connection:
            return {row.id: row.cancel_requested for row in connection.execute(query)}

    def count_since_queued(self, run_id: str, kind: str) -> int:
        """Return the number of events of a kind since the run was last submitted."""
        of_run = select(func.max(events.c.id)).where(events.c.run_id == run_id)
        queued = of_run.where(of_kinds("RunQueued")).scalar_subquery()
        query = select(func.count()).where(events.c.run_id == run_id, of_kinds(kind))
        with self.database.reading() as connection:
            return int(connection.execute(query.where(events.c.id > queued)).scalar_one())

    def events_after(self, run_id: str, event_id: int = 0, limit: int = 10_000) -> list[Event]:
        """Return the events of a run after a given one, in order."""
        query = (
            select(*_EVENT)
            .where(events.c.run_id == run_id, events.c.id > event_id)
            .order_by(events.c.id)
            .limit(limit)
        )
        with self.database.reading() as connection:
            return [Event(*row) for row in connection.execute(query)]

    def events_of(self, run_id: str, kinds: Collection[str]) -> list[Event]:
        """Return all events of a run of these kinds, in order."""
        query = select(*_EVENT).where(events.c.run_id == run_id, of_kinds(*kinds))
        with self.database.reading() as connection:
            rows = connection.execute(query).all()
        # not sorted by the database, which would read all events of the run in their order
        return sorted((Event(*row) for row in rows), key=lambda event: event.id or 0)

    def metrics(self, run_id: str, node: str | None = None) -> list[MetricPoint]:
        """Return every point of every curve of a run, ordered by node, name and step."""
        columns = (metrics.c.node, metrics.c.name, metrics.c.step, metrics.c.value, metrics.c.time)
        query = select(*columns).where(metrics.c.run_id == run_id)
        if node is not None:
            query = query.where(metrics.c.node == node)
        order = (metrics.c.node, metrics.c.name, metrics.c.step)
        with self.database.reading() as connection:
            return [MetricPoint(*row) for row in connection.execute(query.order_by(*order))]

    def curve_names(self, run_id: str, node: str | None = None) -> list[tuple[str, str]]:
        """Return the node and name of every curve of a run, in order."""
        columns = (metrics.c.node, metrics.c.name)
        query = select(*columns).where(metrics.c.run_id == run_id).distinct().order_by(*columns)
        if node is not None:
            query = query.where(metrics.c.node == node)
        with self.database.reading() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def curves(
        self, run_id: str, names: Iterable[tuple[str, str]]
    ) -> Iterator[tuple[str, str, Sequence[Row[int, float | None, float]]]]:
        """Yield node, name, and step, value and time of each point by step: one curve at a time."""
        query = (
            select(metrics.c.step, metrics.c.value, metrics.c.time)
            .where(metrics.c.run_id == run_id)
            .where(metrics.c.node == bindparam("owner"), metrics.c.name == bindparam("curve"))
            .order_by(metrics.c.step)
        )
        with self.database.reading() as connection:
            for node, name in names:
                result = connection.execute(query, {"owner": node, "curve": name})
                yield node, name, result.all()

    def last_values(
        self, run_id: str, node: str | None = None
    ) -> dict[str, dict[str, float | None]]:
        """Return the value of the last step by node, then by metric."""
        last = (
            select(metrics.c.node, metrics.c.name, func.max(metrics.c.step).label("step"))
            .where(metrics.c.run_id == run_id)
            .group_by(metrics.c.node, metrics.c.name)
        )
        if node is not None:
            last = last.where(metrics.c.node == node)
        ends = last.subquery()
        query = (
            select(metrics.c.node, metrics.c.name, metrics.c.value)
            .where(metrics.c.run_id == run_id)
            .join(
                ends,
                (metrics.c.node == ends.c.node)
                & (metrics.c.name == ends.c.name)
                & (metrics.c.step == ends.c.step),
            )
            .order_by(metrics.c.node, metrics.c.name)
        )
        values: dict[str, dict[str, float | None]] = {}
        with self.database.reading() as connection:
            for owner, name, value in connection.execute(query):
                values.setdefault(owner, {})[name] = value
        return values


def _records() -> Any:
    columns = (runs.c.id, runs.c.name, runs.c.document, runs.c.options, runs.c.created)
    return select(*columns, experiments.c.name.label("experiment")).join(experiments)


def _record(row: RowMapping) -> RunRecord:
    values = {field.name: row[field.name] for field in fields(RunRecord)}
    return RunRecord(**{**values, "options": RunOptions.from_json(row["options"])})


def _experiment_id(connection: Connection, name: str) -> int:
    serialise(connection, "experiments")
    existing = connection.execute(
        select(experiments.c.id).where(experiments.c.name == name)
    ).scalar()
    if existing is not None:
        return int(existing)
    result = connection.execute(insert(experiments).values(name=name, created=time.time()))
    return int(result.inserted_primary_key[0])  # type: ignore[index]  # set by every insert


def _state(connection: Connection, run_id: str) -> RunState:
    run = connection.execute(select(runs).where(runs.c.id == run_id)).mappings().one()
    rows = connection.execute(select(steps.c.node, *_STEP).where(steps.c.run_id == run_id))
    states = {node: StepState(*facts) for node, *facts in rows}
    return RunState(
        status=run["status"],
        started=run["started"],
        finished=run["finished"],
        cancel_requested=run["cancel_requested"],
        problem=run["problem"],
        steps=states,
    )


def _append(
    connection: Connection, run_id: str, state: RunState, new_events: Sequence[Event]
) -> None:
    for event in new_events:
        apply(state, event)
    insert_events(connection, run_id, state, new_events)


def insert_events(
    connection: Connection, run_id: str, state: RunState, new_events: Sequence[Event]
) -> None:
    """Insert events that ``state`` already contains, within a transaction of the caller.

    It has locked the run (``lock_runs``): otherwise their ids could be below those of events
    already read, and clients that ask for later events would miss them.
    """
    touched = {event.node for event in new_events if event.node}
    if any(event.kind == "RunQueued" for event in new_events):
        touched = set(state.steps)
    rows = [
        {"run_id": run_id, "time": e.time, "kind": e.kind, "node": e.node, "data": e.data}
        for e in new_events
    ]
    connection.execute(_INSERT_EVENTS, rows)
    write_metrics(connection, run_id, new_events)
    _write_steps(connection, run_id, state, touched)
    if any(event.node is None for event in new_events):
        _write_run(connection, run_id, state, new_events)


def write_state(connection: Connection, run_id: str, state: RunState) -> None:
    """Write a run's rows according to all its events."""
    queued = Event("RunQueued", data={"nodes": list(state.steps)})
    _write_steps(connection, run_id, state, list(state.steps))
    _write_run(connection, run_id, state, [queued])


def _write_run(
    connection: Connection, run_id: str, state: RunState, new_events: Sequence[Event]
) -> None:
    values = {
        "status": state.status,
        "started": state.started,
        "finished": state.finished,
        "problem": state.problem,
    }
    if any(event.kind in ("RunQueued", "RunCancelRequested") for event in new_events):
        # only then: its runner may not have seen a request made just before
        values["cancel_requested"] = state.cancel_requested
    if any(event.kind == "RunQueued" for event in new_events):
        values["results"] = None  # it continues: its results so far are not final
    connection.execute(update(runs).where(runs.c.id == run_id).values(**values))


def _write_steps(
    connection: Connection, run_id: str, state: RunState, nodes: Iterable[str]
) -> None:
    rows = [{"of_run": run_id, "of_node": node, **vars(state.steps[node])} for node in nodes]
    if not rows or connection.execute(_UPDATE_STEPS, rows).rowcount == len(rows):
        return
    of_steps = (steps.c.run_id == run_id, steps.c.node.in_([row["of_node"] for row in rows]))
    connection.execute(delete(steps).where(*of_steps))
    facts = [{name: row[name] for name in STEP_FIELDS} for row in rows]
    keys = [{"run_id": run_id, "node": row["of_node"]} for row in rows]
    connection.execute(insert(steps), [k | f for k, f in zip(keys, facts, strict=True)])


# Built once: building a statement takes longer than running it.
_INSERT_EVENTS = insert(events)
_UPDATE_STEPS = update(steps).where(
    steps.c.run_id == bindparam("of_run"), steps.c.node == bindparam("of_node")
)
