"""A run of a thousand nodes with two hundred thousand metric points, written into the store."""

from __future__ import annotations

import math
from typing import Any

from sqlalchemy import insert

from pipelines.events import Event
from pipelines.execution.runner_lock import announce, try_lock
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.tables import events, metrics
from tests.designer_app.documents import document, link, node
from tests.polling import wait_for

NODES = 1_000
ROW = 40
CURVES = ("Train loss", "Valid loss")
STEPS = 100
BEGAN = 1_700_000_000.0


def large_run(runs: RunService) -> str:
    """The id of the run: 1,000 nodes in rows of forty, two curves of 100 points at each."""
    runs.runner.stop()
    # else a runner would execute it; the server looks for one with this lock for a moment
    lock = wait_for(lambda: try_lock(runs.workspace.runner_lock_path))
    announce(runs.workspace)
    try:
        return _written(runs)
    finally:
        lock.close()


def _written(runs: RunService) -> str:
    names = [f"n{place}" for place in range(NODES)]
    run_id = runs.store.create(
        _document(names), names, name="Large", experiment="large", options=RunOptions()
    )
    steps = [event for place, name in enumerate(names) for event in _step(place, name)]
    end = Event("RunFinished", data={"status": "completed"}, time=BEGAN + NODES + 1)
    runs.store.append_to(run_id, [Event("RunStarted", time=BEGAN), *steps, end])
    points = [point for place, name in enumerate(names) for point in _points(place, name)]
    with runs.database.transaction() as connection:
        connection.execute(insert(metrics), [{"run_id": run_id, **point} for point in points])
        connection.execute(insert(events), [_event(run_id, point) for point in points])
    return run_id


def _document(names: list[str]) -> dict[str, Any]:
    nodes = [
        {
            **node(name, "constant" if place % ROW == 0 else "sleep"),
            "position": {"x": 272 * (place % ROW), "y": 136 * (place // ROW)},
        }
        for place, name in enumerate(names)
    ]
    links = [
        link(names[place - 1], name, "a") for place, name in enumerate(names) if place % ROW != 0
    ]
    return document("large", nodes=nodes, links=links)


def _step(place: int, name: str) -> list[Event]:
    begin = BEGAN + place
    return [
        Event("StepQueued", name, {"key": f"{place:064d}"}, begin),
        Event("StepStarted", name, {"attempt": 1}, begin),
        Event("StepFinished", name, {"artifact_id": f"a{place}"}, begin + 1),
    ]


def _points(place: int, name: str) -> list[dict[str, Any]]:
    return [
        {
            "node": name,
            "name": curve,
            "step": step,
            "value": math.exp(-step / 20) + place / NODES,
            "time": BEGAN + place + step / STEPS,
        }
        for curve in CURVES
        for step in range(STEPS)
    ]


def _event(run_id: str, point: dict[str, Any]) -> dict[str, Any]:
    data = {name: point[name] for name in ("name", "step", "value")}
    facts = {"run_id": run_id, "kind": "MetricLogged", "node": point["node"]}
    return {**facts, "time": point["time"], "data": data}
