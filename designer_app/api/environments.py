"""Endpoints for environments: list, resolve, store, build, compare and remove."""

from __future__ import annotations

from pydantic import Field

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.application import Application
from designer_app.errors import ApiError
from designer_app.schemas.environments import EnvironmentQuestion, EnvironmentRequest
from designer_app.ui.pipeline_names import names_of
from modules.json_model import JsonModel
from pipelines.environments.background_builds import NO_BUILD, EnvironmentBuildState
from pipelines.environments.definition import EnvironmentDefinition, EnvironmentRecord
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


def _list(application: Application, _call: Call) -> EnvironmentList:
    environments = application.session.environments
    entries = [
        environment_summary(environments, record, _users(application, record))
        for record in environments.all()
    ]
    return EnvironmentList(environments=entries, can_install=find_uv() is not None)


def _named(application: Application, call: Call) -> EnvironmentRecord:
    return application.session.environments.get(call.path["environment"])


def _show(application: Application, call: Call) -> EnvironmentDetail:
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


def _resolve(application: Application, call: Call) -> EnvironmentResolution:
    resolution = application.session.environments.resolve(_definition(call.body))
    return environment_resolution(resolution.definition, resolution.lock)


def _keep(application: Application, call: Call) -> EnvironmentDetail:
    request: EnvironmentRequest = call.body
    environments = application.session.environments
    resolution = environments.resolve(_definition(request))
    return _detail(application, environments.keep(request.name, resolution))


def _build(application: Application, call: Call) -> EnvironmentBuildState:
    record = _named(application, call)
    return application.session.environments.builds.start(record).progress()


def _build_state(application: Application, call: Call) -> EnvironmentBuildState:
    record = _named(application, call)
    begun = application.session.environments.builds.find(record.key)
    return NO_BUILD if begun is None else begun.progress(call.number("first_line", 0))


def _verify(application: Application, call: Call) -> EnvironmentDamages:
    damages = application.session.environments.verify(_named(application, call))
    return EnvironmentDamages(damages=damages)


def _difference(application: Application, call: Call) -> EnvironmentDifference:
    other = application.session.environments.get(call.query.get("other", ""))
    return EnvironmentDifference(packages=difference_of(_named(application, call), other))


def _remove(application: Application, call: Call) -> EnvironmentRemoved:
    record, use = _named(application, call), application.session.environment_use
    if call.number("folder_only", 0, largest=1):
        return EnvironmentRemoved(reference=record.reference, freed_bytes=use.free(record))
    used, is_told = use.users(record), bool(call.number("even_if_used", 0, largest=1))
    if used and not is_told:
        users, reference = names_of(used), record.reference
        raise ApiError(
            409, "in_use", sentences.ENVIRONMENT_NEEDED, environment=reference, users=users
        )
    freed_bytes = use.remove(record, even_if_used=True)
    return EnvironmentRemoved(reference=record.reference, freed_bytes=freed_bytes)


ENDPOINTS = (
    ApiEndpoint(
        "GET",
        "/api/environments",
        "All environments and their versions.",
        _list,
        gives=EnvironmentList,
    ),
    ApiEndpoint(
        "POST",
        "/api/environments",
        "Resolve a specification and store it as the next version of an environment.",
        _keep,
        takes=EnvironmentRequest,
        gives=EnvironmentDetail,
        status=201,
        errors=(422,),
    ),
    ApiEndpoint(
        "POST",
        "/api/environments/resolve",
        "Resolve versions without storing or building anything.",
        _resolve,
        takes=EnvironmentQuestion,
        gives=EnvironmentResolution,
        errors=(422,),
    ),
    ApiEndpoint(
        "GET",
        "/api/environments/{environment}",
        "A version with its packages and its lock; without a number the newest.",
        _show,
        gives=EnvironmentDetail,
        errors=(404,),
    ),
    ApiEndpoint(
        "GET",
        "/api/environments/{environment}/difference",
        "Packages that differ from another environment.",
        _difference,
        gives=EnvironmentDifference,
        query={"other": "The other one, NAME or NAME@VERSION."},
        errors=(404,),
    ),
    ApiEndpoint(
        "POST",
        "/api/environments/{environment}/build",
        "Start a build, unless one is running.",
        _build,
        gives=EnvironmentBuildState,
        status=202,
        errors=(404,),
    ),
    ApiEndpoint(
        "GET",
        "/api/environments/{environment}/build",
        "State and output of the build.",
        _build_state,
        gives=EnvironmentBuildState,
        query={"first_line": "Only lines from this number."},
        errors=(404,),
    ),
    ApiEndpoint(
        "POST",
        "/api/environments/{environment}/verify",
        "Compare its files with the installed ones.",
        _verify,
        gives=EnvironmentDamages,
        errors=(404,),
    ),
    ApiEndpoint(
        "DELETE",
        "/api/environments/{environment}",
        "Remove a version and its build; with `even_if_used`, also if saved pipelines use it.",
        _remove,
        gives=EnvironmentRemoved,
        query={
            "folder_only": "1: delete only the built files; they are rebuilt on use.",
            "even_if_used": "1: also where saved pipelines use it.",
        },
        errors=(404, 409, 422),
    ),
)
