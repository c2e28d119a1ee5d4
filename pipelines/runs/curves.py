"""Curves of a run, thinned for a screen; extremes and gaps are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from modules.json_model import JsonModel
from pipelines.errors import RefusedError
from pipelines.sentences import refusals
from pipelines.store.database.runs import RunStore

MAX_POINTS = 1_000
"""Limit of points per curve: more than a chart has pixel columns."""
MAX_POINTS_IN_ALL = 100_000
FEWEST_POINTS = 5


@dataclass(frozen=True, slots=True)
class RunPoint:
    """Point of a curve; the value is null if there was none, as for NaN. ``time`` is seconds since
    the epoch.
    """

    step: int
    value: float | None
    time: float


Curves = dict[str, dict[str, list[RunPoint]]]
"""By node, then by metric; the points by step."""


class RunCurves(JsonModel):
    """Curves of a run: by node, then metric, points by step.

    In an event stream they may include points of later events; a point replaces the one with the
    same step.
    """

    run_id: str
    metrics: Curves


def thinned_metrics(
    store: RunStore,
    run_id: str,
    node: str | None = None,
    *,
    most: int = MAX_POINTS,
    most_in_all: int = MAX_POINTS_IN_ALL,
) -> Curves:
    """Return a run's curves, or those of one node, each with at most ``most`` points.

    Many curves share ``most_in_all``, with at least ``FEWEST_POINTS`` each.
    """
    names = store.curve_names(run_id, node)
    share = max(FEWEST_POINTS, min(most, most_in_all // max(1, len(names))))
    curves: Curves = {}
    for owner, name, rows in store.curves(run_id, names):
        positions = sampled_positions([value for _, value, _ in rows], share)
        curves.setdefault(owner, {})[name] = [RunPoint(*rows[position]) for position in positions]
    return curves


def evenly(places: Sequence[int], most: int) -> list[int]:
    """Return up to that many items, evenly spaced, including the first and the last."""
    if len(places) <= most:
        return list(places)
    step = (len(places) - 1) / (most - 1)
    return [places[round(index * step)] for index in range(most)]


def sampled_positions(values: Sequence[float | None], most: int = MAX_POINTS) -> list[int]:
    """Return up to ``most`` positions of a curve's values, in order; None is a gap.

    They preserve the shape at this width: the first and last value and, of equally long stretches
    in between, the lowest, the highest and a gap if there is one. The curve's extremes are thus
    kept.
    """
    if most < FEWEST_POINTS:
        raise RefusedError(refusals.NUMBER_OF_POINTS, most=most, fewest=FEWEST_POINTS)
    if len(values) <= most:
        return list(range(len(values)))
    num_inner = len(values) - 2
    num_stretches = (most - 2) // (3 if None in values[1:-1] else 2)
    bounds = [1 + index * num_inner // num_stretches for index in range(num_stretches + 1)]
    positions = [0]
    for start, end in pairwise(bounds):
        positions += _extremes(values[start:end], start)
    return [*positions, len(values) - 1]


def _extremes(values: Sequence[float | None], start: int) -> list[int]:
    """Return the positions (from ``start``) of the lowest and highest value and of a gap."""
    numbers = [value for value in values if value is not None]
    extremes = [min(numbers), max(numbers)] if numbers else []
    positions = {values.index(value) for value in extremes}
    if len(numbers) < len(values):
        positions.add(values.index(None))
    return [start + position for position in sorted(positions)]
