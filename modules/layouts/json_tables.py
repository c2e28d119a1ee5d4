"""Labels in JSON files of many forms, as rows of cells."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from modules.image_loading.image_formats import EXTENSIONS

_MAX_DEPTH = 8
_COCO_KEYS = {"images", "annotations"}
"""Keys of COCO files without labels, such as lists of test images."""
_FILE, _LABEL = "file", "label"


def rows_of_json(text: str) -> list[list[str]]:
    """Return the rows of a JSON file, with a header; empty if it has no rows.

    Lists of objects; objects of names and labels, of names and objects, of labels and lists of
    names, of columns; and any of these as the value of an object.
    """
    try:
        return _rows(json.loads(text))
    except (ValueError, RecursionError):
        return []


def rows_of_json_lines(text: str) -> list[list[str]]:
    """Return the rows of a file of JSON Lines, with a header; empty if it has none."""
    try:
        return _rows_of_objects([json.loads(line) for line in text.splitlines() if line.strip()])
    except (ValueError, RecursionError):
        return []


def _rows(content: Any) -> list[list[str]]:
    if isinstance(content, list):
        if content and all(map(_is_pair, content)):
            return [[_FILE, _LABEL], *([_cell(name), _cell(label)] for name, label in content)]
        return _rows_of_objects(content)
    if not isinstance(content, dict) or not content or content.keys() >= _COCO_KEYS:
        return []
    values = list(content.values())
    if all(map(_is_cell, values)):
        return [[_FILE, _LABEL], *([str(key), _cell(value)] for key, value in content.items())]
    if all(isinstance(value, list) and all(map(_is_cell, value)) for value in values):
        return _rows_of_lists(content)
    if all(isinstance(value, Mapping) for value in values):
        return _rows_of_objects_by_name(content)
    inner = [_rows(value) for value in values if isinstance(value, list | dict)]
    return max(inner, key=len, default=[])


def _rows_of_lists(lists: Mapping[str, Sequence[Any]]) -> list[list[str]]:
    """Return columns of the same length, the labels of each file, or the files of each label."""
    if _names_image(next(iter(lists))):
        cells = [[name, "|".join(map(_cell, labels))] for name, labels in lists.items()]
        return [[_FILE, _LABEL], *cells]
    if all(_names_image(_cell(name)) for names in lists.values() for name in names):
        cells = [[_cell(name), label] for label, names in lists.items() for name in names]
        return [[_FILE, _LABEL], *cells] if len(cells) > 1 else []
    columns = list(lists.values())
    if len(columns) > 1 and len(set(map(len, columns))) == 1:
        return [list(lists), *(list(map(_cell, row)) for row in zip(*columns, strict=True))]
    return []


def _rows_of_objects_by_name(objects: Mapping[str, Mapping[str, Any]]) -> list[list[str]]:
    """Return rows from objects by file name, or from columns of cells by row number."""
    first = next(iter(objects.values()))
    if first and all(key.isdigit() for row in objects.values() for key in row):
        columns = [[row.get(key) for key in first] for row in objects.values()]
        return _rows_of_lists(dict(zip(objects, columns, strict=True)))
    return _rows_of_objects([{_FILE: name, **row} for name, row in objects.items()])


def _rows_of_objects(objects: Iterable[Any]) -> list[list[str]]:
    """Return a header of all keys with plain values, and a row for each object.

    If the objects have only one key, or no label, nested values count too.
    """
    items = list(objects)
    if not items or not all(isinstance(item, Mapping) for item in items):
        return []
    plain = _table(items)
    return (
        plain if plain and _has_label(plain[0]) else _table([dict(_flat(item)) for item in items])
    )


def _has_label(header: Sequence[str]) -> bool:
    return any(word in key.lower() for key in header for word in ("label", "class", "categor"))


def _table(items: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    header = list(dict.fromkeys(key for item in items for key in item if _is_cell(item[key])))
    rows = [[_cell(item.get(key)) for key in header] for item in items]
    return [[str(key) for key in header], *rows] if len(header) > 1 else []


def _flat(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return nested values; the key is the last one that is not an index of a list."""
    seen: set[str] = set()
    for path, value in _leaves(item, (), _MAX_DEPTH):
        key = path[-1] if path[-1] not in seen else ".".join(path)
        seen.add(key)
        yield key, value


def _leaves(value: Any, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], Any]]:
    if _is_cell(value):
        yield path, value
    elif isinstance(value, Mapping) and depth:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)), depth - 1)
    elif isinstance(value, list) and len(value) == 1:
        yield from _leaves(value[0], path, depth)
    elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        yield path, "|".join(value)


def _names_image(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in EXTENSIONS


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_cell, value))


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _cell(value: Any) -> str:
    return str(value).strip() if _is_cell(value) and value is not None else ""
