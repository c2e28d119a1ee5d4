"""Error responses to errors of lower layers."""

from __future__ import annotations

from collections.abc import Mapping

from designer_app.api import sentences
from designer_app.errors import ApiError
from modules.errors import ModuleError
from pipelines.errors import (
    DesignerError,
    InspectionError,
    InUseError,
    NameTakenError,
    NotFoundError,
    QuestionRefusedError,
    RefusedError,
    RunnerNotStartedError,
    RunUnderWayError,
    StaleRevisionError,
    TooManyCallsError,
    WorkspaceError,
)
from pipelines.problems import PipelineError
from pipelines.store.database.connections import OperationalFailure, is_disk_full

STATUSES: Mapping[type, int] = {
    NotFoundError: 404,
    InUseError: 409,
    NameTakenError: 409,
    RunUnderWayError: 409,
    StaleRevisionError: 409,
    TooManyCallsError: 429,
    RefusedError: 422,
    QuestionRefusedError: 422,
    InspectionError: 503,
    RunnerNotStartedError: 503,
    WorkspaceError: 503,
}
"""Status code of each branch of ``pipelines.errors``."""


def translated(error: Exception) -> ApiError:
    """Return the response to an error of a lower layer.

    Unexpected errors are a 500 without details.
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, PipelineError):
        first = error.problems[0]
        return ApiError(422, first.name, first, {"problems": error.problems})
    if isinstance(error, DesignerError):
        return error_response(error)
    if isinstance(error, ModuleError):
        return ApiError(422, error.name, error)
    if isinstance(error, OperationalFailure) and is_disk_full(error):
        return ApiError(507, "disk_full", sentences.SERVER_DISK_FULL)
    return ApiError(500, "internal_error", sentences.SERVER_FAILED)


def error_response(
    error: DesignerError, status: int | None = None, code: str | None = None
) -> ApiError:
    """Return the response to an error of ``pipelines.errors``; status and code are its own."""
    own = next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)
    return ApiError(status or own, code or error.code, error, error.beside)
