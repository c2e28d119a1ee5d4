"""JSON files that are written atomically."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from pathlib import Path
from typing import Any

from modules.files.whole_files import replacing

JsonObject = dict[str, Any]
"""JSON object from a file or another program; its content is not checked."""


def write_durably(path: Path, content: object) -> None:
    """Write JSON so that after a crash of the machine the file is complete or absent."""
    write_whole(path, content, durably=True)


def write_whole(
    path: Path, content: object, *, durably: bool = False, indent: int | None = None
) -> None:
    """Write JSON atomically; ``durably`` if it must survive a crash of the machine.

    Raises ``OSError`` if it cannot be written; the old file remains then.
    """
    text = json.dumps(content, indent=indent)
    with replacing(path, durably=durably) as temporary:
        temporary.write_text(text, encoding="utf-8")


def remember(path: Path, content: object) -> None:
    """Write a value that can be recomputed, and its folder, if that is possible."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def read_if_valid(path: Path) -> JsonObject | None:
    """Return the JSON object in a file; None if it is absent or damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def finite(value: Any) -> Any:
    """Return the value with None in place of NaN and infinity, which JSON does not support."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def is_same_json(one: Any, other: Any) -> bool:
    """Return True if two values are the same in JSON; in Python ``1`` equals ``True``."""
    if one != other:
        return False
    if isinstance(one, dict):
        return all(is_same_json(item, other[key]) for key, item in one.items())
    if isinstance(one, list | tuple):
        return all(map(is_same_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool)
