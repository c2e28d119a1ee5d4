"""Endpoints for the files written by a step's processes, during and after the run."""

from __future__ import annotations

from pydantic import Field
from starlette.responses import FileResponse, Response

from designer_app.api import sentences
from designer_app.api.artifacts import FileEntry, FileList
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.errors import error_response
from designer_app.api.runs import found_run, node_path
from designer_app.application import Application
from designer_app.errors import not_found
from modules.json_model import JsonModel
from pipelines.errors import RefusedError
from pipelines.registry.model_report import ModelVersionReport, version_report
from pipelines.registry.written_files import register_file
from pipelines.runs.step_files import StepFiles

PAGE = 1000


class FileRegistration(JsonModel):
    """Request to register a file of a node as a model."""

    file: str = Field(max_length=4_000, description="Path in the list of the node's files.")
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/nodes/{node}/files",
    query={"offset": "Number of entries to skip."},
    errors=(404,),
)
def _list(application: Application, call: Call) -> FileList:
    """Outputs and logs of a node, up to a thousand at a time."""
    files, offset = _files_of(application, call).all(), call.number("offset", 0)
    page = [
        FileEntry(path=file.path, num_bytes=file.num_bytes)
        for file in files[offset : offset + PAGE]
    ]
    return FileList(files=page, num_files=len(files))


@ApiEndpoint(
    "GET",
    "/api/runs/{run_id}/nodes/{node}/files/{file:path}",
    media_type="application/octet-stream",
    errors=(404,),
)
def _download(application: Application, call: Call) -> Response:
    """One of these files in its current state; supports Range requests."""
    path = _files_of(application, call).find(call.path["file"])
    if path is None:
        raise not_found(sentences.NO_FILE_WRITTEN, file=call.path["file"])
    return FileResponse(path, media_type="application/octet-stream", filename=path.name)


@ApiEndpoint(
    "POST",
    "/api/runs/{run_id}/nodes/{node}/models",
    takes=FileRegistration,
    gives=ModelVersionReport,
    status=201,
    errors=(404, 422),
)
def _register(application: Application, call: Call) -> Reply:
    """Register one of these files as the next version of a model."""
    request: FileRegistration = call.body
    record, registry = found_run(application, call), application.session.models
    path = StepFiles(application.session.runs, record.id, node_path(call)).find(request.file)
    if path is None:
        raise not_found(sentences.NO_FILE_WRITTEN, file=request.file[:100])
    texts = {"description": request.description, "alias": request.alias}
    try:
        place = register_file(registry, path, record.id, node_path(call), request.name, **texts)
    except RefusedError as error:
        raise error_response(error, code="not_registered") from None
    return Reply(version_report(registry, place), 201)


def _files_of(application: Application, call: Call) -> StepFiles:
    record = found_run(application, call)
    return StepFiles(application.session.runs, record.id, node_path(call))


ENDPOINTS = (_list, _download, _register)
