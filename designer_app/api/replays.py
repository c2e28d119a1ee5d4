"""Endpoints for replays: export of a run as one file, and playback of such files."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from designer_app.api.endpoint import Call, Endpoint
from designer_app.api.errors import told
from designer_app.api.runs import found_run
from designer_app.application import Application
from designer_app.responses import answer
from designer_app.schemas.replays import ReplayAnswer, ReplayCreated, ReplayList
from designer_app.schemas.shape import Deleted
from designer_app.security.guard import REPLAY_TYPES
from pipelines.errors import RefusedError, RunUnderWayError
from pipelines.replay.archive import OpenReplay
from pipelines.replay.library import ENDING, ReplayShelf, export

BINARY = "application/octet-stream"


def _export(application: Application, call: Call) -> Response:
    run_id = found_run(application, call).id
    if not application.session.runs.store.state(run_id).is_finished:
        raise RunUnderWayError(run_id)
    return _file(export(application.session.runs, run_id), run_id)


def _list(application: Application, _call: Call) -> dict[str, Any]:
    return {"replays": [asdict(replay) for replay in _shelf(application).all()]}


async def _add(application: Application, _call: Call, request: Request) -> Response:
    content = await request.body()  # size was checked by the guard
    shelf = _shelf(application)
    replay_id = await run_in_threadpool(shelf.add, content)
    name = (await run_in_threadpool(shelf.open, replay_id)).replay.run.name
    return answer({"id": replay_id, "name": name}, 201)


def _open(application: Application, call: Call) -> dict[str, Any]:
    opened = _opened(application, call)
    events = [
        {"id": number, **event.model_dump(mode="json")}
        for number, event in enumerate(opened.events, start=1)
    ]
    replay = opened.replay.model_dump(mode="json", exclude={"document", "format", "num_events"})
    return {
        "id": call.path["replay_id"],
        "document": opened.document.to_json(),
        "events": events,
        "pictures": {
            name: b64encode(picture).decode() for name, picture in opened.pictures.items()
        },
        "logs": [{**log, "text": _log(opened, log)} for log in replay.pop("logs")],
        **replay,
    }


def _download(application: Application, call: Call) -> Response:
    replay_id = call.path["replay_id"]
    _opened(application, call)
    return _file(_shelf(application).path(replay_id).read_bytes(), replay_id)


def _remove(application: Application, call: Call) -> dict[str, Any]:
    replay_id = call.path["replay_id"]
    try:
        _shelf(application).remove(replay_id)
    except RefusedError as error:
        raise told(error, 409, "comes_with_program") from None
    return {"id": replay_id, "deleted": True}


def _shelf(application: Application) -> ReplayShelf:
    return ReplayShelf(application.settings.workspace)


def _opened(application: Application, call: Call) -> OpenReplay:
    replay_id = call.path["replay_id"]
    return _shelf(application).open(replay_id)


def _log(opened: OpenReplay, log: dict[str, Any]) -> str:
    return opened.logs[f"{log['node']}/{log['file']}"].decode("utf-8", "replace")


def _file(content: bytes, name: str) -> Response:
    disposition = f'attachment; filename="{name}{ENDING}"'
    return Response(content, 200, {"Content-Disposition": disposition}, BINARY)


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/runs/{run_id}/replay",
        "A finished run as one file that plays back anywhere.",
        _export,
        media_type=BINARY,
        errors=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/replays",
        "The replays of the workspace, newest first, then those of the lessons.",
        _list,
        gives=ReplayList,
    ),
    Endpoint(
        "POST",
        "/api/replays",
        "Check a .replay file (the body) and store it; damaged files are rejected.",
        _add,
        gives=ReplayCreated,
        status=201,
        accepts=tuple(sorted(REPLAY_TYPES)),
        errors=(413, 422, 507),
    ),
    Endpoint(
        "GET",
        "/api/replays/{replay_id}",
        "Contents of a replay.",
        _open,
        gives=ReplayAnswer,
        errors=(404, 422),
    ),
    Endpoint(
        "GET",
        "/api/replays/{replay_id}/file",
        "The file itself.",
        _download,
        media_type=BINARY,
        errors=(404, 422),
    ),
    Endpoint(
        "DELETE",
        "/api/replays/{replay_id}",
        "Delete a replay of the workspace.",
        _remove,
        gives=Deleted,
        errors=(404, 409),
    ),
)
