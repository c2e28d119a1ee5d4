"""Endpoints for the revisions of a saved pipeline: changes, content, restore."""

from __future__ import annotations

from pydantic import Field

from designer_app.api.answers import Created
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.pipelines import created, etag
from designer_app.application import Application
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument
from pipelines.registry.pipelines import RevisionEntry


class RevisionNaming(JsonModel):
    """New name of a revision."""

    name: str | None = Field(description="1 to 100 characters; null: no name, only its number.")


class RevisionList(JsonModel):
    revisions: list[RevisionEntry]


@ApiEndpoint(
    "GET",
    "/api/pipelines/{pipeline_id}/revisions",
    query={"limit": "Maximum number: 50, up to 500."},
    errors=(404,),
)
def _list(application: Application, call: Call) -> RevisionList:
    """The newest revisions and the named ones, each with a summary of its changes."""
    limit = call.number("limit", 50, largest=500)
    entries = application.session.pipelines.history(call.path["pipeline_id"], max(1, limit))
    return RevisionList(revisions=entries)


@ApiEndpoint(
    "GET",
    "/api/pipelines/{pipeline_id}/revisions/{revision}",
    gives=PipelineDocument,
    errors=(404,),
)
def _open(application: Application, call: Call) -> Reply:
    """The document of a revision."""
    number = int(call.path["revision"])
    revision = application.session.pipelines.revision(call.path["pipeline_id"], number)
    return Reply(revision.document, headers=etag(revision))


@ApiEndpoint(
    "POST",
    "/api/pipelines/{pipeline_id}/revisions/{revision}/restore",
    gives=Created,
    errors=(404, 409),
)
def _restore(application: Application, call: Call) -> Reply:
    """Restore an earlier revision as the newest one."""
    number = int(call.path["revision"])
    made = application.session.pipelines.restore(call.path["pipeline_id"], number)
    return Reply(created(made), headers=etag(made))


@ApiEndpoint(
    "PUT",
    "/api/pipelines/{pipeline_id}/revisions/{revision}/name",
    takes=RevisionNaming,
    errors=(404, 422),
)
def _name(application: Application, call: Call) -> RevisionNaming:
    """Set or remove the name of a revision."""
    pipelines, naming = application.session.pipelines, call.body
    pipeline_id, number = call.path["pipeline_id"], int(call.path["revision"])
    pipelines.name_revision(pipeline_id, number, naming.name)
    return RevisionNaming(name=pipelines.revision(pipeline_id, number).name)


ENDPOINTS = (_list, _open, _name, _restore)
