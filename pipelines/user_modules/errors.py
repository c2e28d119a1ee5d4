"""Errors of users' code that raises, hangs or exits, for the caller."""

from __future__ import annotations

import json
import signal
from typing import Any, TypedDict

from modules.errors import ErrorData, ModuleError
from pipelines.errors import DesignerError
from pipelines.sentences import user_code


class CodeReply(TypedDict, total=False):
    """CodeReply of the process with users' code: exactly one of these."""

    answer: Any
    error: ErrorData
    """Error of a module."""
    raised: list[str]
    """Type and text of another exception."""


class CodeEndedError(DesignerError):
    """A file's process hung, exited or crashed."""

    code = "code_ended"

    @property
    def hangs(self) -> bool:
        """True if it did not answer in time."""
        return self.statement.sentence is user_code.HANGS


class CodeRaisedError(Exception):
    """The code raised an exception; the subclass has its name and text."""


def hangs(seconds: float) -> CodeEndedError:
    """Return the error of a process that did not answer in time."""
    return CodeEndedError(user_code.HANGS, seconds=seconds)


def ended(code: int | None) -> CodeEndedError:
    """Return the error of a process with this exit code or negative signal; None: unknown."""
    if code is None:
        return garbled()
    if code < 0:
        return CodeEndedError(user_code.CRASHES, signal=signal.Signals(-code).name)
    return CodeEndedError(user_code.ENDS, exit_code=code)


def garbled() -> CodeEndedError:
    """Return the error of an invalid response."""
    return CodeEndedError(user_code.GARBLED)


def answer_of(line: bytes) -> Any:
    """Return the answer in a line of JSON.

    Raises ``ModuleError`` as raised by the code, ``CodeRaisedError`` for its other exceptions, and
    ``CodeEndedError`` for an invalid line.
    """
    try:
        answer = json.loads(line)
        if "answer" in answer:
            return answer["answer"]
        error = _error_from(answer)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise garbled() from None
    raise error


def _error_from(answer: CodeReply) -> Exception:
    if "raised" in answer:
        name, text = answer["raised"]
        kind: type[Exception] = type(str(name), (CodeRaisedError,), {})
        return kind(str(text))
    return ModuleError.from_json(answer["error"])
