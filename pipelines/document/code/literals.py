"""Python source of values and calls, laid out as ``ruff format`` does: at most 100 columns.

A call or value that does not fit in its line is broken into one line for each argument or item;
a long text into several texts, which Python joins. Only long names can exceed the limit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

MAX_COLUMNS = 100
INDENT = 4
LEAST_TEXT = 20
"""Width in columns of a piece of a long text that is nested too deeply to be any wider."""


@dataclass(frozen=True)
class Name:
    """Source that stays as it is: a variable, or an attribute of one."""

    source: str


@dataclass(frozen=True)
class Pair:
    """Tuple of numbers: a position, a size or a waypoint."""

    first: float
    second: float


@dataclass(frozen=True)
class Items:
    """List in brackets."""

    items: Sequence[Value]


Value = JsonValue | Name | Pair | Items


@dataclass(frozen=True)
class Argument:
    """Argument of a call: its value, and its name unless it is positional."""

    value: Value
    name: str = ""

    @property
    def prefix(self) -> str:
        return f"{self.name}=" if self.name else ""


def call_lines(
    start: str,
    arguments: Sequence[Argument],
    end: str = ")",
    *,
    indent: int,
    is_open: bool = False,
) -> list[str]:
    """Return the lines of ``start``, which ends in a parenthesis, arguments and ``end``.

    Args:
        start: Source before the first argument, such as ``train = m.train(``.
        arguments: Arguments in order.
        end: Source after the last argument.
        indent: Indentation of the statement in columns.
        is_open: True if each argument has its own line, however short they are.
    """
    inside = ", ".join(f"{argument.prefix}{flat(argument.value)}" for argument in arguments)
    line = f"{' ' * indent}{start}{inside}{end}"
    if not arguments or (width(line) <= MAX_COLUMNS and not is_open):
        return [line]
    lines = [f"{' ' * indent}{start}"]
    for argument in arguments:
        lines += value_lines(argument.prefix, argument.value, indent + INDENT)
    return [*lines, f"{' ' * indent}{end}"]


def value_lines(prefix: str, value: Value, indent: int) -> list[str]:
    """Return the lines of a value between its prefix and a comma."""
    space = " " * indent
    if width(line := f"{space}{prefix}{flat(value)},") <= MAX_COLUMNS:
        return [line]
    if isinstance(value, str) and value:
        inner = [f"{space}{' ' * INDENT}{text}" for text in _pieces(value, indent + INDENT)]
        return [f"{space}{prefix}(", *inner, f"{space}),"]
    if isinstance(value, Items | list) and (items := _items(value)):
        inner = [line for item in items for line in value_lines("", item, indent + INDENT)]
        return [f"{space}{prefix}[", *inner, f"{space}],"]
    if isinstance(value, Mapping) and value:
        inner = [
            line
            for key, item in value.items()
            for line in value_lines(f"{_quoted(key)}: ", item, indent + INDENT)
        ]
        return [f"{space}{prefix}{{", *inner, f"{space}}},"]
    return [line]


def flat(value: Value) -> str:
    """Return a value as source in one line."""
    match value:
        case Name():
            return value.source
        case Pair():
            return f"({flat(value.first)}, {flat(value.second)})"
        case str():
            return _quoted(value)
        case Items() | list():
            return f"[{', '.join(map(flat, _items(value)))}]"
        case dict():
            return (
                f"{{{', '.join(f'{_quoted(key)}: {flat(item)}' for key, item in value.items())}}}"
            )
        case float():
            return repr(value).replace("e+", "e")
    return repr(value)


def width(text: str) -> int:
    """Return the number of columns of the longest line, with wide characters as two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _items(value: Items | list[JsonValue]) -> Sequence[Value]:
    return value.items if isinstance(value, Items) else value


def _quoted(text: str) -> str:
    """Return a string literal in double quotes, or in single ones if that escapes less."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    # Without this quote ``repr`` has nothing to escape but characters that cannot be printed.
    bodies = (repr(part)[1:-1] for part in text.split(quote))
    return f"{quote}{f'{chr(92)}{quote}'.join(bodies)}{quote}"


def _pieces(text: str, indent: int) -> list[str]:
    """Return the literals of a long text: one, or one for each line and each part of a long one."""
    room = max(MAX_COLUMNS - indent, LEAST_TEXT)
    if width(whole := _quoted(text)) <= room:
        return [whole]
    lines = text.splitlines(keepends=True)
    return [_quoted(piece) for line in lines for piece in _divided(line, room)]


def _divided(line: str, room: int) -> Iterator[str]:
    start = 0
    while (end := start + _fitting(line[start : start + room], room)) < len(line):
        space = line.rfind(" ", start, end) + 1
        end = space or end
        yield line[start:end]
        start = end
    yield line[start:]


def _fitting(text: str, room: int) -> int:
    """Return the largest number of characters whose literal fits; at least one."""
    least, most = 1, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if width(_quoted(text[:middle])) <= room:
            least = middle
        else:
            most = middle - 1
    return least
