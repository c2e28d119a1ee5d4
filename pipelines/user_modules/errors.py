"""What becomes of users' code that raises, hangs or ends its process: reported to whoever asked."""

from __future__ import annotations

import json
import signal
from typing import Any

from modules.errors import ModuleError
from pipelines.errors import DesignerError
from pipelines.sentences import user_code


class CodeEndedError(DesignerError):
    """A file's process hung, ended or crashed."""

    code = "code_ended"

    @property
    def hangs(self) -> bool:
        """True where it gave no answer in time."""
        return self.statement.sentence is user_code.HANGS


class CodeRaisedError(Exception):
    """The code raised something; the subclass has its name, the text is its text."""


def hangs(seconds: float) -> CodeEndedError:
    """That it gave no answer in time."""
    return CodeEndedError(user_code.HANGS, seconds=seconds)


def ended(code: int | None) -> CodeEndedError:
    """That its process ended with an exit code or minus a signal; None: that it is not known."""
    if code is None:
        return garbled()
    if code < 0:
        return CodeEndedError(user_code.CRASHES, signal=signal.Signals(-code).name)
    return CodeEndedError(user_code.ENDS, exit_code=code)


def garbled() -> CodeEndedError:
    """That what came back is no answer."""
    return CodeEndedError(user_code.GARBLED)


def answer_of(line: bytes) -> Any:
    """The answer in a line of JSON.

    Raises ``ModuleError`` as the code raised it, ``CodeRaisedError`` for all else that it raised,
    and ``CodeEndedError`` where nothing can be made of the line.
    """
    try:
        answer = json.loads(line)
        if "answer" in answer:
            return answer["answer"]
        error = _error_from(answer)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise garbled() from None
    raise error


def _error_from(answer: dict[str, Any]) -> Exception:
    if "raised" in answer:
        name, text = answer["raised"]
        kind: type[Exception] = type(str(name), (CodeRaisedError,), {})
        return kind(str(text))
    return ModuleError.from_json(answer["error"])
