"""Checks that a page can be read by everybody: axe-core, and that nothing is cut off."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, TimeoutError

from tests.browser.served import ROOT

AXE = ROOT / "designer_app" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# whether all is in its final colour, inside the editor too: what Streamlit draws anew is grey and
# fades in, late where others want the cores; what goes on for ever (a spinner) does not count
STILL = """() => {
  const roots = [document];
  for (const root of roots) for (const each of root.querySelectorAll('*'))
    if (each.shadowRoot) roots.push(each.shadowRoot);
  return !document.querySelector('[data-stale=true]') &&
    roots.flatMap(root => root.getAnimations()).every(each =>
      each.playState !== 'running' || each.effect.getComputedTiming().endTime === Infinity);
}"""
# what makes the page wider than the window
BEYOND = """() => [document.documentElement, ...document.querySelectorAll('.stMain')]
  .filter(each => each.scrollWidth > each.clientWidth)
  .map(each => `${each.className} is ${each.scrollWidth - each.clientWidth} px too wide`)"""
# whether the page, and the editor on it, have followed the system into a theme
SHOWN_IN = """theme => {
  const app = document.querySelector('.stApp') ?? document.documentElement;
  return getComputedStyle(app).colorScheme === theme &&
    [...document.querySelectorAll('[data-theme]')].every(each => each.dataset.theme === theme);
}"""
FOLDER = os.environ.get("DESIGNER_PICTURES")
SETTLES_WITHIN = 60_000
"""Milliseconds for panes and charts to take their places of another size, where others want the
cores."""
SETTLED = 300
"""Milliseconds that they usually take."""
Look = tuple[Literal["light", "dark"], tuple[int, int]]
"""A theme, and the width and height of a window."""


def readable_in(page: Page, looks: Iterable[Look], name: str, cut: str = BEYOND) -> None:
    """Check what is shown now, at each size in its theme: all fits in, and axe finds nothing.

    Args:
        page: Loaded once, however many looks there are.
        looks: The sizes and themes, which a failure names.
        name: How the state is called in failures and in the names of pictures.
        cut: A function of the page that finds what is cut off.
    """
    found = {}
    for theme, (width, height) in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(SHOWN_IN, arg=theme)
        page.wait_for_timeout(SETTLED)
        look = f"{name} at {width}x{height}, {theme}"
        if FOLDER:
            file = f"{name.replace(' ', '-')}-{theme}-{width}.png"
            page.screenshot(path=Path(FOLDER) / file)
        fits_soon(page, look)
        wait_for_none(page, cut, look)
        found[look] = serious(page)
    assert {look: each for look, each in found.items() if each} == {}


def fits_soon(page: Page, name: str) -> None:
    """Wait until nothing is wider than the window: on a busy machine charts follow it late."""
    wait_for_none(page, BEYOND, name)


def wait_for_none(page: Page, found: str, name: str = "") -> None:
    """Wait until a function of the page finds nothing any more."""
    with suppress(TimeoutError):
        page.wait_for_function(f"({found})().length === 0", timeout=SETTLES_WITHIN)
    assert page.evaluate(found) == [], name


def serious(page: Page) -> list[str]:
    """What axe-core calls serious or critical where nothing moves, with the first place of each.

    A page may be drawn anew while axe looks at it: what it finds, it finds once more at rest.
    """
    before: list[str] = []
    while found := violations(page):
        if found == before:
            break
        before = found
    return found


def violations(page: Page) -> list[str]:
    """What axe-core finds now."""
    if not AXE.exists():
        reason = "needs axe-core: run `make editor`, or npm ci in designer_app/frontend"
        pytest.fail(reason) if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip(reason)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    page.wait_for_function(STILL)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{each['id']}: {each['help']} ({each['nodes'][0]['html'][:200]})"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]
