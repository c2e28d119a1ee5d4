"""Lists of class names, for tables that number their classes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from modules.layouts.table_files import decode

_DELIMITERS = "\t,;:"


@dataclass(frozen=True)
class ClassNames:
    """The names of classes by their numbers, as a file beside a table lists them."""

    path: str
    by_number: Mapping[str, str]
    is_numbered: bool = True
    """False for a list of names alone, whose first number may be 0 or 1."""

    def fitting(self, labels: Collection[str]) -> dict[str, str] | None:
        """Return the names of labels that are all numbers of the list; None where they are not.

        A list without numbers starts at 1 where the number behind its last name is a label.
        """
        numbers, last = self.by_number, str(len(self.by_number))
        if not self.is_numbered and last in labels and "0" not in labels:
            numbers = {str(int(number) + 1): name for number, name in numbers.items()}
        if not labels or not set(labels) <= numbers.keys():
            return None
        return {label: numbers[label] for label in labels}


def read_class_names(path: str, data: bytes) -> ClassNames | None:
    """Return the names of classes that a file lists; None for a file that is no such list.

    Lines of names; lines of ``0 cat``, ``0,cat`` or ``cat,0``, with a header or not; or a JSON
    list of names or object of numbers and names, in either order.
    """
    decoded = decode(data)
    if decoded is None or len(decoded.text) > 2**20:
        return None
    if PurePosixPath(path).suffix.lower() == ".json":
        return _checked(path, _names_from_json(decoded.text))
    lines = [line.strip() for line in decoded.text.splitlines() if line.strip()]
    delimiter = next((each for each in _DELIMITERS if all(each in line for line in lines)), None)
    for rows in (lines, lines[1:]):  # without a header, with one
        for number_first in (True, False):
            if names := _numbered(rows, delimiter, number_first=number_first):
                return _checked(path, names)
    if delimiter is not None:
        return None  # some other table
    return _checked(path, list(enumerate(lines)), is_numbered=False)


_Pairs = Sequence[tuple[int, str]]


def _checked(path: str, pairs: _Pairs, *, is_numbered: bool = True) -> ClassNames | None:
    """The list; None where a number or a name is there twice, as in tables of files."""
    names = {str(number): name for number, name in pairs}
    is_list = 1 < len(pairs) == len(names) == len(set(names.values()))
    return ClassNames(path, names, is_numbered) if is_list else None


def _numbered(lines: Sequence[str], delimiter: str | None, *, number_first: bool) -> _Pairs:
    pairs = []
    for line in lines:
        if delimiter is not None:
            cells = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))[:2]
        else:
            cells = line.split(maxsplit=1) if number_first else line.rsplit(maxsplit=1)
        number, name = (*cells, "")[:2] if number_first else (*cells[::-1], "")[:2]
        if not name or not re.fullmatch(r"\d+", number, re.ASCII):
            return []
        pairs.append((int(number), name.strip()))
    return pairs


def _names_from_json(text: str) -> _Pairs:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if isinstance(content, list) and all(isinstance(each, str) for each in content):
        return list(enumerate(content))
    if not isinstance(content, dict):
        return []
    pairs = [(str(key), each) for key, each in content.items()]
    if all(key.isdecimal() and isinstance(each, str) for key, each in pairs):
        return [(int(key), each) for key, each in pairs]
    if all(isinstance(each, int) for _, each in pairs):
        return [(each, key) for key, each in pairs]
    return []
