"""What becomes of users' code that raises, hangs or ends its process: reported to whoever asked."""

from __future__ import annotations

import json
import signal
from typing import Any

from modules.errors import ModuleError, all_error_types


class CodeEndedError(Exception):
    """A file's process hung, ended or crashed; what happened and the cure."""

    def __init__(self, message: str, cure: str, *, hangs: bool = False) -> None:
        super().__init__(message)
        self.message, self.cure, self.hangs = message, cure, hangs


class CodeRaisedError(Exception):
    """The code raised something; the subclass has its name, the text is its text."""


def hangs(seconds: float) -> CodeEndedError:
    """That it gave no answer in time."""
    return CodeEndedError(
        f"It does not finish within {seconds:g} seconds.",
        "Move what takes long, or waits, into the module's function.",
        hangs=True,
    )


def ended(code: int | None) -> CodeEndedError:
    """That its process ended with an exit code or minus a signal; None: that it is not known."""
    if code is None:
        return garbled()
    if code < 0:
        return CodeEndedError(
            f"It crashes the process that reads it ({signal.Signals(-code).name}).",
            "Correct the file, or what it imports.",
        )
    return CodeEndedError(
        f"It ends the process that reads it, with exit code {code}.",
        "Remove the call that ends the process.",
    )


def garbled() -> CodeEndedError:
    """That what came back is no answer."""
    return CodeEndedError(
        "What it answers cannot be read.",
        "Leave the process's descriptors and the standard library alone.",
    )


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
    facts = dict(answer["error"])
    code, name, message = (str(facts.pop(each)) for each in ("code", "name", "message"))
    known = {each.code: each for each in all_error_types()}
    own = known.get(code) or type(name, (ModuleError,), {"code": code, "name": name})
    error: ModuleError = own(message, **facts)
    return error
