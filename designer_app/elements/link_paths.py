"""Paths of links in drawings of a graph, as on the canvas."""

from __future__ import annotations

Point = tuple[float, float]


def link_path(start: Point, end: Point, corner: float) -> str:
    """Return the data of an SVG path: a curve to the right, or rounded corners for a backward link.

    ``corner`` is their radius; a backward link extends by twice the radius on both sides.
    """
    (x1, y1), (x2, y2) = start, end
    if x2 >= x1 + corner:
        bend = max(1.5 * corner, (x2 - x1) / 2)
        return (
            f"M{x1:.1f} {y1:.1f}C{x1 + bend:.1f} {y1:.1f} {x2 - bend:.1f} {y2:.1f} "
            f"{x2:.1f} {y2:.1f}"
        )
    return _back(start, end, corner)


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
