"""Strict JSON for untrusted documents.

Rejected: NaN and infinity, duplicate keys, nesting beyond ``MAX_DEPTH``, integers that a browser
cannot represent exactly, invalid Unicode, more than ``MAX_VALUES`` values.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from modules.files.json_files import JsonObject
from modules.sentences.sentence import Sentence
from pipelines.problems import (
    DOCUMENT_TOO_LARGE,
    INVALID_DOCUMENT,
    NOT_A_PIPELINE,
    PipelineError,
    Problem,
    ProblemList,
)
from pipelines.sentences import documents

MAX_DEPTH = 64
MAX_VALUES = 500_000
MAX_PATH = 200
MAX_WHOLE_NUMBER = 2**53 - 1


class _RefusedError(ValueError):
    """Part of the text that is not valid JSON or is ambiguous."""

    def __init__(self, sentence: Sentence, **facts: str) -> None:
        super().__init__(sentence.message)
        self.why = sentence.about(facts)


def parse(text: str | bytes | bytearray) -> Any:
    """Parse JSON text; raises ``PipelineError``."""
    try:
        decoded = text if isinstance(text, str) else bytes(text).decode("utf-8-sig")
        return json.loads(
            decoded.removeprefix("\ufeff"),
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError:
        why = documents.NOT_UTF8.about({})
    except json.JSONDecodeError as error:
        facts = {"line": error.lineno, "column": error.colno, "fault": error.msg}
        why = documents.JSON_FAULT.about(facts)
    except _RefusedError as error:
        why = error.why
    except RecursionError:
        why = documents.JSON_TOO_DEEP.about({"most": MAX_DEPTH})
    except ValueError:
        why = documents.JSON_LONG_NUMBER.about({})
    raise PipelineError.of(NOT_A_PIPELINE, documents.NOT_JSON, why=why)


def parse_checked(text: str | bytes | bytearray) -> Any:
    """Parse and check JSON text; raises ``PipelineError`` with all errors."""
    value = parse(text)
    return value if _is_sound_throughout(value) else checked(value)


def checked(value: object) -> Any:
    """Return a copy of plain JSON values; raises ``PipelineError`` with all errors."""
    check = _Check()
    copy = check.copied(value, None, 0)
    if problems := check.problems.listed():
        raise PipelineError(problems)
    return copy


_Location = tuple["_Location", object] | None
"""Location in the document: its parent, and its key or index there."""


class _Check:
    """Traversal of the values, which stops early if there are too many."""

    def __init__(self) -> None:
        self.problems = ProblemList()
        self.num_values = 0

    def copied(self, value: object, location: _Location, depth: int) -> Any:
        self.num_values += 1
        if self.num_values > MAX_VALUES:
            most = MAX_VALUES
            raise PipelineError.of(DOCUMENT_TOO_LARGE, documents.TOO_MANY_VALUES, most=most)
        if depth > MAX_DEPTH:
            self._report(documents.PART_TOO_DEEP, place=location, most=MAX_DEPTH)
        elif _is_sound(value):
            return value
        elif isinstance(value, Mapping):
            return {
                self._key(key, location): self.copied(item, (location, key), depth + 1)
                for key, item in value.items()
            }
        elif isinstance(value, list | tuple):
            return [
                self.copied(item, (location, index), depth + 1) for index, item in enumerate(value)
            ]
        elif fault := _scalar_fault(value):
            kind = {"type": type(value).__name__} if fault is documents.PART_NOT_JSON else {}
            self._report(fault, place=location, **kind)
        else:
            return value
        return None

    def _key(self, key: object, location: _Location) -> str:
        if type(key) is str and key.isascii():
            return key
        if not isinstance(key, str):
            self._report(documents.KEY_NOT_TEXT, place=location)
        elif fault := _scalar_fault(key):
            self._report(fault, place=location)
        return str(key)

    def _report(self, sentence: Sentence, *, place: _Location, **facts: object) -> None:
        if self.problems.is_full:
            self.problems.count(1)
            return
        path = _path(place).lstrip(".") or documents.THE_DOCUMENT.message
        facts["place"] = path.encode("utf-8", "replace").decode()
        self.problems.add(Problem.of(INVALID_DOCUMENT, sentence.about(facts)))


def _path(location: _Location) -> str:
    """Return a location as text, truncated: a key may be megabytes long."""
    parts: list[str] = []
    while location is not None:
        location, part = location
        parts.append(f"[{part}]" if isinstance(part, int) else f".{part!s:.100}")
    path = ""
    for text in reversed(parts):
        path = path if len(path) > MAX_PATH else path + text
    return path


def _is_sound_throughout(value: object) -> bool:
    """Return True if parsed JSON has no errors, level by level and without searching for them.

    The search takes four times as long, which is half of the time of reading a document.
    """
    level, num_values = [value], 0
    for _ in range(MAX_DEPTH + 1):
        num_values += len(level)
        parts: dict[type, list[Any]] = {}
        for part in level:
            parts.setdefault(type(part), []).append(part)
        objects, arrays = parts.get(dict, []), parts.get(list, [])
        texts = chain(parts.get(str, []), chain.from_iterable(objects))
        is_sound = (
            num_values <= MAX_VALUES
            and max(map(abs, parts.get(int, [])), default=0) <= MAX_WHOLE_NUMBER
            and all(map(math.isfinite, parts.get(float, [])))
            and _is_unicode("".join(texts))
        )
        if not is_sound:
            return False
        values = chain.from_iterable(object_.values() for object_ in objects)
        level = [*values, *chain.from_iterable(arrays)]
        if not level:
            return True
    return False


def _is_sound(value: object) -> bool:
    """Return True for almost all valid values, without searching for errors."""
    if isinstance(value, str):
        return value.isascii()
    if isinstance(value, int):
        return -MAX_WHOLE_NUMBER <= value <= MAX_WHOLE_NUMBER
    return value is None


def _scalar_fault(value: object) -> Sentence | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return documents.PART_TOO_LARGE if abs(value) > MAX_WHOLE_NUMBER else None
    if isinstance(value, float):
        return None if math.isfinite(value) else documents.PART_NOT_FINITE
    if isinstance(value, str):
        return None if _is_unicode(value) else documents.PART_NOT_UNICODE
    return documents.PART_NOT_JSON


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    values = dict(pairs)
    if len(values) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise _RefusedError(documents.JSON_KEY_TWICE, key=twice[:100])
    return values


def _refuse_constant(name: str) -> Any:
    raise _RefusedError(documents.JSON_NO_NUMBER, text=name)
