"""Pages outside the editor show their texts in full at every size, hold still as they load, and
axe finds nothing serious on them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.axe import serious
from tests.browser.designer import Designer, at_rest
from tests.browser.geometry import at_size
from tests.browser.layout_shifts import MOST_SHIFT, SHIFTS
from tests.browser.served import Served
from tests.designer_app.documents import document

pytestmark = pytest.mark.browser

SIZES = [(1440, 900), (1024, 768), (820, 1180), (390, 844), (720, 450)]
"""The last is a window of 1440x900 pixels at a zoom of 200 %."""
PAGES = (
    *("", "runs", "run", "compare", "data", "models", "endpoints", "published"),
    *("targets", "environments", "help", "sweep"),
)

# Texts that are wider or higher than what shows them, in the page and in all shadow roots.
CUT = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((element) =>
    element.shadowRoot ? [element, ...all(element.shadowRoot)] : [element]);
  const ALLOWED = [
    // a field scrolls with its caret, and a table sideways: Streamlit draws its cells on a canvas
    "input, textarea, select, option, [data-testid=stDataFrame] *",
    // outside the window until it is opened
    "[data-testid=stSidebar][aria-expanded=false] *",
    // for screen readers
    ".pd-sr, [data-testid=stTooltipIcon] *, .vega-embed *",
    // as long as they like, and scrolled
    "pre, code, .pd-scroll, .pd-log",
  ].join();
  const hides = (element) => {
    const { overflowX, overflowY, webkitLineClamp: clamp } = getComputedStyle(element);
    return clamp !== "none" || overflowX !== "visible" || overflowY !== "visible";
  };
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflow);
  const ownText = (element) => [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join("");
  return all(document.body)
    .filter((element) => element.clientWidth > 2 && ownText(element) && !element.closest(ALLOWED))
    .filter((element) => element.checkVisibility() && hides(element) && !scrolls(element))
    .filter((element) => element.scrollWidth > element.clientWidth + 1
      || element.scrollHeight > element.clientHeight + 2)
    .map((element) => `${element.localName}.${element.className}: ${ownText(element)}`);
}"""

# What reaches beyond the window: it can only be reached by scrolling the page sideways.
BEYOND = "() => document.scrollingElement.scrollWidth - innerWidth"

COVERED = """() => {
  const { left } = document.querySelector("#theme-switch").getBoundingClientRect();
  return [...document.querySelectorAll("[data-testid=stTopNavLink]")]
    .filter((link) => link.getBoundingClientRect().right > left).map((link) => link.innerText);
}"""
"""Links of the navigation that the theme switch covers."""


@pytest.fixture
def addresses(
    served: Served, everything_run: tuple[str, str], failed_run: tuple[str, str]
) -> dict[str, str]:
    """The pages of a workspace with runs."""
    run, other = everything_run[1], failed_run[1]
    queries = {"run": f"?run={run}", "compare": f"?run={run}&run={other}"}
    return {page: f"{served.address}/{page}{queries.get(page, '')}" for page in PAGES}


@pytest.mark.parametrize("page_name", PAGES)
def test_nothing_is_cut_nothing_jumps_and_axe_finds_nothing(
    context: BrowserContext, served: Served, addresses: dict[str, str], page_name: str
) -> None:
    designer = Designer(context.new_page(), served)
    page = designer.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.add_init_script(SHIFTS)
    page.goto(addresses[page_name])
    expect(page.get_by_role("heading").first).to_be_visible()
    at_rest(page)
    page.wait_for_timeout(1000)  # what comes late would be a shift
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < MOST_SHIFT, shifts
    assert serious(page) == []
    for size in SIZES:
        with at_size(designer, size):
            at_rest(page)
            page.wait_for_timeout(300)  # Streamlit draws anew some time after it was resized
            assert page.evaluate(CUT) == []
            assert page.evaluate(BEYOND) <= 0
            assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("page_name", ["", "run"])
def test_a_page_does_not_jump_on_a_phone(
    context: BrowserContext, served: Served, addresses: dict[str, str], page_name: str
) -> None:
    for name in ("one", "two", "three"):
        served.create(document(f"phone-{name}", name=name))
    designer = Designer(context.new_page(), served)
    page = designer.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(SHIFTS)
    page.goto(addresses[page_name])
    expect(page.get_by_role("heading").first).to_be_visible()
    at_rest(page)
    page.wait_for_timeout(1000)
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < MOST_SHIFT, shifts


def test_the_buttons_below_a_chart_are_in_one_line(
    context: BrowserContext, served: Served, addresses: dict[str, str]
) -> None:
    designer = Designer(context.new_page(), served)
    page = designer.page
    page.goto(addresses["run"])
    page.get_by_role("tab", name="Metrics").click()
    rows = [page.get_by_test_id("save-png").first, page.locator("[class*=-csv] button").first]
    first, second = (designer.resting(row) for row in rows)
    assert abs(first["y"] - second["y"]) < second["height"]


def test_the_result_of_a_run_is_as_high_as_graph_and_timeline(
    designer: Designer, addresses: dict[str, str]
) -> None:
    """A matrix of ten classes is visible without scrolling, and Runs is marked as its entry."""
    page = designer.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(addresses["run"])
    expect(designer.at("canvas")).to_be_visible()
    at_rest(page)
    parts = (page.locator(".pd-run-graph"), page.locator(".pd-run-dock"), designer.at("run-pane"))
    graph, dock, beside = (designer.resting(part) for part in parts)
    assert beside["y"] == graph["y"]
    assert beside["height"] == pytest.approx(graph["height"] + dock["height"], abs=2)
    assert dock["width"] == pytest.approx(graph["width"], abs=2)
    entry = page.get_by_test_id("stTopNavLink").filter(has_text=re.compile("Runs$"))
    expect(entry).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
