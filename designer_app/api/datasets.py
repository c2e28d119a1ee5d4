"""Endpoints for datasets: list, preview, upload an archive, copy a folder of this server."""

from __future__ import annotations

import errno
import re
from pathlib import Path

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from designer_app.api import sentences
from designer_app.api.answers import Created, Deleted
from designer_app.api.endpoint import ApiEndpoint, Call, Reply, read_body
from designer_app.api.pipelines import created
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.responses import JSON, answer
from designer_app.security.guard import UPLOAD_TYPES
from modules.datasets.dataset_names import check_name, normal_name
from modules.datasets.folder_summary import (
    ClassSummary,
    folder_summary,
    summary_of_version,
)
from modules.datasets.registered import list_datasets, versions_of
from modules.datasets.sources import readable
from modules.errors import ModuleError
from modules.files.disk import scratch_folder
from modules.files.workspace_folder import UPLOADED
from modules.json_model import JsonModel
from pipelines.forecasting.starter_pipeline import starter_of_dataset

MAX_NAME_BYTES = 200
PREVIEWED = 50
"""Number of datasets whose images are counted in a list; the others are only named."""


class FolderRequest(JsonModel):
    """Folder or archive on this server."""

    path: str = Field(min_length=1, max_length=4096)
    name: str | None = Field(None, max_length=100)


class DatasetPreview(JsonModel):
    """Contents of a folder or archive according to its file names; no image is read."""

    images: int
    num_bytes: int
    classes: tuple[ClassSummary, ...] = Field(description="The largest first, at most 200.")
    num_classes: int
    notice: str | None = Field(
        None, description="Notes, such as the parts found and files that are not read."
    )


class DatasetEntry(JsonModel):
    name: str
    versions: list[int]
    source: str = Field(description="Value for the source of Import Images.")
    preview: DatasetPreview | None = Field(description="Of the newest version.")


class DatasetList(JsonModel):
    datasets: list[DatasetEntry]
    allowed_roots: list[str]
    max_upload_bytes: int


class DatasetCreated(JsonModel):
    name: str
    version: int
    source: str
    was_known: bool = Field(
        description="True if this version has the same files: nothing was added."
    )
    preview: DatasetPreview


@ApiEndpoint("GET", "/api/datasets")
def _list(application: Application, _call: Call) -> DatasetList:
    """The datasets of the workspace."""
    folder = application.settings.workspace.datasets_dir
    entries = [
        DatasetEntry(
            name=dataset.name,
            versions=list(dataset.versions),
            source=f"dataset:{dataset.name}",
            preview=_counted(folder / dataset.name / str(dataset.versions[-1]), place),
        )
        for place, dataset in enumerate(list_datasets(folder))
    ]
    return DatasetList(
        datasets=entries,
        allowed_roots=[str(root) for root in application.settings.allowed_roots],
        max_upload_bytes=application.settings.max_upload_bytes,
    )


def _counted(location: Path, place: int) -> DatasetPreview | None:
    if place >= PREVIEWED:
        return None
    try:
        return DatasetPreview.copied(summary_of_version(location))
    except ModuleError:  # removed or unreadable in the meantime
        return None


@ApiEndpoint("POST", "/api/datasets/preview", takes=FolderRequest, errors=(422,))
def _preview(application: Application, call: Call) -> DatasetPreview:
    """Images and classes of a server folder or archive, from file names only."""
    location = _readable(application, call.body)
    roots = application.settings.allowed_roots
    return DatasetPreview.copied(folder_summary(location, allowed_roots=roots))


@ApiEndpoint(
    "POST",
    "/api/datasets",
    takes=FolderRequest,
    gives=DatasetCreated,
    status=201,
    accepts=tuple(sorted(UPLOAD_TYPES)),
    query={
        "name": "For uploads: the dataset that gets a new version. Default: a new dataset "
        "named like the file.",
        "file": "Name of the uploaded file.",
    },
    errors=(413, 422, 507),
)
async def _add(application: Application, call: Call, request: Request) -> Response:
    """Register an archive (the body) or a server folder (JSON) as a dataset."""
    kind = call.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == JSON:
        folder: FolderRequest = read_body(FolderRequest, await request.body())
        path = await run_in_threadpool(_readable, application, folder)
        made = await run_in_threadpool(_kept, application, path, folder.name)
    else:
        name = call.query.get("name", "")
        file = file_name(call.query.get("file", name or "dataset"))
        made = await _uploaded(application, request, normal_name(name), file)
    return answer(made, 201)


async def _uploaded(
    application: Application, request: Request, name: str, file_name: str
) -> DatasetCreated:
    """Unpack the body. It is stored under the user's file name, which error messages then show."""
    if name:
        check_name(name)
    cache = application.settings.workspace.cache_dir
    with scratch_folder(cache, UPLOADED) as folder:
        archive = folder / file_name
        try:
            with archive.open("xb") as file:
                async for chunk in request.stream():
                    await run_in_threadpool(file.write, chunk)
        except OSError as error:
            raise _not_written(error) from error
        return await run_in_threadpool(_kept, application, archive, name or None)


def file_name(browser_name: str) -> str:
    """Return a browser's file name as a safe file name."""
    last = re.split(r"[/\\]", browser_name)[-1]
    plain = "".join(letter for letter in last if letter.isprintable())
    short = plain.encode("utf-8", "ignore")[:MAX_NAME_BYTES].decode("utf-8", "ignore")
    return short if short.strip(". ") else "upload"


@ApiEndpoint(
    "POST",
    "/api/datasets/{dataset}/pipeline",
    gives=Created,
    status=201,
    query={"version": "Version of the dataset; default: the newest."},
    errors=(404, 422),
)
def _pipeline(application: Application, call: Call) -> Reply:
    """Create a starter pipeline for a dataset, sized for this machine."""
    session, name = application.session, call.path["dataset"]
    version = call.number("version", 0) or _newest(session.datasets.folder, name)
    roots = application.settings.allowed_roots
    made, _ = starter_of_dataset(session.runs, session.datasets, name, version, roots)
    kept = session.pipelines.create(made.document)
    return Reply(created(kept), 201)


def _newest(datasets_dir: Path, name: str) -> int:
    """Return the newest version of a registered dataset; 0 if there is none."""
    check_name(name)
    return max(versions_of(datasets_dir, name), default=0)


@ApiEndpoint(
    "DELETE", "/api/datasets/{dataset}", query={"version": "Only this one."}, errors=(404, 409)
)
def _delete(application: Application, call: Call) -> Deleted:
    """Delete a dataset or one version, unless a pipeline or a run refers to it."""
    name = call.path["dataset"]
    version = call.number("version", 0) or None
    application.session.datasets.delete(name, version)
    return Deleted(id=name, deleted=True)


def _kept(application: Application, source: Path, name: str | None) -> DatasetCreated:
    made = application.session.datasets.add(
        source, name, allowed_roots=application.settings.allowed_roots
    )
    return DatasetCreated(
        name=made.name,
        version=made.version,
        source=made.source,
        was_known=made.was_known,
        preview=DatasetPreview.copied(made.preview),
    )


def _readable(application: Application, request: FolderRequest) -> Path:
    context = application.session.checks.reading_context(application.settings.allowed_roots)
    return readable(request.path, context)


def _not_written(error: OSError) -> ApiError:
    if error.errno == errno.ENOSPC:
        return ApiError(507, "disk_full", sentences.SERVER_DISK_FULL)
    return ApiError(500, "not_written", sentences.UPLOAD_NOT_WRITTEN)


ENDPOINTS = (_list, _add, _delete, _pipeline, _preview)
