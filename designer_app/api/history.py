"""Endpoints for the history of runs: search, name, tag, annotate, clone, repeat and delete."""

from __future__ import annotations

import math
import re

from pydantic import Field, JsonValue

from designer_app.api import sentences
from designer_app.api.answers import Created
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.pipelines import created, etag
from designer_app.api.runs import RunCreated, found_run
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.documents import Document
from designer_app.ui.pipeline_names import labels_in_runs
from modules.json_model import JsonModel
from pipelines.document.document import parse_document
from pipelines.document.parts import NodePath
from pipelines.runs.columns import RunColumns
from pipelines.runs.deletion import RunDeletion
from pipelines.runs.history import RunEntry, run_entry
from pipelines.store.database.history import RunFilter, RunPage

MAX_LISTED = 1000
MAX_COLUMNS = 50
FILTERS = {
    "text": "Words that must all be in the id, name, experiment, description, note or a tag.",
    "status": "One or several, separated by commas: completed,failed.",
    "experiment": "Only those of this one.",
    "pipeline": "Only those of this saved pipeline.",
    "tag": "Only runs with this tag, or with all of several tags separated by commas.",
    "sweep": "Only runs of the trials of this sweep.",
    "since": "Started at or after this time, in seconds since the epoch.",
    "until": "Started before this time.",
    "limit": f"Maximum number: 50, up to {MAX_LISTED:,}.",
    "offset": "Number of entries to skip.",
}


COLUMNS = f"Keys of /api/run-columns, a line each, up to {MAX_COLUMNS}: what the `values` are of."


class RunNaming(JsonModel):
    """Changes of a run; null means unchanged."""

    name: str | None = Field(None, min_length=1, max_length=200)
    note: str | None = Field(None, max_length=20_000)
    add_tags: list[str] = Field(default=[], max_length=50)
    remove_tags: list[str] = Field(default=[], max_length=50)


class Resubmission(JsonModel):
    """Request to run the same pipeline again. Null values are taken from the run."""

    from_node: NodePath | None = Field(
        None, description="This node and the following ones run again."
    )
    document: Document | None = Field(
        None, description="The same pipeline after a fix, run in place of the run's own."
    )
    name: str | None = Field(None, min_length=1, max_length=200)
    experiment: str | None = Field(None, min_length=1, max_length=200)


class ListedRun(RunEntry):
    """Run in a list with columns."""

    pipeline_label: str = Field(
        description="Name of the pipeline, followed by its id if several have this name."
    )
    values: list[JsonValue] = Field(description="Values of the requested columns, in order.")


class RunList(JsonModel):
    """Page of matching runs, newest first."""

    runs: list[ListedRun]
    total: int = Field(description="Number of matching runs on all pages.")
    experiments: list[str]
    tags: list[str] = Field(description="All tags, most used first.")


@ApiEndpoint("GET", "/api/runs", query={**FILTERS, "columns": COLUMNS}, errors=(400,))
def _list(application: Application, call: Call) -> RunList:
    """The matching runs, newest first, one page at a time."""
    session = application.session
    session.runner.refresh()
    page = found_page(application, call)
    columns = call.query.get("columns", "").splitlines()[:MAX_COLUMNS]
    values = RunColumns(session.runs).values(page.rows, columns)
    labels = labels_in_runs(page.rows, session.pipelines.all())
    return RunList(
        runs=[
            ListedRun(
                **dict(run_entry(row)),
                pipeline_label=labels.get(row.pipeline_id or "", row.pipeline_name or ""),
                values=in_columns,
            )
            for row, in_columns in zip(page.rows, values, strict=True)
        ],
        total=page.total,
        experiments=session.runs.store.experiments(),
        tags=session.history.tags(),
    )


def found_page(application: Application, call: Call) -> RunPage:
    """Return the page of runs that matches the query."""
    limit = max(1, call.number("limit", 50, largest=MAX_LISTED))
    offset = call.number("offset", 0)
    return application.session.history.search(_filter(call), limit=limit, offset=offset)


def _filter(call: Call) -> RunFilter:
    query = call.query
    return RunFilter(
        text=query.get("text", "")[:1000],
        status=_words(query.get("status")),
        experiment=query.get("experiment"),
        pipeline_id=query.get("pipeline"),
        tags=_words(query.get("tag")),
        sweep=query.get("sweep"),
        since=_time(query.get("since")),
        until=_time(query.get("until")),
    )


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())[:50]


def _time(text: str | None) -> float | None:
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,9})?", text) is None or not math.isfinite(float(text)):
        raise ApiError(400, "invalid_request", sentences.NO_TIME, text=text[:40])
    return float(text)


@ApiEndpoint("PUT", "/api/runs/{run_id}/naming", takes=RunNaming, errors=(404, 422))
def _name(application: Application, call: Call) -> RunEntry:
    """Change a run's name, note and tags."""
    run_id, change = found_run(application, call).id, call.body
    history = application.session.history
    if change.name is not None:
        history.rename(run_id, change.name)
    if change.add_tags or change.remove_tags:
        history.tag(run_id, change.add_tags, change.remove_tags)
    if change.note is not None:
        history.note(run_id, change.note)
    return run_entry(history.row(run_id))


@ApiEndpoint("GET", "/api/runs/{run_id}/deletion", errors=(404, 409))
def _plan_deletion(application: Application, call: Call) -> RunDeletion:
    """Disk space that deleting a run frees, and what is kept."""
    return application.session.history.deletion_plan(found_run(application, call).id)


@ApiEndpoint("DELETE", "/api/runs/{run_id}", errors=(404, 409))
def _delete(application: Application, call: Call) -> RunDeletion:
    """Delete a run and everything that only it refers to. This cannot be undone."""
    return application.session.history.delete(found_run(application, call).id)


@ApiEndpoint("POST", "/api/runs/{run_id}/clone", gives=Created, status=201, errors=(404, 422))
def _clone(application: Application, call: Call) -> Reply:
    """Save the pipeline of the run as a new draft."""
    made = application.session.history.clone(found_run(application, call).id)
    headers = {**etag(made), "Location": f"/api/pipelines/{made.pipeline_id}"}
    return Reply(created(made), 201, headers)


@ApiEndpoint(
    "POST",
    "/api/runs/{run_id}/resubmit",
    takes=Resubmission,
    gives=RunCreated,
    status=201,
    errors=(404, 422, 503),
)
def _resubmit(application: Application, call: Call) -> Reply:
    """Run the same pipeline again, or from one of its nodes on."""
    request: Resubmission = call.body
    run_id = application.session.history.resubmit(
        found_run(application, call).id,
        from_node=request.from_node,
        document=None if request.document is None else parse_document(request.document),
        name=request.name,
        experiment=request.experiment,
        allowed_roots=application.settings.allowed_roots,
    )
    return Reply(RunCreated(run_id=run_id), 201, {"Location": f"/api/runs/{run_id}"})


ENDPOINTS = (_list, _name, _plan_deletion, _delete, _clone, _resubmit)
