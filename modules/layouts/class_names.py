"""Lists of class names, for tables that number their classes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from modules.layouts.table_files import decode

_DELIMITERS = "\t,;:"
_HEADER = re.compile(
    r"\W*((class|label|category)[ _-]?)?(name|names|label|labels|class|classes|category|categories)"
    r"\W*",
    re.IGNORECASE,
)
"""A first line with the name of the column, not of a class."""


@dataclass(frozen=True)
class ClassNames:
    """The names of classes by their numbers, from a file next to a table."""

    path: str
    by_number: Mapping[str, str]
    is_numbered: bool = True
    """False for a list of only names, whose first number may be 0 or 1."""
    is_revised: bool = False
    """True if the second version of this reader read other names from the file."""

    def __len__(self) -> int:
        return len(self.by_number)

    def first_number(
        self,
        labels: Collection[str],
        others: Collection[str] = (),
        chosen: int | None = None,
    ) -> int | None:
        """Return the number of the first name: 0 or 1; None if the labels fit both.

        A list without numbers starts at the number that a user has ``chosen``, else at 0 if a
        label is 0, and at 1 if one is the number after its last name. If ``labels`` have neither,
        ``others``, the labels of other tables, decide.
        """
        if self.is_numbered:
            return 0
        if chosen is not None:
            return chosen
        last = str(len(self.by_number))
        decisive = next((known for known in (labels, others) if {"0", last} & set(known)), None)
        return None if decisive is None else int("0" not in decisive)

    def fitting(self, labels: Collection[str], first: int | None) -> dict[str, str] | None:
        """Return the names of labels that are all numbers of the list; otherwise None.

        ``first`` is the number of the first name; None: 0.
        """
        numbers = {str(int(number) + (first or 0)): name for number, name in self.by_number.items()}
        if not labels or not set(labels) <= numbers.keys():
            return None
        return {label: numbers[label] for label in labels}


def read_class_names(path: str, data: bytes) -> ClassNames | None:
    """Return the names of classes in a file; None if the file is not such a list.

    Lines of names; lines of ``0 cat``, ``0,cat`` or ``cat,0``, with or without a header; or a JSON
    list of names or object of numbers and names, in either order.
    """
    decoded = decode(data)
    if decoded is None or len(decoded.text) > 2**20:
        return None
    if PurePosixPath(path).suffix.lower() == ".json":
        pairs, is_numbered = _names_from_json(decoded.text)
        return _checked(path, pairs, is_numbered=is_numbered)
    lines = [line.strip() for line in decoded.text.splitlines() if line.strip()]
    delimiter = next(
        (delimiter for delimiter in _DELIMITERS if all(delimiter in line for line in lines)), None
    )
    for rows in (lines, lines[1:]):  # without a header, or with one
        for number_first in (True, False):
            if names := _numbered(rows, delimiter, number_first=number_first):
                return _checked(path, names)
    if delimiter is not None:
        return None  # some other table
    has_header = len(lines) > 2 and _HEADER.fullmatch(lines[0]) is not None
    class_names = _checked(path, list(enumerate(lines[has_header:])), is_numbered=False)
    return (
        replace(class_names, is_revised=True)
        if class_names is not None and has_header
        else class_names
    )


_Pairs = Sequence[tuple[int, str]]


def _checked(path: str, pairs: _Pairs, *, is_numbered: bool = True) -> ClassNames | None:
    """Return the list; None for duplicate numbers or names, as in tables of files."""
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


def _names_from_json(text: str) -> tuple[_Pairs, bool]:
    """Return numbers and names, and whether the file has the numbers."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return [], True
    if isinstance(content, list) and all(isinstance(name, str) for name in content):
        return list(enumerate(content)), False
    if not isinstance(content, dict):
        return [], True
    pairs = [(str(key), value) for key, value in content.items()]
    if all(key.isdecimal() and isinstance(value, str) for key, value in pairs):
        return [(int(key), value) for key, value in pairs], True
    if all(isinstance(value, int) for _, value in pairs):
        return [(value, key) for key, value in pairs], True
    return [], True
