"""What opens on the pages, in light on a desk, in dark on a telephone: axe finds nothing serious.

Nothing is cut off, and nothing is wider than the window. Pictures of them are kept in the folder
that ``DESIGNER_PICTURES`` names.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import BEYOND, Look, readable_in, wait_for_none
from tests.browser.datasets import choose_dataset, zipped
from tests.browser.designer import Designer
from tests.browser.lessons import lesson
from tests.browser.served import Served

pytestmark = pytest.mark.browser

DESK: Look = ("light", (1440, 900))
PHONE: Look = ("dark", (390, 844))
TABS = ("Metrics", "Outputs", "Try an image", "Lineage")
"""Parameters and Environment are tables, as beside the key tests below."""
# the figures that are wider than the room they have: their ends are cut off
CUT = """() => [...document.querySelectorAll('[data-testid=stMetricValue] *')]
  .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent)"""


@pytest.fixture(scope="module")
def ran(served: Served, everything_run: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """A pipeline and its run, with an output of every type, a dataset and a registered model."""
    pipeline_id, run_id = everything_run
    archive = served.folder / "moths.zip"
    archive.write_bytes(zipped("ant", "bee"))
    served.session.datasets.add(archive, "moths")
    _, artifact_id, port = served.session.models.trained_by(run_id)[0]
    served.session.models.register(artifact_id, port, "accessible-model")
    yield pipeline_id, run_id
    served.session.models.delete("accessible-model")  # other tests begin without one


@pytest.fixture(
    params=[
        pytest.param(PHONE, id="phone"),
        pytest.param(DESK, id="desk", marks=pytest.mark.full),  # pages there: test_accessibility
    ]
)
def look(request: pytest.FixtureRequest) -> Look:
    """The theme and the window in which a test looks at what opens."""
    made: Look = request.param
    return made


def press_tab_until(page: Page, place: Locator, has_focus: str) -> None:
    """Press Tab from the page's tabs on; again if Streamlit mounted the table anew meanwhile."""
    for _ in range(3):
        page.get_by_role("tab", name="Parameters").focus()
        for _ in range(12):
            page.keyboard.press("Tab")
            if place.evaluate(has_focus):
                return
    raise AssertionError("The keyboard does not reach it.")


def show_whole(designer: Designer) -> None:
    """A small canvas opens at the first node: the others are not drawn until they are in view."""
    designer.page.get_by_role("button", name="Fit view").click()


def holds(designer: Designer, look: Look, name: str) -> None:
    """What is shown now can be read by everybody; the window is a desk's again after that."""
    page, (theme, (width, height)) = designer.page, DESK
    page.emulate_media(reduced_motion="reduce")
    readable_in(page, [look], name, CUT)
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": height})


def test_a_run_and_its_tabs(designer: Designer, ran: tuple[str, str], look: Look) -> None:
    page = designer.page
    page.goto(f"{designer.served.address}/run?run={ran[1]}")
    show_whole(designer)
    expect(designer.status("evaluate").or_(designer.node("evaluate")).first).to_be_visible()
    holds(designer, look, "run")
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        holds(designer, look, tab)


@pytest.mark.full  # as test_whole_pages
def test_data_and_models_that_are_there(
    designer: Designer, ran: tuple[str, str], look: Look
) -> None:
    page = designer.page
    page.goto(f"{designer.served.address}/data")
    choose_dataset(designer, "moths")
    expect(designer.at("class-pictures-bee").locator("img")).to_have_count(6)
    holds(designer, look, "dataset")
    page.goto(f"{designer.served.address}/models")
    expect(page.get_by_role("tab", name="Curves")).to_be_visible()
    holds(designer, look, "model")
    assert ran[1]


def test_a_table_and_its_tools_are_seen_by_who_comes_by_keys(
    designer: Designer, ran: tuple[str, str], look: Look
) -> None:
    page, (theme, size) = designer.page, look
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{designer.served.address}/run?run={ran[1]}")
    page.get_by_role("tab", name="Parameters").click()
    table = page.get_by_test_id("stDataFrame").locator("visible=true").first
    expect(table.locator("canvas").first).to_be_visible()  # until then it is no stop
    tools = table.get_by_test_id("stElementToolbar")
    expect(tools).to_have_css("opacity", "0")
    press_tab_until(page, tools, "each => each.contains(document.activeElement)")
    expect(tools).to_have_css("opacity", "1")
    press_tab_until(page, table, "() => document.activeElement.matches('canvas')")
    expect(table).to_have_css("outline-style", "solid")


@pytest.mark.full  # the same on the page of a run: above
def test_results_and_outputs_on_the_canvas(
    designer: Designer, ran: tuple[str, str], look: Look
) -> None:
    designer.visit_in_app(*ran)
    show_whole(designer)
    designer.node("evaluate").click()
    expect(designer.at("result-matrix")).to_be_visible()  # it has no parameters to begin with
    holds(designer, look, "result")
    for node_id in ("evaluate", "convert", "import"):
        show_whole(designer)
        designer.has_status(node_id, "completed")  # from then on its outputs are known
        designer.node(node_id).click()
        designer.at("canvas").focus()
        designer.press("o")
        dialog = designer.page.get_by_role("dialog")
        drawn = dialog.get_by_role("tab").or_(dialog.locator("img"))  # files have no tabs
        expect(drawn.first).to_be_visible()
        holds(designer, look, f"output of {node_id}")
        designer.press("Escape")
        expect(dialog).to_be_hidden()


@pytest.mark.full  # a lesson: test_holding_still
def test_a_lesson_and_a_sub_pipeline(designer: Designer, look: Look) -> None:
    page, served = designer.page, designer.served
    page.goto(served.address)
    designer.at("open-01-digits").click()
    expect(designer.at("lesson")).to_be_visible()
    holds(designer, look, "lesson")
    designer.open(lesson("01-digits"))
    designer.select("import", "convert", "split")
    designer.node("split").click(button="right")
    designer.at("menu-make-sub-pipeline").click()
    made = designer.node("sub_pipeline")
    expect(made).to_be_visible()
    made.dblclick()
    expect(designer.at("breadcrumb")).to_be_visible()
    holds(designer, look, "sub-pipeline")
    wait_for_none(page, BEYOND)
