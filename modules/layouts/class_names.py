"""Lists of class names, for tables that number their classes."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

from modules.layouts.table_files import decode


def read_class_names(path: str, data: bytes) -> dict[str, str]:
    """Return the names of classes by their numbers, as a file beside a table lists them.

    Lines of names (the first has number 0), lines of ``0 cat`` or ``0,cat``, or a JSON object of
    numbers and names in either order.
    """
    decoded = decode(data)
    if decoded is None or len(decoded.text) > 2**20:
        return {}
    if PurePosixPath(path).suffix.lower() == ".json":
        return _names_from_json(decoded.text)
    lines = [line.strip() for line in decoded.text.splitlines() if line.strip()]
    if len(lines) > 2 and not lines[0][0].isdigit() and lines[1][0].isdigit():
        lines = lines[1:]  # a header
    numbered = [re.fullmatch(r"(\d+)[\s,;:]+(.+)", line) for line in lines]
    if lines and all(numbered):
        return {str(int(found[1])): found[2].strip() for found in numbered if found}
    return {str(number): line for number, line in enumerate(lines)}


def _names_from_json(text: str) -> dict[str, str]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(content, list) and all(isinstance(each, str) for each in content):
        return {str(number): name for number, name in enumerate(content)}
    if not isinstance(content, dict):
        return {}
    pairs = [(str(key), each) for key, each in content.items()]
    if pairs and all(key.isdecimal() and isinstance(each, str) for key, each in pairs):
        return {str(int(key)): each for key, each in pairs}
    if pairs and all(isinstance(each, int) for _, each in pairs):
        return {str(each): key for key, each in pairs}
    return {}
