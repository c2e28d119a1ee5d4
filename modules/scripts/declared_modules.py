"""Detection of module declarations in a Python file, from its text, without running it."""

from __future__ import annotations

import ast

PACKAGE = "modules"


def declared_modules(source: str) -> list[str]:
    """Return the titles of the functions decorated with ``@module(...)`` of this package.

    None if the text is not Python.
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
    """Return the names of ``module`` in the file: ``module``, an alias, or with its package."""
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
