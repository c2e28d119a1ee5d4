"""Endpoints for published pipelines: list, publish, run with other values, remove."""

from __future__ import annotations

from pydantic import Field, JsonValue

from designer_app.api.answers import Deleted
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.errors import error_response
from designer_app.application import Application
from designer_app.schemas.documents import Document
from modules.json_model import JsonModel
from pipelines.automation.schedules import Schedules
from pipelines.document.document import PipelineDocument, PipelineParameter, parse_document
from pipelines.errors import TooManyCallsError
from pipelines.runs.published_runs import PublishedRuns
from pipelines.runs.report import RunReport, run_report
from pipelines.store.database.published import PublishedPipeline, PublishedVersion


class PublishedEntry(JsonModel):
    """Published pipeline; its versions are numbered from 1, oldest first."""

    name: str
    description: str
    created: float
    versions: list[int]


class PublishedList(JsonModel):
    published: list[PublishedEntry]


class PublishedReport(PublishedEntry):
    """Published pipeline with one of its versions."""

    version: int
    note: str = Field(description="Description of the version.")
    parameters: list[PipelineParameter]
    document: PipelineDocument


class Publication(JsonModel):
    """Request to publish a document."""

    name: str = Field(max_length=100)
    document: Document
    description: str | None = Field(None, max_length=20_000)
    note: str = Field("", max_length=20_000)


class PublishedCall(JsonModel):
    """Request to run a published pipeline."""

    parameters: dict[str, JsonValue] = Field(default_factory=dict, max_length=1000)
    version: int | None = Field(None, ge=1, description="Null: the newest.")


class CallAnswer(JsonModel):
    """Run that was started, or that the idempotency key had started before."""

    run_id: str
    address: str = Field(description="Address of the run's report.")
    is_new: bool


@ApiEndpoint("GET", "/api/published")
def _list(application: Application, _call: Call) -> PublishedList:
    """The published pipelines."""
    entries = application.session.published.all()
    return PublishedList(published=[PublishedEntry(**_facts(entry)) for entry in entries])


def _facts(pipeline: PublishedPipeline) -> dict[str, object]:
    return {
        "name": pipeline.name,
        "description": pipeline.description,
        "created": pipeline.created,
        "versions": [version.version for version in pipeline.versions],
    }


@ApiEndpoint(
    "POST", "/api/published", takes=Publication, gives=PublishedReport, status=201, errors=(422,)
)
def _publish(application: Application, call: Call) -> Reply:
    """Publish a document as the next version of a name."""
    request: Publication = call.body
    version = application.session.published.publish(
        request.name,
        application.prepared(parse_document(request.document)),
        application.session.checks.problems,
        description=request.description,
        version_description=request.note,
    )
    return Reply(_report(application, version), 201)


def _report(application: Application, version: PublishedVersion) -> PublishedReport:
    document = parse_document(version.document)
    return PublishedReport(
        **_facts(application.session.published.find(version.name)),
        version=version.version,
        note=version.description,
        parameters=list(document.parameters),
        document=document,
    )


@ApiEndpoint(
    "GET",
    "/api/published/{published}",
    query={"version": "A version; by default the newest."},
    errors=(400, 404),
)
def _show(application: Application, call: Call) -> PublishedReport:
    """A version of a published pipeline with its parameters."""
    number = call.number("version", 0) or None
    version = application.session.published.version(call.path["published"], number)
    return _report(application, version)


@ApiEndpoint(
    "POST",
    "/api/published/{published}/runs",
    takes=PublishedCall,
    gives=CallAnswer,
    status=202,
    headers={"Idempotency-Key": "With the same key, the same run is returned."},
    errors=(404, 422, 429, 503),
)
def _run(application: Application, call: Call) -> Reply:
    """Run a published pipeline with other values of its parameters.

    Callers with a key of the pipeline (Authorization: Bearer) need no token.
    """
    request: PublishedCall = call.body
    name = call.path["published"]
    try:
        submitted = PublishedRuns(application.session.runs).start(
            name,
            request.parameters,
            version=request.version,
            idempotency_key=call.headers.get("idempotency-key"),
            allowed_roots=application.settings.allowed_roots,
        )
    except TooManyCallsError as error:
        refusal = error_response(error)
        return Reply(refusal.body, refusal.status, {"Retry-After": str(error.seconds)})
    address = f"/api/published/{name}/runs/{submitted.run_id}"
    content = CallAnswer(run_id=submitted.run_id, address=address, is_new=submitted.is_new)
    return Reply(content, 202, {"Location": address})


@ApiEndpoint("GET", "/api/published/{published}/runs/{run_id}", errors=(404,))
def _run_report(application: Application, call: Call) -> RunReport:
    """The report of a run that the published pipeline started."""
    name, run_id = call.path["published"], call.path["run_id"]
    runs = application.session.runs
    PublishedRuns(runs).require_started(name, run_id)
    runs.runner.refresh()
    return run_report(runs, run_id)


@ApiEndpoint(
    "DELETE",
    "/api/published/{published}",
    query={"version": "Only this version."},
    errors=(400, 404, 409),
)
def _delete(application: Application, call: Call) -> Deleted:
    """Remove a published pipeline or one version; its runs stay."""
    number = call.number("version", 0) or None
    Schedules(application.session.runs).require_unused(call.path["published"], number)
    application.session.published.delete(call.path["published"], number)
    return Deleted(id=call.path["published"], deleted=True)


ENDPOINTS = (_list, _publish, _show, _run, _run_report, _delete)
