"""Endpoints for saved pipelines: list, create, open, commit, delete and restore."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.responses import Response

from designer_app.api import sentences
from designer_app.api.answers import Created, Deleted
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.responses import answer_in_two
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument
from pipelines.problems import Problem
from pipelines.store.database.pipelines import PipelineRow, Revision

ETAG = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')
CLIENT = re.compile(r"[A-Za-z0-9_-]{1,64}")
COMMIT_HEADERS = {
    "If-Match": 'The revision it was made from, as in ETag: "7".',
    "X-Designer-Client": "A random id of the browser tab; together with X-Designer-Seq it makes "
    "commits idempotent.",
    "X-Designer-Seq": "Counts the tab's commits.",
}


class PipelineList(JsonModel):
    pipelines: list[PipelineRow]


class Committed(JsonModel):
    """Stored commit and the current problems of the pipeline."""

    revision: int
    problems: list[Problem]


@ApiEndpoint("GET", "/api/pipelines")
def _list(application: Application, _call: Call) -> PipelineList:
    """The saved pipelines."""
    return PipelineList(pipelines=application.session.pipelines.all())


@ApiEndpoint(
    "POST", "/api/pipelines", takes=PipelineDocument, gives=Created, status=201, errors=(422,)
)
def _create(application: Application, call: Call) -> Reply:
    """Save a document as a new pipeline; its id is made unique."""
    made = application.session.pipelines.create(call.document)
    headers = {**etag(made), "Location": f"/api/pipelines/{made.pipeline_id}"}
    return Reply(created(made), 201, headers)


@ApiEndpoint("GET", "/api/pipelines/{pipeline_id}", gives=PipelineDocument, errors=(404,))
def _open(application: Application, call: Call) -> Reply:
    """A pipeline's document; its revision is the ETag."""
    revision = application.session.pipelines.open(call.path["pipeline_id"])
    return Reply(revision.document, headers=etag(revision))


@ApiEndpoint(
    "PUT",
    "/api/pipelines/{pipeline_id}",
    takes=PipelineDocument,
    gives=Committed,
    headers=COMMIT_HEADERS,
    errors=(404, 409, 422, 428),
)
def _commit(application: Application, call: Call) -> Response:
    """Save an edited document as the next revision of the pipeline.

    Confirm the commit at once; the problems of the document follow after the check.
    """
    base, document = _base(call), call.document
    if document.id != call.path["pipeline_id"]:
        raise ApiError(
            422, "wrong_id", sentences.OTHER_ID, given=document.id, wanted=call.path["pipeline_id"]
        )
    client, seq = _author(call)
    made = application.session.pipelines.commit(document, base, client=client, seq=seq)

    def problems() -> Mapping[str, object]:
        return {"problems": application.session.checks.problems(document)}

    return answer_in_two({"revision": made.revision}, problems, etag(made))


@ApiEndpoint("DELETE", "/api/pipelines/{pipeline_id}", errors=(404,))
def _delete(application: Application, call: Call) -> Deleted:
    """Delete a pipeline; undelete restores it."""
    application.session.pipelines.delete(call.path["pipeline_id"])
    return Deleted(id=call.path["pipeline_id"], deleted=True)


@ApiEndpoint("POST", "/api/pipelines/{pipeline_id}/undelete", gives=Created, errors=(404,))
def _undelete(application: Application, call: Call) -> Reply:
    """Restore a deleted pipeline with all its revisions."""
    revision = application.session.pipelines.undelete(call.path["pipeline_id"])
    return Reply(created(revision), headers=etag(revision))


def created(revision: Revision) -> Created:
    """Return the id and revision of a new or restored pipeline."""
    return Created(id=revision.pipeline_id, revision=revision.revision)


def etag(revision: Revision) -> dict[str, str]:
    """Return the header with the revision."""
    return {"ETag": f'"{revision.revision}"'}


def _base(call: Call) -> int:
    if_match = call.headers.get("if-match")
    if if_match is None:
        raise ApiError(428, "precondition_required", sentences.REVISION_NEEDED)
    match = ETAG.fullmatch(if_match.strip())
    if match is None:
        raise ApiError(400, "invalid_request", sentences.NO_REVISION_NAMED)
    return int(match.group(1))


def _author(call: Call) -> tuple[str | None, int | None]:
    client, seq = call.headers.get("x-designer-client"), call.headers.get("x-designer-seq")
    if client is None and seq is None:
        return None, None
    valid = CLIENT.fullmatch(client or "") and re.fullmatch(r"[0-9]{1,9}", seq or "")
    if not valid:
        raise ApiError(400, "invalid_request", sentences.HALF_AN_AUTHOR)
    return client, int(seq or 0)


ENDPOINTS = (_list, _create, _open, _commit, _delete, _undelete)
