"""The curves of a run with as many points as a screen can show; extremes and gaps survive."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from pipelines.errors import RefusedError
from pipelines.sentences import refusals
from pipelines.store.runs import RunStore

MAX_POINTS = 1_000
"""Of one curve: more than a chart has columns of pixels."""
MAX_POINTS_IN_ALL = 100_000
FEWEST_POINTS = 5


class RunPoint(NamedTuple):
    """One point of a curve; the value is None where there was none, as for NaN."""

    step: int
    value: float | None
    time: float


Curves = dict[str, dict[str, list[RunPoint]]]
"""By node, then by metric; the points by step."""


def thinned_metrics(
    store: RunStore,
    run_id: str,
    node: str | None = None,
    *,
    most: int = MAX_POINTS,
    most_in_all: int = MAX_POINTS_IN_ALL,
) -> Curves:
    """A run's curves, or those of one node, each of at most ``most`` points.

    With many curves each gets its share of ``most_in_all``, but never less than
    ``FEWEST_POINTS``.
    """
    names = store.curve_names(run_id, node)
    share = max(FEWEST_POINTS, min(most, most_in_all // max(1, len(names))))
    found: Curves = {}
    for owner, name, rows in store.curves(run_id, names):
        kept = telling_places([value for _, value, _ in rows], share)
        found.setdefault(owner, {})[name] = [RunPoint._make(rows[place]) for place in kept]
    return found


def evenly(places: Sequence[int], most: int) -> list[int]:
    """At most so many of them, evenly spread, the first and the last among them."""
    if len(places) <= most:
        return list(places)
    step = (len(places) - 1) / (most - 1)
    return [places[round(index * step)] for index in range(most)]


def telling_places(values: Sequence[float | None], most: int = MAX_POINTS) -> list[int]:
    """The places of at most ``most`` of a curve's values, in order; None stands for a gap.

    They show the shape that a chart of that width shows: the first and the last value and, of
    equally long stretches between them, the lowest, the highest and a gap where there is one.
    So the curve's extremes are kept too.
    """
    if most < FEWEST_POINTS:
        raise RefusedError(refusals.NUMBER_OF_POINTS, most=most, fewest=FEWEST_POINTS)
    if len(values) <= most:
        return list(range(len(values)))
    num_inner = len(values) - 2
    num_stretches = (most - 2) // (3 if None in values[1:-1] else 2)
    bounds = [1 + place * num_inner // num_stretches for place in range(num_stretches + 1)]
    kept = [0]
    for start, end in pairwise(bounds):
        kept += _telling(values[start:end], start)
    return [*kept, len(values) - 1]


def _telling(values: Sequence[float | None], start: int) -> list[int]:
    """The places, counted from ``start`` on, of the lowest and highest value and of a gap."""
    known = [value for value in values if value is not None]
    told = [min(known), max(known)] if known else []
    places = {values.index(value) for value in told}
    if len(known) < len(values):
        places.add(values.index(None))
    return [start + place for place in sorted(places)]
