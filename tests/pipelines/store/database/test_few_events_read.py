"""Of a run that logged many points, what it told besides is read without a look at those."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from pipelines.events import Event
from pipelines.runs.cost import run_cost
from pipelines.store.database.connections import Database
from pipelines.store.database.lineage import environment_of
from pipelines.store.database.runs import RunStore
from pipelines.store.database.step_timings import num_starts, past_steps
from pipelines.store.database.told_events import count_reported_events
from pipelines.workspace import Workspace

READERS: dict[str, Callable[[RunStore, str], object]] = {
    "the cost of a run": lambda store, run_id: run_cost(store, run_id),
    "how often it began": lambda store, run_id: num_starts(store.database, run_id),
    "how long steps took": lambda store, _: past_steps(store.database, lambda _: {}),
    "where it ran": lambda store, run_id: environment_of(store.database, run_id),
    "its interruptions": lambda store, run_id: store.count_since_queued(run_id, "RunInterrupted"),
    "when a step began": lambda store, run_id: count_reported_events(store.database, run_id, "a"),
}


@contextmanager
def questions(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """What is asked of the database meanwhile."""
    asked: list[tuple[str, Any]] = []

    def note(_1: Any, _2: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    yield asked
    event.remove(database.engine, "before_cursor_execute", note)


@pytest.mark.parametrize("reader", READERS)
def test_points_of_curves_are_passed_over(tmp_path: Path, reader: str) -> None:
    database = Database.open(Workspace.at(tmp_path / "workspace"))
    store = RunStore(database)
    run_id = store.create({"nodes": []}, ["a"], name="n", experiment="e")
    results = [Event("RunStarted"), Event("StepStarted", "a", {"attempt": 1})]
    points = ({"name": "loss", "value": 1.0, "step": step} for step in range(50))
    store.append_to(run_id, [*results, *(Event("MetricLogged", "a", point) for point in points)])
    with questions(database) as asked:
        READERS[reader](store, run_id)
    of_events = [item for item in asked if "FROM events" in item[0]]
    assert of_events
    with database.reading() as connection:
        for statement, parameters in of_events:
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plan = " ".join(str(row) for row in rows)
            assert "events_but_points" in plan, plan
    database.close()
