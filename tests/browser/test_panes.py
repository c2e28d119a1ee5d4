"""Panes give way: closed until they are wanted, resized, and as they were after a reload."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.designer import TORCH, Designer
from tests.browser.geometry import is_inside
from tests.browser.lessons import lesson
from tests.designer_app.documents import document, link, node

pytestmark = pytest.mark.browser


def test_the_settings_open_with_the_first_node_and_stay_closed_by_hand(designer: Designer) -> None:
    designer.page.set_viewport_size({"width": 1440, "height": 900})
    designer.open(lesson("01-digits"))
    expect(designer.at("settings")).to_be_hidden()
    expect(designer.page.locator(".react-flow__minimap")).to_have_count(0)
    designer.select("evaluate")
    expect(designer.at("settings")).to_contain_text("Evaluate Model")
    pane = designer.resting(designer.at("settings"))
    designer.until(lambda: right_of(designer, "evaluate") <= pane["x"])
    designer.page.get_by_role("button", name="Settings").click()
    expect(designer.at("settings")).to_be_hidden()
    designer.page.reload()
    designer.select("train")
    expect(designer.at("node-train").locator("xpath=..")).to_have_class(re.compile(r"\bselected\b"))
    expect(designer.at("settings")).to_be_hidden()


def test_no_node_is_below_the_toolbar_or_a_notice(designer: Designer) -> None:
    """The last of three rows has failed, and its card takes much room below it."""
    page = designer.page
    page.set_viewport_size({"width": 1440, "height": 900})
    names = [f"n{place}" for place in range(9)]
    nodes = [node(name, "whole") for name in names]
    nodes[0] = node("n0", "constant", value=733)
    nodes[-1] = node("n8", "fail", message="Nothing fits.")
    for place, each in enumerate(nodes):
        each["position"] = {"x": 224 * (place % 3), "y": 190 * (place // 3)}
    links = [link(one, other, "a") for one, other in pairwise(names)]
    designer.visit(*designer.served.run(document("rows", nodes=nodes, links=links)))
    expect(designer.at("fault-n8")).to_be_visible()
    canvas = designer.box(designer.at("canvas"))
    for name in names:
        assert is_inside(designer.resting(designer.node(name)), canvas), name
    other = page.context.new_page()
    other.goto(page.url)
    notice = designer.at("elsewhere")
    expect(notice).to_be_visible()
    lower_edge = designer.box(notice)["y"] + designer.box(notice)["height"]
    for name in names:
        assert designer.resting(designer.node(name))["y"] > lower_edge, name
    other.close()


def test_panes_keep_their_size(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    edge = designer.at("resize-palette")
    width = designer.resting(designer.at("canvas"))["width"]
    x, y = designer.middle(edge)
    designer.drag((x, y), (x + 60, y))
    designer.until(lambda: designer.box(designer.at("canvas"))["width"] == width - 60)
    edge.focus()
    designer.press("ArrowLeft")
    designer.until(lambda: designer.box(designer.at("canvas"))["width"] == width - 44)
    designer.page.reload()
    expect(designer.nodes().first).to_be_visible()
    designer.until(lambda: designer.box(designer.at("canvas"))["width"] == width - 44)
    designer.at("resize-palette").dblclick()
    designer.until(lambda: designer.box(designer.at("canvas"))["width"] == width)


def test_a_module_that_is_added_by_name_is_wired_to_the_selected_node(
    designer: Designer,
) -> None:
    digits = lesson("01-digits")
    digits["nodes"] = [each for each in digits["nodes"] if each["id"] == "import"]
    digits["links"] = []
    designer.page.set_viewport_size({"width": 1024, "height": 768})
    designer.open(digits)
    designer.select("import")
    designer.press("a")
    expect(designer.at("module-search-input")).to_be_focused()
    designer.page.keyboard.type("Convert to")
    designer.press("Enter")
    expect(designer.wires()).to_have_count(1)
    [made] = designer.is_saved().links
    assert (made.from_.node, made.from_.port) == ("import", "dataset")
    canvas, added = designer.at("canvas"), designer.node("convert_to_image_directory")
    designer.until(lambda: is_inside(designer.box(added), designer.box(canvas)))
    designer.undo()
    expect(designer.nodes()).to_have_count(1)


def right_of(designer: Designer, node_id: str) -> float:
    box = designer.box(designer.node(node_id))
    return box["x"] + box["width"]


def test_a_forecast_is_a_table_beside_the_canvas(designer: Designer) -> None:
    designer.open(lesson("01-digits"))
    designer.at("forecast-button").click()
    table = designer.at("forecast-table")
    expect(table).to_contain_text("on this machine", timeout=TORCH)
    expect(table.get_by_role("row")).to_have_count(8)
    table.get_by_role("button", name="Train PyTorch Model").click()
    expect(designer.at("settings")).to_contain_text("Train PyTorch Model")
    expect(table).to_have_attribute("data-stale", "false")
    designer.fill("epochs", "7")
    expect(table).to_have_attribute("data-stale", "true")
    table.get_by_role("button", name="Forecast").click()
    expect(table).to_have_attribute("data-stale", "false")
    designer.page.set_viewport_size({"width": 390, "height": 844})
    expect(table.get_by_role("columnheader")).to_have_text(["Node", "Time", "Last time"])
    last = designer.resting(table.get_by_role("columnheader").last)
    assert last["x"] + last["width"] <= 390
