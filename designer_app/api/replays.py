"""Endpoints for replays: export of a run as one file, and playback of such files."""

from __future__ import annotations

from base64 import b64encode

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from designer_app.api.answers import Deleted
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.errors import error_response
from designer_app.api.runs import found_run
from designer_app.application import Application
from designer_app.responses import answer
from designer_app.security.guard import REPLAY_TYPES
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument
from pipelines.errors import RefusedError, RunUnderWayError
from pipelines.events import Event
from pipelines.inspection.preview_models import Preview
from pipelines.replay.archive import OpenReplay
from pipelines.replay.format import RecordedArtifact, RecordedEnvironment, RecordedLog, RecordedRun
from pipelines.replay.library import ENDING, ReplayEntry, ReplayShelf, export
from pipelines.replay.result import recorded_headline
from pipelines.runs.headline import Headline

BINARY = "application/octet-stream"


class ReplayList(JsonModel):
    replays: list[ReplayEntry]


class ReplayCreated(JsonModel):
    id: str
    name: str


class ReplayLog(RecordedLog):
    """Log; its lines have no times, players spread them over the duration of the node."""

    text: str = Field(description="The end of the log, at most 64 kB.")


class ReplayAnswer(JsonModel):
    """Replay. Its events have ids from 1 and are in order."""

    id: str
    run: RecordedRun
    document: PipelineDocument
    environment: RecordedEnvironment
    artifacts: list[RecordedArtifact]
    logs: list[ReplayLog]
    previews: list[Preview]
    events: list[Event]
    headline: Headline | None = Field(
        description="Primary metric at the end. Null if none was recorded."
    )
    pictures: dict[str, str] = Field(description="Name to JPEG in base64.")


@ApiEndpoint("GET", "/api/runs/{run_id}/replay", media_type=BINARY, errors=(404, 409))
def _export(application: Application, call: Call) -> Response:
    """A finished run as one file that plays back anywhere."""
    run_id = found_run(application, call).id
    if not application.session.runs.store.state(run_id).is_finished:
        raise RunUnderWayError(run_id)
    return _file(export(application.session.runs, run_id), run_id)


@ApiEndpoint("GET", "/api/replays")
def _list(application: Application, _call: Call) -> ReplayList:
    """The replays of the workspace, newest first, then those of the lessons."""
    return ReplayList(replays=_shelf(application).all())


@ApiEndpoint(
    "POST",
    "/api/replays",
    gives=ReplayCreated,
    status=201,
    accepts=tuple(sorted(REPLAY_TYPES)),
    errors=(413, 422, 507),
)
async def _add(application: Application, _call: Call, request: Request) -> Response:
    """Check a .replay file (the body) and store it; damaged files are rejected."""
    content = await request.body()  # size was checked by the guard
    shelf = _shelf(application)
    replay_id = await run_in_threadpool(shelf.add, content)
    name = (await run_in_threadpool(shelf.open, replay_id)).replay.run.name
    return answer(ReplayCreated(id=replay_id, name=name), 201)


@ApiEndpoint("GET", "/api/replays/{replay_id}", errors=(404, 422))
def _open(application: Application, call: Call) -> ReplayAnswer:
    """Contents of a replay."""
    opened = _opened(application, call)
    replay = opened.replay
    return ReplayAnswer(
        id=call.path["replay_id"],
        run=replay.run,
        document=opened.document,
        environment=replay.environment,
        artifacts=replay.artifacts,
        logs=[ReplayLog(**dict(log), text=_log(opened, log)) for log in replay.logs],
        previews=replay.previews,
        events=[
            Event(**dict(event), id=number) for number, event in enumerate(opened.events, start=1)
        ],
        headline=recorded_headline(opened),
        pictures={name: b64encode(picture).decode() for name, picture in opened.pictures.items()},
    )


@ApiEndpoint("GET", "/api/replays/{replay_id}/file", media_type=BINARY, errors=(404, 422))
def _download(application: Application, call: Call) -> Response:
    """The file itself."""
    replay_id = call.path["replay_id"]
    _opened(application, call)
    return _file(_shelf(application).path(replay_id).read_bytes(), replay_id)


@ApiEndpoint("DELETE", "/api/replays/{replay_id}", errors=(404, 409))
def _remove(application: Application, call: Call) -> Deleted:
    """Delete a replay of the workspace."""
    replay_id = call.path["replay_id"]
    try:
        _shelf(application).remove(replay_id)
    except RefusedError as error:
        raise error_response(error, 409, "comes_with_program") from None
    return Deleted(id=replay_id, deleted=True)


def _shelf(application: Application) -> ReplayShelf:
    return ReplayShelf(application.settings.workspace)


def _opened(application: Application, call: Call) -> OpenReplay:
    replay_id = call.path["replay_id"]
    return _shelf(application).open(replay_id)


def _log(opened: OpenReplay, log: RecordedLog) -> str:
    return opened.logs[f"{log.node}/{log.file}"].decode("utf-8", "replace")


def _file(content: bytes, name: str) -> Response:
    disposition = f'attachment; filename="{name}{ENDING}"'
    return Response(content, 200, {"Content-Disposition": disposition}, BINARY)


ENDPOINTS = (_export, _list, _add, _open, _download, _remove)
