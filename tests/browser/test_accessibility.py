"""Home and Design for everybody: axe finds nothing serious, focus is seen, nothing is clipped."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Watch
from tests.browser.designer import SOON, Designer
from tests.browser.served import ROOT
from tests.browser.test_newcomer import lesson

pytestmark = pytest.mark.browser

AXE = ROOT / "designer_app" / "editor" / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = [(1440, 900), (1024, 768), (820, 1180)]

# the parts of the bar that are seen: left, right, and the name of each
PARTS = """() => {
  const roots = [document], found = [];
  for (const root of roots) for (const each of root.querySelectorAll('*')) {
    if (each.shadowRoot) roots.push(each.shadowRoot);
    if (!each.closest('.pd-bar') || !each.matches('button, input, [data-testid]')) continue;
    const box = each.getBoundingClientRect();
    if (box.width > 0) found.push([each.dataset.testid ?? each.ariaLabel, box.left, box.right]);
  }
  return found;
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


@pytest.fixture(params=["light", "dark"])
def context(
    request: pytest.FixtureRequest, browser: Browser, watch: Watch
) -> Iterator[BrowserContext]:
    """A profile in light and in dark."""
    made = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=request.param, bypass_csp=True
    )
    made.set_default_timeout(SOON)
    watch.attach(made)
    yield made
    made.close()


def test_axe_finds_nothing_serious_on_the_pages(designer: Designer) -> None:
    page, address = designer.page, designer.served.address
    page.goto(address)
    expect(designer.at("gallery-01-digits")).to_be_visible()
    assert serious(page) == []
    page.goto(f"{address}/data")
    expect(designer.at("dataset-name")).to_be_visible()
    assert serious(page) == []
    page.goto(f"{address}/targets")
    expect(page.locator(".st-key-target-name input")).to_be_visible()
    assert serious(page) == []


def test_axe_finds_nothing_serious_on_design(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.at("tab-outline").click()
    designer.select("train")
    expect(designer.at("param-epochs")).to_be_visible()
    assert serious(designer.page) == []
    designer.at("submit").click()
    expect(designer.at("submit-confirm")).to_be_enabled()
    assert serious(designer.page) == []
    designer.press("Escape")
    for key, layer in (("a", "module-search"), ("Control+k", "command-palette")):
        designer.press(key)
        expect(designer.at(layer)).to_be_visible()
        assert serious(designer.page) == []
        designer.press("Escape")
        expect(designer.at(layer)).to_be_hidden()


def test_nothing_of_the_bar_is_clipped(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    for width, height in SIZES:
        designer.page.set_viewport_size({"width": width, "height": height})
        expect(designer.at("submit")).to_be_in_viewport(ratio=1)
        parts = designer.page.evaluate(PARTS)
        assert len(parts) > 5
        assert [each for each in parts if each[1] < 0 or each[2] > width] == []
        assert designer.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_focus_is_seen_wherever_tab_goes(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.at("pipeline-name").focus()
    seen = []
    for _ in range(14):
        designer.press("Tab")
        seen.append(designer.page.evaluate(RING))
    assert [each["name"] for each in seen if not each["marks"]] == []


def serious(page: Page) -> list[str]:
    """What axe-core calls serious or critical, with the first place of each."""
    if not AXE.exists():
        reason = "needs axe-core: run `make editor`, or npm ci in designer_app/editor/frontend"
        pytest.fail(reason) if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip(reason)
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    return [
        f"{each['id']}: {each['help']} ({each['nodes'][0]['html'][:200]})"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]
