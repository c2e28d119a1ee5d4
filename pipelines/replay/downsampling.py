"""Downsampling of events: progress and curves are thinned, everything else is kept.

Of a curve each stretch keeps its lowest and highest point, so that no spike is lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pipelines.events import Event
from pipelines.runs.curves import evenly, sampled_positions

MAX_PROGRESS = 20_000
MAX_POINTS = 40_000
MAX_OF_A_NODE = 600
MAX_OF_A_CURVE = 2_000

Series = dict[tuple[object, ...], list[int]]


def thinned(events: Sequence[Event]) -> list[Event]:
    """Return the events that a replay keeps, in order."""
    progress, curves = _series(events)
    # Each series gets an equal share of the limit: one long curve does not displace short ones.
    dropped: set[int] = set()
    most = _share(MAX_PROGRESS, len(progress), MAX_OF_A_NODE)
    for positions in progress.values():
        dropped |= set(positions) - set(evenly(positions, most))
    most = _share(MAX_POINTS, len(curves), MAX_OF_A_CURVE)
    for positions in curves.values():
        indexes = sampled_positions([_height(events[position]) for position in positions], most)
        dropped |= set(positions) - {positions[index] for index in indexes}
    return [event for position, event in enumerate(events) if position not in dropped]


def _series(events: Iterable[Event]) -> tuple[Series, Series]:
    """Return the positions of the events of each rank's progress and of each curve."""
    progress: Series = defaultdict(list)
    curves: Series = defaultdict(list)
    for position, event in enumerate(events):
        if event.kind in ("StepProgress", "StepLooking"):
            progress[event.node, event.kind, event.data.get("rank", 0)].append(position)
        elif event.kind == "MetricLogged":
            curves[event.node, event.data["name"]].append(position)
    return progress, curves


def _share(total: int, num_series: int, most: int) -> int:
    return max(8, min(most, total // max(1, num_series)))


def _height(event: Event) -> float | None:
    value = event.data.get("value")
    return float(value) if isinstance(value, int | float) else None
