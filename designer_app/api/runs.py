"""Endpoints for runs: queue, show, cancel, resume."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.document.binds import SEPARATOR
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.document.parts import NodePath
from pipelines.errors import RunNotFoundError, RunUnderWayError
from pipelines.events import RunState
from pipelines.execution.heartbeat import runner_problem
from pipelines.forecasting.run_forecast import forecast_past_run
from pipelines.runs.curves import (
    FEWEST_POINTS,
    MAX_POINTS,
    MAX_POINTS_IN_ALL,
    RunCurves,
    thinned_metrics,
)
from pipelines.runs.report import RunReport, run_report
from pipelines.runs.run_request import RunRequest
from pipelines.store.database.run_options import root_texts
from pipelines.store.database.runs import RunRecord


class RunSubmission(JsonModel):
    """Request to queue a run.

    Without a name, the run is named after the changes since the previous run. The default
    experiment is the pipeline's.
    """

    document: Document
    pipeline_id: str | None = Field(None, max_length=64)
    name: str | None = Field(None, max_length=200)
    experiment: str | None = Field(None, max_length=200)
    description: str = Field("", max_length=20_000)
    to: NodePath | None = Field(None, description="Run only this node and the nodes that it needs.")
    target: str | None = Field(None, max_length=64, description="Replaces the document's target.")
    only: list[str] = Field(
        [],
        max_length=10_000,
        description="Selected nodes, if the document contains only what they need.",
    )
    forced: list[str] = Field(
        [], max_length=10_000, description="Run these nodes and all following ones again."
    )


class RunCreated(JsonModel):
    run_id: str


class RunAnswer(RunReport):
    """Run: the report of ``designer runs show --json``, its state and the submitted document."""

    runner_problem: str | None = Field(
        description="Error message and fix if the runner is frozen; otherwise null."
    )
    description: str
    pipeline_id: str | None
    to: str | None
    target: str | None
    only: list[str]
    note: str
    tags: list[str]
    from_run: str | None
    created: float
    last_event_id: int
    state: RunState
    document: PipelineDocument


class RunStatus(JsonModel):
    """State of a run after a request."""

    run_id: str
    status: str
    stopping: list[str] = Field(
        default=[], description="Nodes that stop early and keep their best result."
    )


@ApiEndpoint(
    "POST", "/api/runs", takes=RunSubmission, gives=RunCreated, status=201, errors=(422, 503)
)
def _submit(application: Application, call: Call) -> Reply:
    """Queue a run of a document. It may read below the home folder, the workspace and
    DESIGNER_DATA_ROOTS, never from the whole disk.
    """
    request: RunSubmission = call.body
    document = application.prepared(_with_target(parse_document(request.document), request.target))
    run_id = application.session.runs.submit(
        RunRequest(
            document,
            name=request.name,
            experiment=request.experiment,
            to_node=request.to,
            allowed_roots=root_texts(application.settings.allowed_roots),
            description=request.description,
            pipeline_id=request.pipeline_id,
            forced=tuple(request.forced),
            target=request.target,
            only=tuple(request.only),
        )
    )
    return Reply(RunCreated(run_id=run_id), 201, {"Location": f"/api/runs/{run_id}"})


def _with_target(document: PipelineDocument, target: str | None) -> PipelineDocument:
    if target is None:
        return document
    settings = {**document.settings.model_dump(mode="json"), "target": target}
    return parse_document({**document.to_json(), "settings": settings})


@ApiEndpoint("GET", "/api/runs/{run_id}", errors=(404,))
def _show(application: Application, call: Call) -> RunAnswer:
    """State of a run."""
    runs = application.session.runs
    record = found_run(application, call)
    runs.runner.refresh()
    state, last_event_id = runs.store.snapshot(record.id)
    forecast = forecast_past_run(runs, record.id)
    row, options = application.session.history.row(record.id), record.options
    return RunAnswer(
        **dict(run_report(runs, record.id, state, forecast=forecast)),
        runner_problem=None if state.is_finished else runner_problem(runs.workspace),
        description=options.description,
        pipeline_id=options.pipeline_id,
        to=options.to_node,
        target=options.target,
        only=list(options.only),
        note=row.note,
        tags=list(row.tags),
        from_run=row.from_run,
        created=record.created,
        last_event_id=last_event_id,
        state=state,
        document=parse_document(record.document),  # may have an older format
    )


@ApiEndpoint("GET", "/api/runs/{run_id}/document", errors=(404,))
def _document(application: Application, call: Call) -> PipelineDocument:
    """The pipeline of a run."""
    return parse_document(found_run(application, call).document)  # may have an older format


def found_run(application: Application, call: Call) -> RunRecord:
    """Return the requested run; raises ``ApiError``."""
    record = application.session.runs.store.record(call.path["run_id"])
    if record is None:
        raise RunNotFoundError(call.path["run_id"])
    return record


def node_path(call: Call) -> str:
    """Return the requested node; inside a sub-pipeline its slashes are encoded as dots."""
    return call.path["node"].replace(".", SEPARATOR)


@ApiEndpoint("POST", "/api/runs/{run_id}/cancel", errors=(404, 409))
def _cancel(application: Application, call: Call) -> RunStatus:
    """Cancel a run; finished nodes are kept."""
    record = _under_way(application, call)
    application.session.runs.cancel(record.id)
    return _status(application, record.id)


@ApiEndpoint("POST", "/api/runs/{run_id}/stop-and-keep", errors=(404, 409))
def _stop_and_keep(application: Application, call: Call) -> RunStatus:
    """Finish its trainings early and continue with the best model of each."""
    record = _under_way(application, call)
    stopping = application.session.runs.stop_and_keep(record.id)
    return _status(application, record.id, stopping)


@ApiEndpoint("POST", "/api/runs/{run_id}/resume", errors=(404, 409, 503))
def _resume(application: Application, call: Call) -> RunStatus:
    """Resume a failed or cancelled run."""
    record = found_run(application, call)
    application.session.runner.refresh()
    if not application.session.runs.store.state(record.id).is_finished:
        raise RunUnderWayError(record.id)
    application.session.runs.resume(record.id)
    return _status(application, record.id)


def _under_way(application: Application, call: Call) -> RunRecord:
    record = found_run(application, call)
    if application.session.runs.store.state(record.id).is_finished:
        raise ApiError(409, "already_ended", sentences.ALREADY_ENDED)
    return record


def _status(application: Application, run_id: str, stopping: Sequence[str] = ()) -> RunStatus:
    status = application.session.runs.store.state(run_id).status
    return RunStatus(run_id=run_id, status=status, stopping=list(stopping))


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/metrics",
    query={
        "node": "Only those of this one.",
        "points": "Maximum points of a curve: default 1,000, up to 100,000, also for all "
        "curves together.",
    },
    errors=(404,),
)
def _metrics(application: Application, call: Call) -> RunCurves:
    """All curves of a run, downsampled without losing extremes."""
    record = found_run(application, call)
    most = max(FEWEST_POINTS, call.number("points", MAX_POINTS, largest=MAX_POINTS_IN_ALL))
    curves = thinned_metrics(
        application.session.runs.store, record.id, call.query.get("node"), most=most
    )
    return RunCurves(run_id=record.id, metrics=curves)


ENDPOINTS = (_submit, _show, _document, _cancel, _stop_and_keep, _resume, _metrics)
