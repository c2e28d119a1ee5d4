"""Endpoints for step outputs: manifests, file lists and single files."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from starlette.responses import FileResponse, Response

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.application import Application
from designer_app.errors import not_found
from modules.artifacts import read_json
from modules.files.scanning import scan
from modules.json_model import JsonModel
from pipelines.store.artifacts.manifest import MANIFEST

PAGE = 1000
IMAGE_TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
"""Image types shown inline; all other files are downloads, never pages of this site."""


class FileEntry(JsonModel):
    """File of an output, with its relative path."""

    path: str
    num_bytes: int


class FileList(JsonModel):
    files: list[FileEntry]
    num_files: int


@ApiEndpoint("GET", "/api/artifacts/{artifact_id}/{port}", errors=(404,))
def _manifest(application: Application, call: Call) -> Reply:
    """The manifest of an output: type, origin, hashes of its files."""
    folder = folder_of(application, call)
    try:
        return Reply(read_json(folder / MANIFEST))
    except (OSError, ValueError):
        raise not_found(sentences.NO_MANIFEST) from None


@ApiEndpoint(
    "GET",
    "/api/artifacts/{artifact_id}/{port}/files",
    query={"offset": "Number of entries to skip."},
    errors=(404,),
)
def _files(application: Application, call: Call) -> FileList:
    """The files of an output, up to a thousand at a time."""
    folder = folder_of(application, call)
    offset = call.number("offset", 0)
    files = scan(folder).files
    page = [
        FileEntry(path=file.path, num_bytes=file.num_bytes)
        for file in files[offset : offset + PAGE]
    ]
    return FileList(files=page, num_files=len(files))


@ApiEndpoint(
    "GET",
    "/api/artifacts/{artifact_id}/{port}/files/{file:path}",
    media_type="application/octet-stream",
    errors=(404,),
)
def _download(application: Application, call: Call) -> Response:
    """One file; supports Range requests."""
    folder = folder_of(application, call)
    name = PurePosixPath(call.path["file"])
    path = folder / name
    is_inside = not name.is_absolute() and path.resolve().is_relative_to(folder.resolve())
    if ".." in name.parts or not is_inside or not path.is_file():
        raise not_found(sentences.NO_FILE_OF_OUTPUT)
    kind = IMAGE_TYPES.get(name.suffix.lower())
    disposition = "inline" if kind else "attachment"
    return FileResponse(
        path,
        media_type=kind or "application/octet-stream",
        filename=name.name,
        content_disposition_type=disposition,
    )


def folder_of(application: Application, call: Call) -> Path:
    """Return the folder of the requested output; raises ``ApiError`` if it does not exist."""
    artifact_id, port = call.path["artifact_id"], call.path["port"]
    store = application.session.artifacts
    folder = store.folder(artifact_id, port)
    if store.index.get(artifact_id) is None or not folder.is_dir():
        raise not_found(sentences.OUTPUT_SWEPT, output=f"{artifact_id}/{port}")
    return folder


ENDPOINTS = (_manifest, _files, _download)
