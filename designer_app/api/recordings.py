"""Endpoints for recordings: classes and pictures from a camera or files, on their way to a dataset.

The data rules are in ``pipelines.registry.recordings``; a picture is acknowledged once it is on the
disk.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from designer_app.api.answers import Deleted
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.responses import answer
from designer_app.security.guard import PICTURE_TYPES
from modules.errors import ModuleOutOfMemoryError
from modules.json_model import JsonModel
from pipelines.registry.recorded_pictures import (
    MAX_PICTURE_BYTES,
    MAX_PICTURE_PIXELS,
    preview,
)
from pipelines.registry.recordings import (
    MAX_CLASS_NAME,
    MAX_CLASSES,
    MAX_PICTURES,
    CameraRecording,
    RecordedClass,
)
from pipelines.sentences import recordings as say

RECORDING = "/api/recordings/{recording}"
CLASS = RECORDING + "/classes/{class_id}"
PICTURE = CLASS + "/pictures/{picture}"
SMALLEST_EDGE, LARGEST_EDGE = 32, 640
FOREVER = "private, max-age=86400, immutable"
"""Cache lifetime of pictures: they never change, and their ids are never reused."""


class RecordingName(JsonModel):
    """Name of a new recording and of its dataset; null: a free name."""

    name: str | None = Field(None, max_length=100)


class ClassName(JsonModel):
    name: str = Field(max_length=200)


class ClassEntry(JsonModel):
    """Class of a recording."""

    id: str
    name: str
    pictures: list[str] = Field(description="Ids of the stored images, oldest first.")


class RecordingLimits(JsonModel):
    classes: int
    pictures: int
    class_name: int
    picture_bytes: int
    picture_pixels: int


class RecordingAnswer(JsonModel):
    """A recording as stored, and the last version that was saved of it."""

    name: str
    classes: list[ClassEntry]
    version: int = Field(description="Newest version of its dataset; 0 if there is none.")
    is_saved: bool = Field(description="True if that version has exactly these images.")
    pipeline_id: str | None = Field(description="Pipeline of the last training.")
    run_id: str | None = Field(description="Run of the last training.")
    limits: RecordingLimits


class RecordingEntry(JsonModel):
    name: str
    classes: int
    pictures: int


class RecordingList(JsonModel):
    recordings: list[RecordingEntry]


class StoredPicture(JsonModel):
    """Acknowledgement of a picture that is stored safely."""

    id: str
    class_id: str


@ApiEndpoint("GET", "/api/recordings")
def _list(application: Application, _call: Call) -> RecordingList:
    """The recordings of the workspace."""
    entries = [
        RecordingEntry(
            name=recording.name, classes=len(recording.classes), pictures=recording.num_pictures
        )
        for recording in application.session.recordings.all()
    ]
    return RecordingList(recordings=entries)


@ApiEndpoint(
    "POST",
    "/api/recordings",
    takes=RecordingName,
    gives=RecordingAnswer,
    status=201,
    errors=(409, 422, 507),
)
def _create(application: Application, call: Call) -> Reply:
    """Create a recording, or return the one of that name."""
    made = application.session.recordings.create(call.body.name)
    return Reply(shown(application, made), 201)


@ApiEndpoint("GET", RECORDING, errors=(404,))
def _show(application: Application, call: Call) -> RecordingAnswer:
    """Classes and stored pictures of a recording."""
    return shown(application, application.session.recordings.get(call.path["recording"]))


@ApiEndpoint("DELETE", RECORDING, errors=(404,))
def _delete(application: Application, call: Call) -> Deleted:
    """Delete a recording with its pictures; its datasets stay."""
    application.session.recordings.delete(call.path["recording"])
    return Deleted(id=call.path["recording"], deleted=True)


@ApiEndpoint(
    "POST",
    RECORDING + "/classes",
    takes=ClassName,
    gives=ClassEntry,
    status=201,
    errors=(404, 422, 507),
)
def _add_class(application: Application, call: Call) -> Reply:
    """Add a class, or return the one of that name."""
    made = application.session.recordings.add_class(call.path["recording"], call.body.name)
    return Reply(_entry(made), 201)


@ApiEndpoint("PUT", CLASS, takes=ClassName, errors=(404, 409, 422, 507))
def _rename_class(application: Application, call: Call) -> ClassEntry:
    """Rename a class."""
    recordings, path = application.session.recordings, call.path
    return _entry(recordings.rename_class(path["recording"], path["class_id"], call.body.name))


@ApiEndpoint("DELETE", CLASS, errors=(404,))
def _remove_class(application: Application, call: Call) -> Deleted:
    """Remove a class with its pictures; it can be restored until the recording is saved."""
    application.session.recordings.remove_class(call.path["recording"], call.path["class_id"])
    return Deleted(id=call.path["class_id"], deleted=True)


@ApiEndpoint("POST", CLASS + "/restore", errors=(404, 409))
def _restore_class(application: Application, call: Call) -> ClassEntry:
    """Undo the removal of a class."""
    recordings = application.session.recordings
    return _entry(recordings.restore_class(call.path["recording"], call.path["class_id"]))


@ApiEndpoint(
    "PUT",
    PICTURE,
    gives=StoredPicture,
    accepts=tuple(sorted(PICTURE_TYPES)),
    errors=(404, 413, 422, 507),
)
async def _store(application: Application, call: Call, request: Request) -> Response:
    """Store a picture (the body) as a JPEG without metadata. A repeated request changes nothing."""
    content = await request.body()
    await run_in_threadpool(_stored, application, call.path, content)
    return answer(StoredPicture(id=call.path["picture"], class_id=call.path["class_id"]))


def _stored(application: Application, path: Mapping[str, str], content: bytes) -> None:
    try:
        application.session.recordings.add_picture(
            path["recording"], path["class_id"], path["picture"], content
        )
    except ModuleOutOfMemoryError:
        raise ApiError(507, "disk_full", say.RECORDED_DISK_FULL) from None


@ApiEndpoint(
    "GET",
    PICTURE,
    media_type="image/jpeg",
    query={"edge": "Longest edge in pixels; default: as stored."},
    errors=(400, 404),
)
def _picture(application: Application, call: Call) -> Response:
    """A stored picture, or a preview of it."""
    path = application.session.recordings.picture(
        call.path["recording"], call.path["class_id"], call.path["picture"]
    )
    content = path.read_bytes()
    if "edge" in call.query:
        edge = call.number("edge", LARGEST_EDGE, largest=LARGEST_EDGE)
        content = preview(content, max(SMALLEST_EDGE, edge))
    return Response(content, media_type="image/jpeg", headers={"Cache-Control": FOREVER})


@ApiEndpoint("DELETE", PICTURE, errors=(404,))
def _remove_picture(application: Application, call: Call) -> Deleted:
    """Remove a picture; it can be restored until the recording is saved."""
    application.session.recordings.remove_picture(
        call.path["recording"], call.path["class_id"], call.path["picture"]
    )
    return Deleted(id=call.path["picture"], deleted=True)


@ApiEndpoint("POST", PICTURE + "/restore", errors=(404,))
def _restore_picture(application: Application, call: Call) -> StoredPicture:
    """Undo the removal of a picture."""
    path = call.path
    application.session.recordings.restore_picture(
        path["recording"], path["class_id"], path["picture"]
    )
    return StoredPicture(id=path["picture"], class_id=path["class_id"])


def shown(application: Application, recording: CameraRecording) -> RecordingAnswer:
    """Return a recording with what was saved of it."""
    versions = application.session.recording_versions
    saved = versions.saved(recording.name)
    return RecordingAnswer(
        name=recording.name,
        classes=[_entry(category) for category in recording.classes],
        version=saved.version,
        is_saved=versions.is_saved(recording),
        pipeline_id=saved.pipeline_id or None,
        run_id=saved.run_id or None,
        limits=RecordingLimits(
            classes=MAX_CLASSES,
            pictures=MAX_PICTURES,
            class_name=MAX_CLASS_NAME,
            picture_bytes=MAX_PICTURE_BYTES,
            picture_pixels=MAX_PICTURE_PIXELS,
        ),
    )


def _entry(category: RecordedClass) -> ClassEntry:
    return ClassEntry(id=category.id, name=category.name, pictures=list(category.pictures))


ENDPOINTS = (
    *(_list, _create, _show, _delete),
    *(_add_class, _rename_class, _remove_class, _restore_class),
    *(_store, _picture, _remove_picture, _restore_picture),
)
