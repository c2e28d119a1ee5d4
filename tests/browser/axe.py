"""Checks that a page can be read by everybody: axe-core, and that nothing is cut off."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest
from playwright.sync_api import Page, TimeoutError

from tests.browser.served import ROOT

AXE = ROOT / "designer_app" / "editor" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
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
FOLDER = os.environ.get("DESIGNER_PICTURES")
SETTLES_WITHIN = 60_000
"""Milliseconds for those, too."""


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
        reason = "needs axe-core: run `make editor`, or npm ci in designer_app/editor/frontend"
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
