"""Sizes of the window, and where boxes of the page are to each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import FloatRect

from tests.browser.designer import Designer

# wires that are seen behind the letter of a portal at another port
CROSSED = """canvas => {
  const seen = (each) => getComputedStyle(each).opacity !== "0";
  const letters = [...canvas.querySelectorAll(".pd-portals circle")].map((each) => ({
    x: each.cx.baseVal.value, y: each.cy.baseVal.value, r: each.r.baseVal.value,
  }));
  return [...canvas.querySelectorAll(".pd-wire")].filter(seen).flatMap((wire) => {
    const length = wire.getTotalLength();
    const points = [...Array(100)].map((_, at) => wire.getPointAtLength(length * at / 99));
    const ends = [points[0], points[99]];
    const isOwn = ({ x, y }) => ends.some((end) => end.y === y && Math.abs(end.x - x) < 30);
    const isOn = (one) => points.some(({ x, y }) => Math.hypot(x - one.x, y - one.y) < one.r);
    const hidden = letters.filter((one) => !isOwn(one) && isOn(one));
    return hidden.length ? [wire.parentElement.dataset.id ?? wire.getAttribute("d")] : [];
  });
}"""


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
