"""Endpoints for the revisions of a saved pipeline: changes, content, restore."""

from __future__ import annotations

from designer_app.api.answers import Created
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.pipelines import created, etag
from designer_app.application import Application
from designer_app.schemas.pipelines import RevisionNaming
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument
from pipelines.registry.pipelines import RevisionEntry


class RevisionList(JsonModel):
    revisions: list[RevisionEntry]


def _list(application: Application, call: Call) -> RevisionList:
    limit = call.number("limit", 50, largest=500)
    entries = application.session.pipelines.history(call.path["pipeline_id"], max(1, limit))
    return RevisionList(revisions=entries)


def _open(application: Application, call: Call) -> Reply:
    number = int(call.path["revision"])
    revision = application.session.pipelines.revision(call.path["pipeline_id"], number)
    return Reply(revision.document, headers=etag(revision))


def _restore(application: Application, call: Call) -> Reply:
    number = int(call.path["revision"])
    made = application.session.pipelines.restore(call.path["pipeline_id"], number)
    return Reply(created(made), headers=etag(made))


def _name(application: Application, call: Call) -> RevisionNaming:
    pipelines, naming = application.session.pipelines, call.body
    pipeline_id, number = call.path["pipeline_id"], int(call.path["revision"])
    pipelines.name_revision(pipeline_id, number, naming.name)
    return RevisionNaming(name=pipelines.revision(pipeline_id, number).name)


ENDPOINTS = (
    ApiEndpoint(
        "GET",
        "/api/pipelines/{pipeline_id}/revisions",
        "The newest revisions and the named ones, each with a summary of its changes.",
        _list,
        gives=RevisionList,
        query={"limit": "Maximum number: 50, up to 500."},
        errors=(404,),
    ),
    ApiEndpoint(
        "GET",
        "/api/pipelines/{pipeline_id}/revisions/{revision}",
        "The document of a revision.",
        _open,
        gives=PipelineDocument,
        errors=(404,),
    ),
    ApiEndpoint(
        "PUT",
        "/api/pipelines/{pipeline_id}/revisions/{revision}/name",
        "Set or remove the name of a revision.",
        _name,
        takes=RevisionNaming,
        gives=RevisionNaming,
        errors=(404, 422),
    ),
    ApiEndpoint(
        "POST",
        "/api/pipelines/{pipeline_id}/revisions/{revision}/restore",
        "Restore an earlier revision as the newest one.",
        _restore,
        gives=Created,
        errors=(404, 409),
    ),
)
