"""Endpoints for registered models: register, show, set aliases, download, delete."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import IO

from pydantic import Field
from starlette.responses import FileResponse, Response, StreamingResponse

from designer_app.api import sentences
from designer_app.api.answers import Deleted
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.errors import error_response
from designer_app.application import Application
from designer_app.errors import ApiError
from modules.artifacts import TrainedModel
from modules.foreign_model import ForeignModel
from modules.json_model import JsonModel
from modules.models.origin import missing_texts
from pipelines.errors import NotFoundError, RefusedError
from pipelines.inspection.alias_moves import mover
from pipelines.registry.model_export import write_weights, write_zip
from pipelines.registry.model_report import (
    AliasMoveEntry,
    ModelEntry,
    ModelVersionReport,
    model_entry,
    move_entries,
    version_report,
)
from pipelines.registry.model_texts import MAX_REASON
from pipelines.registry.models import RegisteredVersion

FORMS = ("zip", "safetensors", "file")
CHUNK_BYTES = 2**20


class Registration(JsonModel):
    """Request to register an output as a model."""

    artifact_id: str = Field(max_length=80)
    port: str = Field(max_length=128)
    name: str = Field(max_length=100)
    alias: str | None = Field(None, max_length=100)
    description: str | None = Field(None, max_length=20_000)


class ModelNaming(JsonModel):
    """Changes of a model; an alias with version null is removed."""

    description: str | None = Field(None, max_length=20_000)
    aliases: dict[str, int | None] = Field(default_factory=dict, max_length=50)
    rules: dict[str, str | None] = Field(
        default_factory=dict,
        max_length=50,
        description="Golden images of aliases: a folder with one folder for each class, or "
        "dataset:NAME@VERSION. The alias then moves only to versions that are not worse; null "
        "removes the rule.",
    )
    reason: str = Field(
        "", max_length=MAX_REASON, description="Why, for the history of the aliases."
    )
    force: bool = Field(False, description="Move aliases against their rules; it is recorded.")


class AliasMoveList(JsonModel):
    moves: list[AliasMoveEntry]


class ModelList(JsonModel):
    models: list[ModelEntry]


@ApiEndpoint("GET", "/api/models")
def _list(application: Application, _call: Call) -> ModelList:
    """The registered models."""
    registry = application.session.models
    return ModelList(models=[model_entry(registry, model) for model in registry.all()])


@ApiEndpoint(
    "POST",
    "/api/models",
    takes=Registration,
    gives=ModelVersionReport,
    status=201,
    errors=(404, 422),
)
def _register(application: Application, call: Call) -> Reply:
    """Register a trained model or a model file as the next version of a name."""
    request: Registration = call.body
    try:
        place = application.session.models.register(
            request.artifact_id,
            request.port,
            request.name,
            description=request.description,
            alias=request.alias,
            by=mover("api"),
        )
    except RefusedError as error:
        raise error_response(error, code="not_registered") from None
    return Reply(version_report(application.session.models, place), 201)


@ApiEndpoint("GET", "/api/models/{model}", errors=(404,))
def _show(application: Application, call: Call) -> ModelVersionReport:
    """A version (NAME, NAME@VERSION or NAME@ALIAS) and its origin."""
    return version_report(application.session.models, _found(application, call))


@ApiEndpoint("PUT", "/api/models/{model}/naming", takes=ModelNaming, errors=(404, 422))
def _name(application: Application, call: Call) -> ModelEntry:
    """Change a model's description, aliases and their rules.

    An alias with a rule is moved only if the version is not worse than the current one.
    """
    registry, change = application.session.models, call.body
    name = _found(application, call).model.name
    try:
        moves, by = application.alias_moves, mover("api", change.reason)
        for alias, version in change.aliases.items():
            moves.move(name, alias, version, by, force=change.force)
        for alias, golden in change.rules.items():
            moves.set_rule(name, alias, golden, by)
        if change.description is not None:
            registry.describe(name, change.description)
    except (NotFoundError, RefusedError) as error:
        raise error_response(error, 422, "not_taken") from None
    return model_entry(registry, registry.find(name).model)


@ApiEndpoint("GET", "/api/models/{model}/moves", errors=(404,))
def _moves(application: Application, call: Call) -> AliasMoveList:
    """The last changes of a model's aliases: who made them, when and why."""
    place = _found(application, call)
    return AliasMoveList(moves=move_entries(application.session.models, place.model.name))


@ApiEndpoint("DELETE", "/api/models/{model}", errors=(404, 409))
def _delete(application: Application, call: Call) -> Deleted:
    """Delete a model or, with @, one version, unless it is in use."""
    place = _found(application, call)
    version = place.version.version if "@" in call.path["model"] else None
    application.session.models.delete(place.model.name, version)
    return Deleted(id=call.path["model"], deleted=True)


@ApiEndpoint(
    "GET",
    "/api/models/{model}/file",
    media_type="application/octet-stream",
    query={
        "as": "zip (everything, the default), safetensors (weights with their pipeline) or "
        "file (a script's own file)."
    },
    errors=(400, 404),
)
def _download(application: Application, call: Call) -> Response:
    """A version as one file."""
    place = _found(application, call)
    form = call.query.get("as", "zip")
    if form not in FORMS:
        raise ApiError(400, "invalid_request", sentences.NO_FORM)
    model, stem = place.artifact, place.reference.replace("@", "-")
    if form != "zip" and isinstance(model, ForeignModel):
        return _own_file(model, stem, form)
    if form == "file" or isinstance(model, ForeignModel):
        form = "zip" if isinstance(model, ForeignModel) else "safetensors"
    name = f"{stem}.{form}"
    if isinstance(model, TrainedModel) and form == "safetensors" and not missing_texts(model):
        return FileResponse(model.weights_path, filename=name)
    file = tempfile.TemporaryFile(dir=application.settings.workspace.cache_dir)  # noqa: SIM115
    if isinstance(model, TrainedModel) and form == "safetensors":
        write_weights(model, file)  # closing the stream removes the file
    else:
        write_zip(place, file)
    headers = {
        "Content-Length": str(file.tell()),
        "Content-Disposition": f'attachment; filename="{name}"',
    }
    kind = "application/zip" if form == "zip" else "application/octet-stream"
    return StreamingResponse(_chunks(file), 200, headers, kind)


def _own_file(model: ForeignModel, stem: str, form: str) -> Response:
    """Return a script's own file if it is a single one in the requested format."""
    path = model.main_path
    if not path.is_file() or form not in ("file", path.suffix.removeprefix(".")):
        raise ApiError(400, "invalid_request", sentences.NO_FORM)
    return FileResponse(path, filename=f"{stem}{path.suffix}")


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _found(application: Application, call: Call) -> RegisteredVersion:
    return application.session.models.find(call.path["model"])


ENDPOINTS = (_list, _register, _show, _name, _moves, _download, _delete)
