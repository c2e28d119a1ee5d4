"""The lines of values that Tune Model Hyperparameters tries, parsed and checked."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from modules.errors import InvalidSearchSpaceError
from modules.parameters import takes_text
from modules.search.spaces import (
    Space,
    probes,
    read_space,
    space_faults,
    value_text,
)
from modules.sentences import search as say
from modules.sentences.sentence import Sentence, Statement
from modules.training.parameters import TrainParameters

LINES = "values_to_try"
"""Parameter that errors belong to."""
_WHOLE = ("int_type", "int_from_float")
"""Pydantic's errors about numbers that are not whole."""


def with_values(base: TrainParameters, values: Mapping[str, Any]) -> TrainParameters:
    """Return settings with other values; raise ``ValidationError`` for values out of range."""
    return TrainParameters.model_validate({**base.model_dump(), **values})


def read_spaces(lines: list[str], base: TrainParameters) -> dict[str, Space]:
    """Return the spaces by parameter; raise ``InvalidSearchSpaceError`` (3106) for a faulty line.

    ``base`` are the settings that the values are tried with.
    """
    spaces: dict[str, Space] = {}
    for line in filter(str.strip, lines):
        name, equals, text = (part.strip() for part in line.partition("="))
        if not (name and equals):
            raise fault(say.NO_LINE, text=line[:100])
        name = name.lower().replace(" ", "_")  # as its title has it: Learning rate
        if name not in TrainParameters.model_fields:
            raise fault(say.NO_SUCH_PARAMETER, name=name[:100], names=_names_like(name))
        if name in spaces:
            raise fault(say.TRIED_TWICE, name=name)
        space = _space(name, text, line)
        for faulty in space_faults(name, space):
            raise fault(faulty)
        _check_values(name, space, base)
        spaces[name] = space
    if not spaces:
        raise fault(say.NOTHING_TO_TRY)
    return spaces


def _names_like(name: str) -> list[str]:
    """Return the names of all parameters, similar ones first."""
    names = list(TrainParameters.model_fields)
    near = difflib.get_close_matches(name[:100], names, n=3, cutoff=0.6)
    return [*near, *(other for other in names if other not in near)]


def _space(name: str, text: str, line: str) -> Space:
    try:
        return read_space(text, _json, is_text=takes_text(TrainParameters, name))
    except (ValueError, RecursionError):
        raise fault(say.NO_LINE, text=line[:100]) from None


def _json(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON.")


def _check_values(name: str, space: Space, base: TrainParameters) -> None:
    """Raise for the first value to try that a training does not accept."""
    for value in probes(space):
        try:
            with_values(base, {name: value})
        except ValidationError as error:
            first = error.errors()[0]
            if first["type"] in _WHOLE and space.kind in ("linear", "log"):
                raise fault(say.WHOLE_NUMBERS_ONLY, title=name, place=name) from None
            why = first["msg"][:1].lower() + first["msg"][1:200]
            shown = value_text(value)[:60]
            raise fault(say.REFUSED_VALUE, name=name, value=shown, why=why) from None


def fault(said: Sentence | Statement, **facts: Any) -> InvalidSearchSpaceError:
    """Return the error about the lines of values to try."""
    return InvalidSearchSpaceError(said, parameter=LINES, **facts)
