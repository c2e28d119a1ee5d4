"""Positions for nodes without one: a column for each step, a row for each node of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

COLUMN, ROW = 280, 160
"""Distance between nodes, in pixels."""
Point = tuple[float, float]


def arranged(
    missing: Iterable[str],
    sources: Mapping[str, Collection[str]],
    positions: Mapping[str, Point],
) -> dict[str, Point]:
    """Return positions for nodes, below those that have one.

    Args:
        missing: Nodes without a position, sources first.
        sources: Nodes that each node depends on.
        positions: Positions of the other nodes.
    """
    bottom = max((y + ROW for _, y in positions.values()), default=0)
    columns: dict[str, int] = {}
    used: Counter[int] = Counter()
    result: dict[str, Point] = {}
    for node in missing:
        before = (columns[source] for source in sources.get(node, ()) if source in columns)
        columns[node] = column = max(before, default=-1) + 1
        result[node] = (column * COLUMN, bottom + used[column] * ROW)
        used[column] += 1
    return result
