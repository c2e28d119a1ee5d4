"""Whether a Python file declares modules of the user's own, read from its text; it is not run."""

from __future__ import annotations

import ast

PACKAGE = "modules"


def declared_modules(source: str) -> list[str]:
    """The titles of the functions that ``@module(...)`` of this package stands above.

    None for what is no Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = _names_of_decorator(tree)
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    return [
        _title(call) or function.name
        for function in functions
        for call in function.decorator_list
        if isinstance(call, ast.Call) and ast.unparse(call.func) in names
    ]


def _names_of_decorator(tree: ast.Module) -> set[str]:
    """What ``module`` is called in the file: ``module``, or by another name or its package's."""
    found = set()
    for each in tree.body:
        if isinstance(each, ast.ImportFrom) and (each.module or "").split(".")[0] == PACKAGE:
            found |= {name.asname or name.name for name in each.names if name.name == "module"}
        elif isinstance(each, ast.Import):
            aliases = {name.asname or name.name for name in each.names if name.name == PACKAGE}
            found |= {f"{name}.module" for name in aliases}
    return found


def _title(call: ast.Call) -> str:
    for keyword in call.keywords:
        if keyword.arg == "title" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return ""
