"""Endpoints for environments: list, resolve, store, build, compare and remove."""

from __future__ import annotations

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.ui.pipeline_names import names_of
from modules.json_model import JsonModel
from pipelines.environments.background_builds import NO_BUILD, EnvironmentBuildState
from pipelines.environments.definition import Base, EnvironmentDefinition, EnvironmentRecord
from pipelines.environments.formats import read_definition
from pipelines.environments.report import (
    EnvironmentChange,
    EnvironmentDetail,
    EnvironmentResolution,
    EnvironmentSummary,
    difference_of,
    environment_detail,
    environment_resolution,
    environment_summary,
)
from pipelines.environments.uv_command import find_uv
from pipelines.environments.verification import DamagedFile

NAME_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,63}$"


class EnvironmentQuestion(JsonModel):
    """Specification: the text of a requirements, project, script or conda file, and choices."""

    text: str = Field("", max_length=200_000)
    file_name: str = Field("requirements.txt", max_length=200)
    groups: list[str] = Field(default=[], max_length=50)
    base: Base | None = Field(None, description="Null: as in the file.")
    image: str = Field("", max_length=255, description="Image reference, for the base image.")
    python: str | None = Field(None, max_length=100)
    as_of: str | None = Field(None, max_length=20)
    allow_builds: bool = False


class EnvironmentRequest(EnvironmentQuestion):
    """Specification to be stored as the next version of a name."""

    name: str = Field(pattern=NAME_PATTERN)


class EnvironmentList(JsonModel):
    environments: list[EnvironmentSummary]
    can_install: bool = Field(description="False if uv is not installed.")


class EnvironmentDamages(JsonModel):
    damages: list[DamagedFile]


class EnvironmentDifference(JsonModel):
    packages: list[EnvironmentChange]


class EnvironmentRemoved(JsonModel):
    reference: str
    freed_bytes: int


@ApiEndpoint("GET", "/api/environments")
def _list(application: Application, _call: Call) -> EnvironmentList:
    """All environments and their versions."""
    environments = application.session.environments
    entries = [
        environment_summary(environments, record, _users(application, record))
        for record in environments.all()
    ]
    return EnvironmentList(environments=entries, can_install=find_uv() is not None)


def _named(application: Application, call: Call) -> EnvironmentRecord:
    return application.session.environments.get(call.path["environment"])


@ApiEndpoint("GET", "/api/environments/{environment}", errors=(404,))
def _show(application: Application, call: Call) -> EnvironmentDetail:
    """A version with its packages and its lock; without a number the newest."""
    return _detail(application, _named(application, call))


def _detail(application: Application, record: EnvironmentRecord) -> EnvironmentDetail:
    users = _users(application, record)
    return environment_detail(application.session.environments, record, users)


def _users(application: Application, record: EnvironmentRecord) -> list[str]:
    return [row.id for row in application.session.environment_use.users(record)]


def _definition(asked: EnvironmentQuestion) -> EnvironmentDefinition:
    """Return the definition in a file, overridden by the request's choices."""
    read = read_definition(asked.text, asked.file_name, asked.groups)
    chosen = {"base": asked.base, "python": asked.python, "as_of": asked.as_of}
    choices = {name: value for name, value in chosen.items() if value is not None}
    return read.changed(allow_builds=asked.allow_builds, image=asked.image, **choices)


@ApiEndpoint("POST", "/api/environments/resolve", takes=EnvironmentQuestion, errors=(422,))
def _resolve(application: Application, call: Call) -> EnvironmentResolution:
    """Resolve versions without storing or building anything."""
    resolution = application.session.environments.resolve(_definition(call.body))
    return environment_resolution(resolution.definition, resolution.lock)


@ApiEndpoint("POST", "/api/environments", takes=EnvironmentRequest, status=201, errors=(422,))
def _keep(application: Application, call: Call) -> EnvironmentDetail:
    """Resolve a specification and store it as the next version of an environment."""
    request: EnvironmentRequest = call.body
    environments = application.session.environments
    resolution = environments.resolve(_definition(request))
    return _detail(application, environments.keep(request.name, resolution))


@ApiEndpoint("POST", "/api/environments/{environment}/build", status=202, errors=(404,))
def _build(application: Application, call: Call) -> EnvironmentBuildState:
    """Start a build, unless one is running."""
    record = _named(application, call)
    return application.session.environments.builds.start(record).progress()


@ApiEndpoint(
    "GET",
    "/api/environments/{environment}/build",
    query={"first_line": "Only lines from this number."},
    errors=(404,),
)
def _build_state(application: Application, call: Call) -> EnvironmentBuildState:
    """State and output of the build."""
    record = _named(application, call)
    begun = application.session.environments.builds.find(record.key)
    return NO_BUILD if begun is None else begun.progress(call.number("first_line", 0))


@ApiEndpoint("POST", "/api/environments/{environment}/verify", errors=(404,))
def _verify(application: Application, call: Call) -> EnvironmentDamages:
    """Compare its files with the installed ones."""
    damages = application.session.environments.verify(_named(application, call))
    return EnvironmentDamages(damages=damages)


@ApiEndpoint(
    "GET",
    "/api/environments/{environment}/difference",
    query={"other": "The other one, NAME or NAME@VERSION."},
    errors=(404,),
)
def _difference(application: Application, call: Call) -> EnvironmentDifference:
    """Packages that differ from another environment."""
    other = application.session.environments.get(call.query.get("other", ""))
    return EnvironmentDifference(packages=difference_of(_named(application, call), other))


@ApiEndpoint(
    "DELETE",
    "/api/environments/{environment}",
    query={
        "folder_only": "1: delete only the built files; they are rebuilt on use.",
        "even_if_used": "1: also where saved pipelines use it.",
    },
    errors=(404, 409, 422),
)
def _remove(application: Application, call: Call) -> EnvironmentRemoved:
    """Remove a version and its build; with `even_if_used`, also if saved pipelines use it."""
    record, use = _named(application, call), application.session.environment_use
    if call.number("folder_only", 0, largest=1):
        return EnvironmentRemoved(reference=record.reference, freed_bytes=use.free(record))
    used, is_told = use.users(record), bool(call.number("even_if_used", 0, largest=1))
    if used and not is_told:
        users = names_of(used, application.session.pipelines.all())
        reference = record.reference
        raise ApiError(
            409, "in_use", sentences.ENVIRONMENT_NEEDED, environment=reference, users=users
        )
    freed_bytes = use.remove(record, even_if_used=True)
    return EnvironmentRemoved(reference=record.reference, freed_bytes=freed_bytes)


ENDPOINTS = (_list, _keep, _resolve, _show, _difference, _build, _build_state, _verify, _remove)
