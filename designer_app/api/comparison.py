"""Endpoints for comparing runs side by side, their predictions, and pipelines."""

from __future__ import annotations

import re

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.identifiers import PATH_PATTERNS
from pipelines.document.document import PipelineDocument
from pipelines.document.graph_difference import PipelineDifference, pipeline_difference
from pipelines.errors import RunNotFoundError
from pipelines.inspection.pipeline_references import referenced_pipeline
from pipelines.runs.compared_runs import MAX_RUNS, MIN_RUNS, ComparedRuns
from pipelines.runs.comparison import Comparison, compare
from pipelines.runs.prediction_changes import FlipPage, flips

RUNS = f"{MIN_RUNS} to {MAX_RUNS} runs: run=A&run=B. All are compared with the first."
PAGE = 50


@ApiEndpoint("GET", "/api/compare", query={"run": RUNS}, errors=(400, 404))
def _compare(application: Application, call: Call) -> Comparison:
    """Runs side by side: parameters, metrics, curves, graphs, flipped predictions."""
    return compare(application.session.runs, _run_ids(application, call))


@ApiEndpoint(
    "GET",
    "/api/compare/flips",
    query={
        "run": RUNS,
        "node": "A node of `flips` in the comparison.",
        "limit": f"Maximum number: {PAGE}, up to 500.",
        "offset": "Number of entries to skip.",
    },
    errors=(400, 404),
)
def _flips(application: Application, call: Call) -> FlipPage:
    """Images whose prediction differs between runs, one page at a time."""
    compared = ComparedRuns(application.session.runs, _run_ids(application, call))
    limit = max(1, call.number("limit", PAGE, largest=500))
    return flips(compared, call.query.get("node", ""), call.number("offset", 0), limit)


@ApiEndpoint(
    "POST",
    "/api/compare/pipelines",
    takes=PipelineDocument,
    query={
        "with": "The baseline: pipeline:ID, pipeline:ID@REVISION, published:NAME, "
        "published:NAME@VERSION or run:ID."
    },
    errors=(404, 422),
)
def _pipelines(application: Application, call: Call) -> PipelineDifference:
    """Differences of a document from a pipeline, revision, published version or run."""
    session = application.session
    baseline = referenced_pipeline(
        call.query.get("with", ""), session.pipelines, session.published, session.runs
    )
    return pipeline_difference(baseline, call.document, session.catalog)


def _run_ids(application: Application, call: Call) -> list[str]:
    """Return the run ids in the query; raises ``ApiError``."""
    run_ids = list(dict.fromkeys(call.all("run")))
    for run_id in run_ids:
        known = re.fullmatch(PATH_PATTERNS["run_id"], run_id)
        if known is None or application.session.runs.store.record(run_id) is None:
            raise RunNotFoundError(run_id)
    if not MIN_RUNS <= len(run_ids) <= MAX_RUNS:
        raise ApiError(
            400,
            "invalid_request",
            sentences.RUNS_TO_COMPARE,
            count=len(run_ids),
            fewest=MIN_RUNS,
            most=MAX_RUNS,
        )
    return run_ids


ENDPOINTS = (_compare, _flips, _pipelines)
