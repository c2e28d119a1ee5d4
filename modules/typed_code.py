"""Python code typed by users: compiled under its own file name, with errors located in it.

Lines and columns count from 1; an end column is the one after the last character.
"""

from __future__ import annotations

import linecache
import sys
import traceback
import types
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from modules.errors import FailedToEvaluateScriptError, ModuleError
from modules.sentences import own_python as say
from modules.sentences.sentence import Statement

MAX_CODE = 64_000
"""Maximum number of characters of a parameter with code."""


def syntax_fault(text: str) -> Statement | None:
    """Return the syntax error of the text and its location; nothing of it is run."""
    try:
        _compiled(text, "script.py")
    except SyntaxError as error:
        facts = {"line": error.lineno or 1, "column": error.offset or 1, "error": error.msg}
        return say.NO_PYTHON.about({**facts, "end_column": error.end_offset or facts["column"]})
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        facts = {"line": 1, "column": 1, "end_column": 1}
        return say.NO_PYTHON.about({**facts, "error": str(error) or type(error).__name__})
    return None


def loaded(text: str, name: str, parameter: str) -> types.ModuleType:
    """Run the text as a module named ``name``; raises like ``told_by_place``."""
    fault = syntax_fault(text)
    if fault is not None:
        raise FailedToEvaluateScriptError(fault, parameter=parameter)
    file_name = f"{name}.py"
    # Tracebacks show its lines although the file does not exist.
    linecache.cache[file_name] = (len(text), None, text.splitlines(keepends=True), file_name)
    module = types.ModuleType(name)
    module.__file__ = file_name
    sys.modules[name] = module
    with told_by_place(text, name, parameter):
        exec(_compiled(text, file_name), vars(module))  # noqa: S102 - what this is for
    return module


@contextmanager
def told_by_place(text: str, name: str, parameter: str) -> Iterator[None]:
    """Raise 0085 with line and column if code of the text raises anything in the block."""
    try:
        yield
    except (ModuleError, MemoryError):
        raise
    except SystemExit as error:
        facts = {**_place(error, text, name), "code": str(error.code)}
        raise FailedToEvaluateScriptError(say.ENDED_ITSELF, parameter=parameter, **facts) from error
    except Exception as error:
        said = " ".join("".join(traceback.format_exception_only(error)).split())
        facts = {**_place(error, text, name), "error": sentence_of(said[:500])}
        raise FailedToEvaluateScriptError(say.RAISED, parameter=parameter, **facts) from error


def sentence_of(error: str) -> str:
    """Return the text of an exception with a full stop, as the fix follows it on the same line."""
    return error if error.endswith((".", "!", "?", ":")) else f"{error}."


def _compiled(text: str, file_name: str) -> types.CodeType:
    with warnings.catch_warnings():
        # warnings are for the author, every time the code is compiled
        warnings.simplefilter("ignore")
        return compile(text, file_name, "exec", dont_inherit=True)


def _place(error: BaseException, text: str, name: str) -> Mapping[str, Any]:
    """Return the location of an error in the text: the innermost of its lines that was running."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == f"{name}.py"
    ]
    if not frames or frames[-1].lineno is None:
        return {"line": 1, "column": 1, "end_column": 1}
    frame = frames[-1]
    line = text.splitlines()[(frame.lineno or 1) - 1]
    end = frame.end_colno if frame.end_lineno == frame.lineno else None
    columns = {"column": _character(line, frame.colno or 0)}
    columns["end_column"] = _character(line, len(line.encode()) if end is None else end)
    return {"line": frame.lineno, **columns}


def _character(line: str, offset: int) -> int:
    """Return the column of a byte of the line; Python counts bytes of UTF-8."""
    return len(line.encode()[:offset].decode(errors="replace")) + 1
