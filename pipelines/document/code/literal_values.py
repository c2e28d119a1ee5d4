"""Values of literals in code, as far as JSON can represent them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

from pipelines.document import strict_json
from pipelines.document.code.scan import CodeFault
from pipelines.sentences import documents, python_code


def literal_value(node: ast.expr) -> Any:
    """Return a value of JSON; raises ``CodeFault`` for all other expressions."""
    match node:
        case ast.Constant():
            return _constant(node)
        case ast.List() | ast.Tuple():
            return [literal_value(item) for item in node.elts]
        case ast.Dict():
            return dict(_items(node))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float()) as number):
            value = _constant(number)
            if isinstance(value, int | float):
                return -value
    raise CodeFault(node.lineno, python_code.CODE_VALUE)


def _items(node: ast.Dict) -> Iterator[tuple[str, Any]]:
    for key, value in zip(node.keys, node.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            raise CodeFault(value.lineno, python_code.CODE_VALUE)
        yield key.value, literal_value(value)


def _constant(node: ast.Constant) -> str | int | float | None:
    """Return a value that JSON can represent; raises ``CodeFault`` for others."""
    value, place = node.value, repr(node.value)[:40]
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        raise CodeFault(node.lineno, documents.PART_NOT_FINITE, place=place)
    if isinstance(value, int) and abs(value) > strict_json.MAX_WHOLE_NUMBER:
        raise CodeFault(node.lineno, documents.PART_TOO_LARGE, place=place)
    if isinstance(value, int | float):
        return value
    raise CodeFault(node.lineno, python_code.CODE_VALUE)
