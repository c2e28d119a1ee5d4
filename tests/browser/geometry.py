"""Sizes of the window, and where boxes of the page are to each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import FloatRect

from tests.browser.designer import Designer


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


@contextmanager
def at_size(designer: Designer, size: tuple[int, int]) -> Iterator[None]:
    """Give the window a size, without a page load; a failure in the block names it."""
    designer.page.set_viewport_size({"width": size[0], "height": size[1]})
    try:
        yield
    except (AssertionError, PlaywrightError) as error:
        error.add_note(f"The window was {size[0]}x{size[1]}.")
        raise
