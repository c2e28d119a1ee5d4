"""Without a mouse: from one's own pictures to one that is tried, from a module to its output."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.browser.datasets import zipped
from tests.browser.designer import TORCH, Designer
from tests.browser.keyboard import RING, add_by_keys, connect_by_keys, set_by_keys, tab_to
from tests.browser.lessons import EMPTY, lesson
from tests.designer_app.documents import document, link, node

pytestmark = pytest.mark.browser


def choose_by_keys(designer: Designer, field: Locator, path: Path) -> None:
    """Tab to a field for files and choose one."""
    tab_to(designer, field)
    with designer.page.expect_file_chooser() as chooser:
        designer.press("Space")
    chooser.value.set_files(path)


@pytest.mark.full  # by mouse: test_start; each key: the others
def test_pictures_are_dropped_trained_on_judged_and_tried_by_keys(
    designer: Designer, tmp_path: Path
) -> None:
    page = designer.page
    archive, picture = tmp_path / "insects.zip", tmp_path / "one.png"
    archive.write_bytes(zipped("ant", "bee"))
    content = io.BytesIO()
    Image.new("RGB", (80, 60), (40, 4, 200)).save(content, "PNG")
    picture.write_bytes(content.getvalue())

    page.goto(designer.served.address)
    expect(designer.at("start-archive")).to_be_attached()
    choose_by_keys(designer, designer.at("start-archive"), archive)
    expect(designer.at("start-made")).to_be_visible(timeout=TORCH)
    tab_to(designer, designer.at("start-run"))
    designer.press("Enter")
    page.wait_for_url("**/design?pipeline=*run=*")
    expect(designer.at("run-status")).to_have_attribute("data-status", "completed", timeout=300_000)

    notice = designer.at("notice").filter(has_text="Show result")
    expect(notice).to_be_visible()
    tab_to(designer, notice.get_by_role("button").first, key="F6")
    designer.press("Enter")
    expect(designer.at("settings").get_by_role("tab", name="Result")).to_be_visible()
    expect(designer.at("node-evaluate").locator("xpath=..")).to_be_focused()
    designer.press("o")
    tabs = page.get_by_role("dialog").get_by_role("tab")
    expect(tabs.filter(has_text="Try an image")).to_be_visible()
    tab_to(designer, tabs.first)
    designer.press("ArrowRight")
    expect(tabs.filter(has_text="Try an image")).to_be_focused()
    field = designer.at("try-picture").locator("input[type=file]").first
    expect(field).to_be_attached()
    choose_by_keys(designer, field, picture)
    expect(designer.at("try-result")).to_contain_text("ant", timeout=TORCH)


@pytest.mark.journey
def test_a_pipeline_is_built_run_and_its_output_opened_by_keys(designer: Designer) -> None:
    page = designer.page
    designer.open_in_app(EMPTY)
    tab_to(designer, designer.at("pipeline-name"))
    page.keyboard.type("By keys")
    designer.press("Escape")
    for module in ("constant", "whole"):
        add_by_keys(designer, module)
    connect_by_keys(designer, "constant.output", "whole.a")
    set_by_keys(designer, "constant", {"value": "7"})
    designer.press("Control+Enter")
    expect(designer.at("submit-confirm")).to_be_enabled()
    assert unmarked_stops(designer, 12) == []
    tab_to(designer, designer.at("submit-confirm"))
    designer.press("Enter")
    designer.has_status("whole", "completed")
    set_by_keys(designer, "whole", {})
    designer.press("o")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("Round")
    designer.press("Escape")
    expect(dialog).to_be_hidden()
    designer.press("f")  # keys are the canvas' again: the dialog is the page's, and gone
    expect(focus_of(designer, "whole")).to_be_focused()
    designer.press("F6")
    assert unmarked_stops(designer, 20) == []


def test_the_focus_is_seen_at_every_stop_of_home(designer: Designer) -> None:
    designer.served.create(lesson("01-digits"))
    designer.page.goto(designer.served.address)
    expect(designer.at("gallery-01-digits")).to_be_visible()
    designer.press("Tab")
    assert unmarked_stops(designer, 24) == []


def test_on_a_telephone_the_pages_are_stops_once_they_are_unfolded(designer: Designer) -> None:
    page = designer.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(designer.served.address)
    expect(designer.at("gallery-01-digits")).to_be_visible()
    unfold, pages = designer.at("stExpandSidebarButton"), designer.at("stSidebarNavLink")
    tab_to(designer, designer.at("stSkipToContent"))
    designer.press("Tab")
    expect(unfold).to_be_focused()
    expect(unfold).to_have_css("outline-style", "solid")
    designer.press("Enter")
    expect(pages.first).to_be_in_viewport()
    tab_to(designer, pages.nth(2), key="Shift+Tab")
    expect(pages.nth(2)).to_have_css("outline-style", "solid")
    designer.press("Enter")
    page.wait_for_url("**/runs")
    expect(pages.first).not_to_be_in_viewport()


def test_the_focus_is_never_lost_on_the_canvas(designer: Designer) -> None:
    page = designer.page
    page.goto(designer.served.address)
    expect(designer.at("gallery-01-digits")).to_be_visible()
    tab_to(designer, designer.at("gallery-01-digits"))
    designer.press("Enter")
    expect(designer.node("import")).to_be_visible()
    expect(designer.at("lesson")).to_be_visible()  # what comes later is there
    designer.press("ArrowRight")
    expect(focus_of(designer, "import")).to_be_focused()
    tab_to(designer, designer.at("palette-search"), key="F6")
    tab_to(designer, designer.at("canvas"), key="F6")
    designer.press("ArrowRight")
    expect(focus_of(designer, "convert")).to_be_focused()  # from within the editor, too
    designer.press("Control+Enter")
    expect(designer.at("submit-experiment")).to_be_focused()
    designer.press("Escape")
    expect(focus_of(designer, "convert")).to_be_focused()


def test_enter_on_a_node_without_parameters_leads_to_its_result(designer: Designer) -> None:
    nodes = [node("two", "constant", value=43), node("rest", "whole")]
    nodes[1]["position"] = {"x": 320, "y": 0}
    designer.open(document("bare", nodes=nodes, links=[link("two", "rest", "a")]))
    designer.submit()
    designer.has_status("rest", "completed")
    designer.select("rest")
    designer.press("Enter")
    expect(designer.at("settings").get_by_role("tabpanel")).to_be_focused()


def focus_of(designer: Designer, node_id: str) -> Locator:
    """The element of a node that takes the focus."""
    return designer.page.locator(f".react-flow__node[data-id='{node_id}']")


def unmarked_stops(designer: Designer, presses: int) -> list[str]:
    """Where Tab went that does not show that it has the focus; the page is left behind the last."""
    seen = []
    for _ in range(presses):
        designer.press("Tab")
        seen.append(designer.page.evaluate(RING))
    return [each["name"] for each in seen if not each["marks"] and each["name"] != "BODY"]
