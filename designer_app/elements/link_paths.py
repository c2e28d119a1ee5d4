"""Paths of links in drawings of a graph, as on the canvas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

Point = tuple[float, float]
SAMPLES = 24
"""Number of points of a curve that are checked."""
MAX_AVOIDED = 60
"""Number of nodes up to which links lead around them, as on the canvas."""


class Box(NamedTuple):
    """Node of a drawing."""

    x: float
    y: float
    width: float
    height: float


def link_path(start: Point, end: Point, corner: float, others: Sequence[Box] = ()) -> str:
    """Return the data of an SVG path: a curve to the right, or rounded corners for a backward link.

    ``corner`` is their radius; a backward link extends by twice the radius on both sides. A curve
    behind one of the ``others`` leads above or below them instead.
    """
    (x1, y1), (x2, y2) = start, end
    if x2 < x1 + corner:
        return _back(start, end, corner)
    bend = max(1.5 * corner, (x2 - x1) / 2)
    handles = ((x1 + bend, y1), (x2 - bend, y2))
    points = _points(start, *handles, end) if 0 < len(others) <= MAX_AVOIDED else []
    if any(_covers(box, points) for box in others):
        return _detour(start, end, corner, others)
    return f"M{x1:.1f} {y1:.1f}C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"


def _points(*ends: Point) -> list[Point]:
    """Return points of a cubic curve with these ends and handles."""
    points = []
    for step in range(1, SAMPLES):
        t = step / SAMPLES
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        points.append(
            (
                sum(weight * x for weight, (x, _) in zip(weights, ends, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, ends, strict=True)),
            )
        )
    return points


def _covers(box: Box, points: Iterable[Point]) -> bool:
    return any(box.x < x < box.x + box.width and box.y < y < box.y + box.height for x, y in points)


def _detour(start: Point, end: Point, corner: float, others: Sequence[Box]) -> str:
    """Return a path above or below the nodes between two ends, whichever is closer."""
    (x1, y1), (x2, y2) = start, end
    turn = min(corner, (x2 - x1) / 4)
    between = [box for box in others if box.x < x2 and box.x + box.width > x1]
    above, below = (
        _free_line(y1, y2, corner, sorted(between, key=lambda box: box.y), is_above=is_above)
        for is_above in (True, False)
    )
    middle = (y1 + y2) / 2
    way = above if middle - above <= below - middle else below
    return (
        f"M{x1:.1f} {y1:.1f}C{x1 + turn:.1f} {y1:.1f} {x1:.1f} {way:.1f} {x1 + turn:.1f} {way:.1f}"
        f"H{x2 - turn:.1f}C{x2:.1f} {way:.1f} {x2 - turn:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    )


def _free_line(
    y1: float, y2: float, corner: float, between: Sequence[Box], *, is_above: bool
) -> float:
    """Return the nearest height above or below the ends that crosses none of the nodes."""
    line = min(y1, y2) if is_above else max(y1, y2)
    for box in reversed(between) if is_above else between:
        if box.y - corner < line < box.y + box.height + corner:
            line = box.y - corner if is_above else box.y + box.height + corner
    return line


def _back(start: Point, end: Point, corner: float) -> str:
    (x1, y1), (x2, y2) = start, end
    middle, down = (y1 + y2) / 2, 1 if y2 >= y1 else -1
    turn = min(corner, abs(y2 - y1) / 4)
    right, left = x1 + 2 * corner, x2 - 2 * corner
    return (
        f"M{x1:.1f} {y1:.1f}H{right - turn:.1f}q{turn:.1f} 0 {turn:.1f} {down * turn:.1f}"
        f"V{middle - down * turn:.1f}q0 {down * turn:.1f} {-turn:.1f} {down * turn:.1f}"
        f"H{left + turn:.1f}q{-turn:.1f} 0 {-turn:.1f} {down * turn:.1f}"
        f"V{y2 - down * turn:.1f}q0 {down * turn:.1f} {turn:.1f} {down * turn:.1f}H{x2:.1f}"
    )
