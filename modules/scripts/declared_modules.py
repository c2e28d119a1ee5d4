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
    functions = [statement for statement in tree.body if isinstance(statement, ast.FunctionDef)]
    return [
        _title(call) or function.name
        for function in functions
        for call in function.decorator_list
        if isinstance(call, ast.Call) and ast.unparse(call.func) in names
    ]


def _names_of_decorator(tree: ast.Module) -> set[str]:
    """Return the names of ``module`` in the file: ``module``, an alias, or with its package."""
    names = set()
    for statement in tree.body:
        if (
            isinstance(statement, ast.ImportFrom)
            and (statement.module or "").split(".")[0] == PACKAGE
        ):
            names |= {name.asname or name.name for name in statement.names if name.name == "module"}
        elif isinstance(statement, ast.Import):
            aliases = {name.asname or name.name for name in statement.names if name.name == PACKAGE}
            names |= {f"{name}.module" for name in aliases}
    return names


def _title(call: ast.Call) -> str:
    for keyword in call.keywords:
        if keyword.arg == "title" and isinstance(keyword.value, ast.Constant):
            return str(keyword.value.value)
    return ""
