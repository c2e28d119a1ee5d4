"""Conversion of Arguments and Command to the words that processes are started with.

``{{inputs.images}}``, ``{{outputs.model}}`` and ``{{parameters.random_seed}}`` are replaced once;
``$LOCAL_RANK`` and other variables for each process. No shell is involved.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from modules.errors import InvalidScriptError
from modules.sentences import scripts as say

PLACE = re.compile(r"\$?\{\{[ \t]*(inputs|outputs|parameters)\.([A-Za-z_][A-Za-z0-9_]*)[ \t]*\}\}")
OPENING, CLOSING = re.compile(r"\$?\{\{"), "}}"
VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")


class Placeholder(NamedTuple):
    """A name between double braces."""

    kind: str
    name: str


def places_in(texts: Iterable[str]) -> set[Placeholder]:
    """Return the placeholders in texts; raise ``InvalidScriptError`` for invalid ones."""
    placeholders = set[Placeholder]()
    for text in texts:
        for braces in _in_braces(text):
            place = PLACE.fullmatch(braces)
            if place is None:
                raise InvalidScriptError(say.NO_PLACE, text=braces[:100], parameter="arguments")
            placeholders.add(Placeholder(*place.groups()))
    return placeholders


def _in_braces(text: str) -> Iterator[str]:
    """Yield each part of a line between double braces, with them, in linear time."""
    for line in text.split("\n"):
        end = 0
        while (opening := OPENING.search(line, end)) is not None:
            closing = line.find(CLOSING, opening.end())
            if closing < 0:
                break
            end = closing + len(CLOSING)
            yield line[opening.start() : end]


def parameters_named_in(value: object) -> set[str]:
    """Return the names of parameters in all texts of a JSON value."""
    if isinstance(value, str):
        return {match[2] for match in PLACE.finditer(value) if match[1] == "parameters"}
    if isinstance(value, Mapping):
        return parameters_named_in([*value.keys(), *value.values()])
    parts = value if isinstance(value, list | tuple) else ()
    return {name for part in parts for name in parameters_named_in(part)}


def variables_in(text: str) -> set[str]:
    """Return the names of the variables that a text refers to."""
    return {match[1] or match[2] for match in VARIABLE.finditer(text)}


def shell_operators(command: str) -> list[str]:
    """Return shell syntax, such as ``|``, ``>`` or ``&&``, outside of quotes."""
    try:
        # Not POSIX mode: quotes stay in the words, so that a quoted operator is not reported.
        words = shlex.shlex(command, posix=False, punctuation_chars=True)
        words.whitespace_split = True
        words.commenters = ""
        tokens = list(words)
    except ValueError:
        return []
    return [token for token in tokens if set(token) <= set("();<>|&")]


@dataclass(frozen=True)
class PlaceValues:
    """Values of the names between double braces."""

    inputs: Mapping[str, str]
    """Paths of linked ports."""
    outputs: Mapping[str, str]
    parameters: Mapping[str, str]

    def fill(self, texts: Iterable[str]) -> list[str]:
        """Return the texts with all placeholders replaced; raise ``InvalidScriptError``."""
        return [PLACE.sub(self._value, text) for text in texts]

    def _value(self, match: re.Match[str]) -> str:
        kind, name = match.groups()
        values: Mapping[str, str] = getattr(self, kind)
        if name not in values:
            known = [f"{kind}.{name}" for name in sorted(values)]
            sentence = say.NOTHING_LINKED if kind == "inputs" else say.NO_SUCH_VALUE
            raise InvalidScriptError(
                sentence, place=f"{kind}.{name}", known=known or ["-"], parameter="arguments"
            )
        return values[name]


def with_variables(text: str, variables: Mapping[str, str]) -> str:
    """Return the text with the values of these variables; other names are unchanged."""

    def value(match: re.Match[str]) -> str:
        return variables.get(match[1] or match[2], match[0])

    return VARIABLE.sub(value, text)


def command_words(command: str) -> list[str]:
    """Split a command into words like a shell; raise ``InvalidScriptError`` if it is empty."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InvalidScriptError(
            say.COMMAND_UNREADABLE, error=str(error), parameter="command"
        ) from None
    if not words:
        raise InvalidScriptError(say.COMMAND_EMPTY, parameter="command")
    return words
