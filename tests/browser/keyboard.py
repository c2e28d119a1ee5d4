"""The keyboard of a user without a mouse: going to things, adding, connecting and setting nodes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.designer import Designer

FOCUSED = """() => {
  let each = document.activeElement;
  while (each?.shadowRoot?.activeElement) each = each.shadowRoot.activeElement;
  return each?.dataset?.testid ?? each?.ariaLabel ?? each?.tagName;
}"""
# how the element that has the focus is marked
RING = """() => {
  let each = document.activeElement;
  while (each?.shadowRoot?.activeElement) each = each.shadowRoot.activeElement;
  const marks = [];
  for (let at = each, up = 0; at && up < 3; at = at.parentElement, up += 1) {
    const style = getComputedStyle(at);
    if (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') marks.push('outline');
    if (style.boxShadow !== 'none') marks.push('shadow');
  }
  return {name: each?.dataset?.testid ?? each?.ariaLabel ?? each?.tagName, marks};
}"""


def add_by_keys(designer: Designer, module: str) -> None:
    """Search the module by its name and take what is found first."""
    found = designer.served.runs.catalog.get(module)
    assert found is not None
    designer.press("Escape", "a")  # with a node selected it would be wired to that
    expect(designer.at("module-search-input")).to_be_focused()
    designer.page.keyboard.type(found.title)
    designer.press("Enter")
    expect(designer.at("module-search")).to_be_hidden()


def go_by_keys(designer: Designer, node_id: str, key: str = "Enter") -> None:
    """Find a node by its name and select it, with Shift beside what is selected already."""
    designer.press("Control+f")
    expect(designer.at("find-node-input")).to_be_focused()
    designer.page.keyboard.type(node_id.replace("_", " "))
    designer.press(key)
    expect(designer.at("find-node")).to_be_hidden()


def connect_by_keys(designer: Designer, source: str, target: str) -> None:
    """Select both nodes, then L until the wire is the one that is wanted."""
    go_by_keys(designer, source.split(".")[0])
    go_by_keys(designer, target.split(".")[0], key="Shift+Enter")
    for _ in range(9):
        links = designer.is_saved().links
        if (source, target) in {
            (f"{each.from_.node}.{each.from_.port}", f"{each.to.node}.{each.to.port}")
            for each in links
        }:
            return
        designer.press("l")
    pytest.fail(f"L does not come to the wire from {source} to {target}")


def set_by_keys(designer: Designer, node_id: str, values: dict[str, Any]) -> None:
    """Enter opens the settings, Tab goes through them, Escape goes back to the canvas."""
    go_by_keys(designer, node_id)
    for parameter, value in values.items():
        designer.press("Enter")
        tab_to(designer, designer.at(f"param-{parameter}"))
        if isinstance(value, bool):
            designer.press("Space")
        elif designer.at(f"param-{parameter}").evaluate("each => each.tagName") == "SELECT":
            designer.page.keyboard.type(value)
        else:
            designer.page.keyboard.type(value)
        designer.press("Escape")


def tab_to(designer: Designer, wanted: Locator, most: int = 80, key: str = "Tab") -> None:
    """Tab until something has the focus."""
    way = []
    for _ in range(most):
        if wanted.evaluate("each => each.matches(':focus')"):
            return
        designer.press(key)
        way.append(designer.page.evaluate(FOCUSED))
    pytest.fail(f"{wanted} cannot be reached by Tab: {way}")
