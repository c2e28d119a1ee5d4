"""Error responses of the server, all with the same JSON shape.

``{"error": {"code", "message", "cure", "reason", "facts"}}``, and next to it what the caller needs
to continue: the ``problems`` of a document, the ``revision`` and ``document`` that a commit
conflicts with. Commands with ``--json`` report errors in the same shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from modules.sentences.sentence import HasMessage, Sentence
from pipelines.errors import DesignerError
from pipelines.problems import error_to_json


class ApiError(Exception):
    """Response other than success; ``more`` is added next to ``error`` in the JSON object."""

    def __init__(
        self,
        status: int,
        code: str,
        said: Sentence | HasMessage,
        more: Mapping[str, Any] | None = None,
        **facts: Any,
    ) -> None:
        message = DesignerError(said, **facts) if isinstance(said, Sentence) else said
        super().__init__(f"{message.message} {message.cure}")
        self.status = status
        self.code = code
        self.told = message
        self.more = more or {}

    @property
    def body(self) -> Mapping[str, object]:
        """Return the content of the response."""
        return {**error_to_json(self.code, self.told), **self.more}


def not_found(sentence: Sentence, **facts: Any) -> ApiError:
    """Return the error for something that does not exist."""
    return ApiError(404, "not_found", sentence, **facts)
