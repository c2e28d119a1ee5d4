"""What the API answers when it cannot do what was asked: one JSON shape for all of it.

``{"error": {"code", "message", "cure"}}``, and beside it what the caller needs to go on: the
``problems`` of a document, the ``revision`` and ``document`` that a commit collided with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designer_app.entrance.door import NotLetInError
from modules.errors import ModuleError
from pipelines.errors import (
    DesignerError,
    InspectionError,
    InUseError,
    NameTakenError,
    NotFoundError,
    RefusedError,
    RunnerNotStartedError,
    RunUnderWayError,
    StaleRevisionError,
    TargetBrokenError,
    WorkspaceError,
)
from pipelines.problems import PipelineError
from pipelines.store.database import OperationalFailure, is_disk_full

STATUSES: Mapping[type, int] = {
    NotFoundError: 404,
    InUseError: 409,
    NameTakenError: 409,
    RunUnderWayError: 409,
    StaleRevisionError: 409,
    RefusedError: 422,
    InspectionError: 503,
    RunnerNotStartedError: 503,
    TargetBrokenError: 503,
    WorkspaceError: 503,
}
"""The status that answers each branch of ``pipelines.errors``."""


class ApiError(Exception):
    """An answer other than success; ``more`` stands beside ``error`` in the JSON object."""

    def __init__(
        self, status: int, code: str, message: str, cure: str, more: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{message} {cure}")
        self.status = status
        self.code = code
        self.message = message
        self.cure = cure
        self.more = more or {}

    def to_json(self) -> dict[str, Any]:
        """The body of the answer."""
        error = {"code": self.code, "message": self.message, "cure": self.cure}
        return {"error": error, **self.more}


def not_found(what: str, cure: str) -> ApiError:
    """There is nothing of that name."""
    return ApiError(404, "not_found", what, cure)


def too_large(limit: int) -> ApiError:
    """The body is longer than the route takes."""
    return ApiError(
        413,
        "too_large",
        f"The request is larger than {limit:,} bytes.",
        "Send less, or split it into several.",
    )


def translated(error: Exception) -> ApiError:
    """The answer to an error of the layers below; anything unforeseen is a 500 without details."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, NotLetInError):
        return ApiError(401, "not_let_in", error.message, error.cure)
    if isinstance(error, PipelineError):
        return _refused(error)
    if isinstance(error, DesignerError):
        return told(error)
    if isinstance(error, ModuleError):
        return ApiError(422, error.name, error.message, error.cure)
    if isinstance(error, OperationalFailure) and is_disk_full(error):
        return ApiError(507, "disk_full", "The disk is full.", "Free some space, then try again.")
    return ApiError(
        500,
        "internal_error",
        "Something went wrong on the server.",
        "Try again; the server's terminal says what it was.",
    )


def told(error: DesignerError, status: int | None = None, code: str | None = None) -> ApiError:
    """An error of ``pipelines.errors`` in its own words; status and code too, by default."""
    own = next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)
    return ApiError(status or own, code or error.code, error.message, error.cure, error.beside)


def _refused(error: PipelineError) -> ApiError:
    first = error.problems[0]
    found = [each.to_json() for each in error.problems]
    return ApiError(422, first.name, first.message, first.cure, {"problems": found})
