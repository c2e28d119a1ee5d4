"""Spaces of values to try: parsed from text, checked, counted, enumerated and drawn from."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from modules.formatting import shortest
from modules.sentences import search as say
from modules.sentences.sentence import Statement

Kind = Literal["choices", "linear", "log", "integer"]
INNER_SHARE = 0.381966
"""Position of the value that is checked inside a range: no whole number by accident."""
LARGEST_WHOLE_NUMBER = 2**53 - 1
"""Larger ones are rounded by browsers, and refused in documents."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_KINDS: Mapping[str | None, Kind] = {
    None: "linear",
    "linear": "linear",
    "log": "log",
    "int": "integer",
}


class SpaceLike(Protocol):
    """A space as it is used here; pipeline documents store it in their own class."""

    @property
    def kind(self) -> Kind: ...
    @property
    def choices(self) -> Sequence[Any]: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


Spaces = Mapping[str, SpaceLike]
"""Spaces by the name of the parameter that they are for."""
TrialValues = dict[str, Any]
"""Values of a trial by the same names."""


@dataclass(frozen=True)
class Space:
    """Values to try for a parameter: choices, or a range with its ends included."""

    kind: Kind
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None


def read_space(text: str, parse: Callable[[str], Any], *, is_text: bool = False) -> Space:
    """Return ``4,8,16``, ``0.1..0.9``, ``1e-3..1e-1:log`` or ``1..9:int`` as a space.

    Choices are JSON, or plain text for text parameters. A JSON array is a list of choices.

    Args:
        text: Text of the space.
        parse: Function that parses JSON; its exceptions pass through.
        is_text: The parameter takes text, so that choices need no quotation marks.

    Raises:
        ValueError: The text is neither, or an end of the range is infinite.
    """
    limits = None if is_text else _limits(text)
    if limits is not None:
        low, high, suffix = limits
        ends = float(low), float(high)
        if not all(map(math.isfinite, ends)):
            raise ValueError("The ends of a range must be finite.")
        return Space(_KINDS[suffix], (), *ends)
    if text.startswith("["):
        choices = parse(text)
        if not isinstance(choices, list):
            raise ValueError("Choices must be a list.")
    else:
        parts = [part.strip() for part in text.split(",")] if text else []
        choices = [_choice(part, parse, is_text=is_text) for part in parts]
    return Space("choices", tuple(choices))


def _limits(text: str) -> tuple[str, str, str | None] | None:
    """Return the ends of a range and its suffix, as text; None if it is not a range."""
    low, dots, rest = text.partition("..")
    high, colon, suffix = rest.partition(":")
    is_range = dots and (not colon or suffix in _KINDS)
    if not is_range or not all(map(_NUMBER.fullmatch, (low, high))):
        return None
    return low, high, suffix if colon else None


def _choice(text: str, parse: Callable[[str], Any], *, is_text: bool) -> Any:
    if is_text:
        return None if text == "null" else text
    return parse(text)


def space_text(space: SpaceLike) -> str:
    """Return a space in the form that ``read_space`` accepts."""
    if space.kind == "choices":
        if any(isinstance(item, list | dict) or "," in str(item) for item in space.choices):
            return json.dumps(list(space.choices), ensure_ascii=False)
        return ",".join(map(value_text, space.choices))
    suffix = {"log": ":log", "integer": ":int"}.get(space.kind, "")
    low, high = (json.dumps(shortest(end)) for end in ends_of(space))
    return f"{low}..{high}{suffix}"


def space_faults(place: str, space: SpaceLike) -> Iterator[Statement]:
    """Yield what makes a space unusable; ``place`` is its parameter, as users know it."""
    if space.kind == "choices":
        if not space.choices:
            yield say.NO_CHOICES.about({"place": place})
        texts = [json.dumps(choice, sort_keys=True) for choice in space.choices]
        repeated = next((text for text in texts if texts.count(text) > 1), None)
        if repeated is not None:
            yield say.EQUAL_CHOICES.about({"place": place, "value": repeated[:60]})
        return
    if space.low is None or space.high is None:
        end = "lower" if space.low is None else "upper"
        yield say.NO_ENDS.about({"place": place, "end": end})
        return
    largest = max(space.low, space.high, key=abs)
    if abs(largest) > LARGEST_WHOLE_NUMBER:
        yield say.ENDS_TOO_LARGE.about({"place": place, "value": f"{largest:g}"})
    elif not space.low < space.high:
        facts = {"place": place, "low": f"{space.low:g}", "high": f"{space.high:g}"}
        yield say.EMPTY_RANGE.about(facts)
    elif space.kind == "log" and space.low <= 0:
        yield say.LOG_OF_NOTHING.about({"place": place, "low": f"{space.low:g}"})
    elif space.kind == "integer":
        for end_value in (space.low, space.high):
            if end_value != int(end_value):
                yield say.NO_WHOLE_ENDS.about({"place": place, "value": f"{end_value:g}"})


def probes(space: SpaceLike) -> Iterator[Any]:
    """Yield the values to check: all choices, or the ends of a range and one inside."""
    if space.kind == "choices":
        yield from space.choices
        return
    low, high = ends_of(space)
    yield from map(shortest, (low, high))
    if space.kind != "integer":
        yield low + INNER_SHARE * (high - low)


def num_values(space: SpaceLike) -> int | None:
    """Return the number of values of a space; None for a range of real numbers."""
    if space.kind == "choices":
        return len(space.choices)
    if space.kind == "integer":
        return int(ends_of(space)[1]) - int(ends_of(space)[0]) + 1
    return None


def num_combinations(spaces: Spaces) -> int | None:
    """Return the number of combinations; None if a space is a range of real numbers."""
    counts = [num_values(space) for space in spaces.values()]
    known = [count for count in counts if count is not None]
    return math.prod(known) if len(known) == len(counts) else None


def combination(spaces: Spaces, number: int) -> TrialValues:
    """Return a combination by its number from 0; the last parameter changes fastest."""
    values: TrialValues = {}
    for place, space in reversed(list(spaces.items())):
        count = num_values(space)
        assert count is not None
        number, position = divmod(number, count)
        is_listed = space.kind == "choices"
        values[place] = space.choices[position] if is_listed else int(ends_of(space)[0]) + position
    return dict(reversed(values.items()))


def drawn(spaces: Spaces, generator: random.Random) -> TrialValues:
    """Return random values: ranges are drawn evenly, logarithmic ones evenly in the logarithm."""
    return {place: _drawn(space, generator) for place, space in spaces.items()}


def _drawn(space: SpaceLike, generator: random.Random) -> Any:
    if space.kind == "choices":
        return generator.choice(space.choices)
    low, high = ends_of(space)
    if space.kind == "integer":
        return generator.randint(int(low), int(high))
    if space.kind == "log":
        exponent = generator.uniform(math.log(low), math.log(high))
        return min(high, max(low, math.exp(exponent)))
    return min(high, max(low, generator.uniform(low, high)))


def ends_of(space: SpaceLike) -> tuple[float, float]:
    """Return the ends of a range."""
    assert space.low is not None
    assert space.high is not None
    return float(space.low), float(space.high)


def values_text(values: Mapping[str, Any]) -> str:
    """Return ``learning_rate 0.01, momentum 0.9``; equal names have their nodes."""
    names = [place.rpartition(".")[2] for place in values]
    labels = [
        name if names.count(name) == 1 else place for name, place in zip(names, values, strict=True)
    ]
    pairs = zip(labels, values.values(), strict=True)
    return ", ".join(f"{label} {value_text(value)}" for label, value in pairs)


def value_text(value: Any) -> str:
    """Return a JSON value with at most four significant digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return value if isinstance(value, str) else json.dumps(value)
