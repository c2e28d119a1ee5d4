"""The errors of modules: the tree as it is drawn is the tree as it is."""

from __future__ import annotations

import re

from modules import errors


def test_the_drawing_has_every_error_with_its_code_and_its_second_parent() -> None:
    drawn = re.findall(r"(?:├──|└──) (\w+) \((\d{4})\)(?: +also (\w+))?", errors.__doc__ or "")
    declared = [
        (kind.__name__, kind.code, second_parent(kind))
        for kind in errors.all_error_types()
        if kind is not errors.ModuleError
    ]
    assert sorted(drawn) == sorted(declared)


def second_parent(kind: type[errors.ModuleError]) -> str:
    """The error of Python's that it is too; a range error's is drawn at its parent."""
    parents = {each.__name__ for each in kind.__bases__} - {"ModuleError", "RangeError"}
    return parents.pop() if parents else ""
