"""Sizes of the window, and where boxes of the page are to each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import FloatRect

from tests.browser.designer import Designer

# wires that are seen behind the tab of a portal at another port
CROSSED = """canvas => {
  const seen = (each) => getComputedStyle(each).opacity !== "0";
  const tabs = [...canvas.querySelectorAll(".pd-portals rect")].map((tab) => tab.getBBox());
  return [...canvas.querySelectorAll(".pd-wire")].filter(seen).flatMap((wire) => {
    const length = wire.getTotalLength();
    const points = [...Array(100)].map((_, at) => wire.getPointAtLength(length * at / 99));
    const ends = [points[0], points[99]];
    const isNear = (tab, end) => end.x > tab.x - 30 && end.x < tab.x + tab.width + 30;
    const isLevel = (tab, end) => Math.abs(end.y - tab.y - tab.height / 2) < 1;
    const isOwn = (tab) => ends.some((end) => isNear(tab, end) && isLevel(tab, end));
    const isIn = ({ x, y }, tab) =>
      x > tab.x && x < tab.x + tab.width && y > tab.y && y < tab.y + tab.height;
    const hidden = tabs.filter((tab) => !isOwn(tab) && points.some((point) => isIn(point, tab)));
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
