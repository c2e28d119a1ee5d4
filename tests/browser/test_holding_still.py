"""Screens hold still: controls keep their places, and nothing is cut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer
from tests.browser.geometry import at_size
from tests.browser.lessons import lesson
from tests.browser.toy_runs import napping
from tests.designer_app.documents import document, link, node

pytestmark = pytest.mark.browser

SIZES = [(1440, 900), (1024, 768), (390, 844)]
CONTROLS = ("undo", "redo", "more", "problem-count", "submit")

# texts of the editor that are wider or higher than what shows them
CUT = """canvas => {
  const texts = [...canvas.getRootNode().querySelectorAll("*")].filter((element) =>
    element.childElementCount === 0 && element.textContent.trim() && element.clientWidth > 2);
  const hides = (element) => getComputedStyle(element).overflow !== "visible";
  const isCut = (element) => element.scrollWidth > element.clientWidth + 1
    || element.scrollHeight > element.clientHeight + 2;
  return texts.filter((element) => hides(element) && isCut(element))
    .map((element) => `${element.className}: ${element.textContent}`);
}"""


@pytest.mark.parametrize(
    "size",
    [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.full), SIZES[2]],  # as the first
)
def test_controls_keep_their_places_while_a_run_comes_and_goes(
    designer: Designer, size: tuple[int, int]
) -> None:
    designer.page.set_viewport_size({"width": size[0], "height": size[1]})
    designer.open(napping(size[0], 0.1, 1.5))  # a value of its own: nothing is reused
    expect(designer.nodes().first).to_be_visible()
    idle = places(designer)
    view = view_of(designer)
    designer.submit()
    expect(designer.at("cancel")).to_be_visible()
    assert places(designer) == idle
    expect(designer.at("run-status")).to_have_attribute("data-status", "completed")
    expect(designer.at("cancel")).to_be_hidden()
    assert places(designer) == idle
    if size[0] >= 1024:  # on a phone the running node is followed
        assert view_of(designer) == view


def test_controls_keep_their_places_when_a_run_fails(designer: Designer) -> None:
    nodes = [node("two", "constant", value=83), node("bad", "fail", message="Nothing fits.")]
    designer.open(document("failing", nodes=nodes, links=[link("two", "bad", "a")]))
    expect(designer.nodes().first).to_be_visible()
    idle = places(designer)
    designer.submit()
    expect(designer.at("run-status")).to_have_attribute("data-status", "failed")
    assert places(designer) == idle
    designer.page.reload()  # as it is found the next day
    expect(designer.at("run-status")).to_have_attribute("data-status", "failed")
    expect(designer.at("node-status-bad")).to_have_text("failed")
    assert places(designer) == idle


def test_the_settings_move_nothing_for_a_node_beside_them(designer: Designer) -> None:
    view, width = opened(designer)
    designer.select("import")
    expect(designer.at("settings")).to_be_visible()
    designer.page.wait_for_timeout(400)  # longer than the canvas glides
    assert view_of(designer) == view
    assert designer.box(designer.at("canvas"))["width"] == width


def test_the_canvas_moves_for_a_node_that_the_settings_would_cover_and_back(
    designer: Designer,
) -> None:
    view, width = opened(designer)
    designer.select("evaluate")
    pane = designer.resting(designer.at("settings"))
    designer.until(lambda: right_of(designer, "evaluate") <= pane["x"])
    assert designer.box(designer.at("canvas"))["width"] == width
    designer.page.get_by_role("button", name="Settings", exact=True).click()
    designer.until(lambda: view_of(designer) == view)


def opened(designer: Designer) -> tuple[str | None, float]:
    """Open a lesson that is as wide as the canvas; the view, and the width of the canvas."""
    designer.page.set_viewport_size({"width": 1440, "height": 900})
    designer.open(lesson("02-shapes-resnet"))
    designer.resting(designer.node("import"))
    return view_of(designer), designer.box(designer.at("canvas"))["width"]


@pytest.mark.parametrize(
    "slug",
    [
        "01-digits",
        pytest.param("04-your-own-folder", marks=pytest.mark.full),  # as the first
        "09-your-own-script",
    ],
)
def test_nothing_is_cut(designer: Designer, slug: str) -> None:
    designer.open(lesson(slug))
    for size in SIZES:
        with at_size(designer, size):
            designer.page.get_by_role("button", name="Fit view").click()
            designer.resting(designer.nodes().first)
            assert designer.at("canvas").evaluate(CUT) == []


def places(designer: Designer) -> dict[str, float]:
    """Where the controls of the bar are, from the left."""
    return {name: designer.box(designer.at(name))["x"] for name in CONTROLS}


def view_of(designer: Designer) -> str | None:
    return designer.page.locator(".react-flow__viewport").get_attribute("style")


def right_of(designer: Designer, node_id: str) -> float:
    box = designer.box(designer.node(node_id))
    return box["x"] + box["width"]
