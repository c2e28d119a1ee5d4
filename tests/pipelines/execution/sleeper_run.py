"""A run whose second step sleeps, for tests that interrupt it."""

from __future__ import annotations

from pipelines.document.document import PipelineDocument
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import build
from tests.polling import wait_for

SLEEPER = build(
    {"long": {"a": "two"}, "sum": {"a": "long", "b": "two"}},
    {
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 4.0},
        "sum": {"module": "add"},
    },
)


def start(runs: RunService, document: PipelineDocument = SLEEPER) -> str:
    """Submit a document, and wait until its step ``long`` runs."""
    run_id = runs.submit(RunRequest(document))
    wait_for(lambda: runs.store.state(run_id).steps["long"].status == "running")
    return run_id
