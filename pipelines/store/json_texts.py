"""JSON for PostgreSQL, which refuses what Python writes: NaN, infinity, NUL, half a character."""

from __future__ import annotations

import json
import math
import re
from typing import Any

NUMBER = "$number"
"""A number that JSON lacks is an object of this one name."""
SUSPICIOUS = re.compile(r"\\u(?:0000|d[89a-f])")
"""Also in harmless texts: then they are looked at in full."""


def dump_json(value: Any) -> str:
    """The text of a value; what ``load_json`` makes of it is equal, but for marks in texts."""
    try:
        written = json.dumps(value, allow_nan=False)
    except ValueError:
        written = json.dumps(_plain(value), allow_nan=False)
    if SUSPICIOUS.search(written):
        written = json.dumps(_plain(value), allow_nan=False)
    return written


def load_json(written: str | bytes) -> Any:
    """The value that was given to ``dump_json``."""
    mark = NUMBER if isinstance(written, str) else NUMBER.encode()
    if mark not in written:  # type: ignore[operator]  # both are of one kind
        return json.loads(written)
    return json.loads(written, object_hook=_number)


def storable(text: str) -> str:
    """The text with a mark for each character that no database of UTF-8 takes."""
    if text.isascii() and "\0" not in text:
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd")


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {storable(str(name)): _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case str():
            return storable(value)
        case float() if not math.isfinite(value):
            return {NUMBER: str(value)}
    return value


def _number(found: dict[str, Any]) -> Any:
    return float(found[NUMBER]) if found.keys() == {NUMBER} else found
