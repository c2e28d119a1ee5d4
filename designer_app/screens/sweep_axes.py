"""Axes of a sweep's parallel coordinates: places of values, and ticks with values."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from designer_app.elements.ticks import logarithmic_values, round_values
from modules.formatting import shortest
from modules.search.spaces import ends_of, value_text
from modules.sentences.translation import local_number
from pipelines.runs.metric_words import metric_text

if TYPE_CHECKING:
    from pipelines.document.settings import SweepSpace

MOST_STEPS = 5
"""Number of round steps between the ends of an axis."""
GAP = 0.11
"""Part of an axis that is free between two ticks: a line of text."""


class AxisTick(NamedTuple):
    """Tick of an axis: its place, 0 at the bottom to 1 at the top, and its value as text."""

    height: float
    label: str


def height_on(space: SweepSpace, value: object) -> float:
    """Return the place of a parameter's value on its axis, 0 to 1."""
    if space.kind == "choices":
        texts = [json.dumps(choice, sort_keys=True) for choice in space.choices]
        text = json.dumps(value, sort_keys=True)
        return _place(texts.index(text) if text in texts else 0, len(texts))
    low, high = ends_of(space)
    at = float(str(value))
    if space.kind == "log":
        low, high, at = math.log(low), math.log(high), math.log(at)
    return share_between(low, high, at)


def space_ticks(space: SweepSpace) -> list[AxisTick]:
    """Return the ticks of a parameter's axis: choices, or the ends of its range and round values.

    Ticks of a logarithmic range are powers of ten.
    """
    if space.kind == "choices":
        count = len(space.choices)
        names = [value_text(choice) for choice in space.choices]
        return _apart([AxisTick(_place(at, count), name) for at, name in enumerate(names)])
    low, high = ends_of(space)
    if space.kind == "log":
        inner = logarithmic_values(low, high)
    else:
        inner = round_values(low, high, MOST_STEPS, is_whole=space.kind == "integer")
    values = [low, *(value for value in inner if low < value < high), high]
    return _apart([AxisTick(height_on(space, value), _number(value)) for value in values])


def result_ticks(metric: str, low: float, high: float) -> list[AxisTick]:
    """Return the ticks of the axis of results: its ends and round values between them."""
    inner = (value for value in round_values(low, high, MOST_STEPS) if low < value < high)
    values = [low, *inner, high] if low < high else [low]
    return _apart(
        [AxisTick(share_between(low, high, value), metric_text(metric, value)) for value in values]
    )


def share_between(low: float, high: float, value: float) -> float:
    """Return the place of a value between two ends, 0 to 1; the middle if they are equal."""
    return (value - low) / (high - low) if high > low else 0.5


def _place(index: int, count: int) -> float:
    return index / max(1, count - 1)


def _number(value: float) -> str:
    return local_number(value_text(shortest(value)))


def _apart(ticks: Sequence[AxisTick]) -> list[AxisTick]:
    """Return both ends, and the ticks between them whose texts are apart and differ."""
    first, last = ticks[0], ticks[-1]
    kept = [first]
    for tick in ticks[1:-1]:
        is_apart = kept[-1].height + GAP <= tick.height <= last.height - GAP
        if is_apart and tick.label not in (kept[-1].label, last.label):
            kept.append(tick)
    return [*kept, last] if len(ticks) > 1 else kept
