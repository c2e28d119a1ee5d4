"""Error responses of the API, all with the same JSON shape.

``{"error": {"code", "message", "cure", "reason", "facts"}}``, and next to it what the caller needs
to continue: the ``problems`` of a document, the ``revision`` and ``document`` that a commit
conflicts with. Commands with ``--json`` report errors in the same shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from designer_app.api import sentences
from designer_app.entrance.door import NotLetInError
from modules.errors import ModuleError
from modules.sentences.sentence import Sentence, Told
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
    WorkspaceError,
)
from pipelines.problems import PipelineError, told_as_json
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
    WorkspaceError: 503,
}
"""Status code of each branch of ``pipelines.errors``."""


class ApiError(Exception):
    """Response other than success; ``more`` is added next to ``error`` in the JSON object."""

    def __init__(
        self,
        status: int,
        code: str,
        said: Sentence | Told,
        more: Mapping[str, Any] | None = None,
        **facts: Any,
    ) -> None:
        message = DesignerError(said, **facts) if isinstance(said, Sentence) else said
        super().__init__(f"{message.message} {message.cure}")
        self.status = status
        self.code = code
        self.told = message
        self.more = more or {}

    def to_json(self) -> dict[str, Any]:
        """Return the body of the response."""
        return {**told_as_json(self.code, self.told), **self.more}


def not_found(sentence: Sentence, **facts: Any) -> ApiError:
    "Not found."
    return ApiError(404, "not_found", sentence, **facts)


def too_large(limit: int) -> ApiError:
    """Return the error for a body that exceeds the route's limit."""
    return ApiError(413, "too_large", sentences.REQUEST_TOO_LARGE, most=limit)


def translated(error: Exception) -> ApiError:
    """Return the response to an error of a lower layer.

    Unexpected errors are a 500 without details.
    """
    if isinstance(error, ApiError):
        return error
    if isinstance(error, NotLetInError):
        return ApiError(401, "not_let_in", sentences.NOT_LET_IN)
    if isinstance(error, PipelineError):
        first, problems = error.problems[0], [problem.to_json() for problem in error.problems]
        return ApiError(422, first.name, first, {"problems": problems})
    if isinstance(error, DesignerError):
        return told(error)
    if isinstance(error, ModuleError):
        return ApiError(422, error.name, error)
    if isinstance(error, OperationalFailure) and is_disk_full(error):
        return ApiError(507, "disk_full", sentences.SERVER_DISK_FULL)
    return ApiError(500, "internal_error", sentences.SERVER_FAILED)


def told(error: DesignerError, status: int | None = None, code: str | None = None) -> ApiError:
    """Return the response to an error of ``pipelines.errors``; status and code are its own."""
    own = next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)
    return ApiError(status or own, code or error.code, error, error.beside)
