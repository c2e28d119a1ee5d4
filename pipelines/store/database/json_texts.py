"""JSON for PostgreSQL, which rejects NaN, infinity, NUL and lone surrogates."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from modules.files.json_files import JsonObject

NUMBER = "$number"
"""Name of the single field of an object that represents a number that JSON lacks."""
SUSPICIOUS = re.compile(r"\\u(?:0000|d[89a-f])")
"""Pattern that also occurs in harmless texts, which are then checked in full."""


def dump_json(value: Any) -> str:
    """Return the text from which ``load_json`` returns an equal value but for odd characters."""
    try:
        written = json.dumps(value, allow_nan=False)
    except ValueError:
        written = json.dumps(_plain(value), allow_nan=False)
    if SUSPICIOUS.search(written):
        written = json.dumps(_plain(value), allow_nan=False)
    return written


def load_json(written: str | bytes) -> Any:
    """Return the value that was given to ``dump_json``."""
    mark = NUMBER if isinstance(written, str) else NUMBER.encode()
    if mark not in written:  # type: ignore[operator]  # both are of one kind
        return json.loads(written)
    return json.loads(written, object_hook=_number)


def storable(text: str) -> str:
    """Return the text with a mark for each character that no UTF-8 database accepts."""
    if text.isascii() and "\0" not in text:
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd")


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {storable(str(name)): _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case str():
            return storable(value)
        case float() if not math.isfinite(value):
            return {NUMBER: str(value)}
    return value


def _number(content: JsonObject) -> Any:
    return float(content[NUMBER]) if content.keys() == {NUMBER} else content
