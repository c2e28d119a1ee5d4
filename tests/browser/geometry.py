"""Where boxes of the page are to each other."""

from __future__ import annotations

from playwright.sync_api import FloatRect


def is_inside(inner: FloatRect, outer: FloatRect) -> bool:
    right, bottom = inner["x"] + inner["width"], inner["y"] + inner["height"]
    return (
        inner["x"] >= outer["x"]
        and inner["y"] >= outer["y"]
        and right <= outer["x"] + outer["width"]
        and bottom <= outer["y"] + outer["height"]
    )


def are_apart(one: FloatRect, other: FloatRect) -> bool:
    """True where one ends before the other begins, across or down."""
    return one["x"] + one["width"] <= other["x"] or one["y"] + one["height"] <= other["y"]
