"""Runs that are submitted over HTTP, and runs whose events a test writes."""

from __future__ import annotations

from typing import Any

from pipelines.events import Event
from pipelines.store.database.run_options import RunOptions
from pipelines.store.database.runs import RunStore
from tests.designer_app.documents import document
from tests.designer_app.http import Client, Server
from tests.polling import wait_for

FINISHED = Event("RunFinished", data={"status": "completed"})
NODES = ("a", "b")


def submit(client: Client, content: dict[str, Any], **more: Any) -> str:
    """Submit a document and return the key of its run."""
    answer = client.post("/api/runs", {"document": content, **more})
    assert answer.status == 201, answer.body
    return str(answer.json["run_id"])


def ended(client: Client, run_id: str) -> dict[str, Any]:
    """Wait for the end of a run and return its report."""

    def look() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(f"/api/runs/{run_id}").json
        return found if found["status"] not in ("queued", "running") else None

    return wait_for(look)


def new_run(server: Server) -> tuple[RunStore, str]:
    """Create a run of two nodes that no runner executes."""
    store = server.application.session.runs.store
    options = RunOptions(pipeline_id="toy")
    return store, store.create(document(), list(NODES), name="n", experiment="e", options=options)
