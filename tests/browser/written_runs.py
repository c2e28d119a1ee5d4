"""Runs that no runner executes: their events are written into the store by the test."""

from __future__ import annotations

from pipelines.events import Event
from pipelines.store.database.run_options import RunOptions
from tests.browser.served import Served
from tests.designer_app.documents import document, link, node

JUDGED = document(
    "judged",
    name="Judged",
    nodes=[node("two", "constant", value=2), node("sum", "add")],
    links=[link("two", "sum", "a"), link("two", "sum", "b")],
)


def begun(served: Served, pipeline: str, name: str) -> str:
    store = served.runs.store
    options = RunOptions(pipeline_id=pipeline)
    run_id = store.create(JUDGED, ["two", "sum"], name=name, experiment="Judged", options=options)
    store.append_to(run_id, [Event("RunStarted")])
    return run_id


def logged(value: float) -> Event:
    return Event("MetricLogged", "sum", {"name": "Overall_Accuracy", "step": 0, "value": value})


def step(node_id: str, artifact: str) -> Event:
    return Event("StepFinished", node_id, {"artifact_id": artifact, "seconds": 0.1})


def over(status: str = "completed") -> Event:
    return Event("RunFinished", data={"status": status})
