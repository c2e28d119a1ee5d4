"""A pipeline is compared with an earlier version: marks on the canvas, keys, and no trace left."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from pipelines.document.document import parse_document
from tests.browser.axe import violations
from tests.browser.conftest import new_context
from tests.browser.designer import Designer
from tests.browser.lessons import lesson_with
from tests.browser.served import Served

pytestmark = [pytest.mark.browser, pytest.mark.extended]

KEPT = ["import", "convert", "split"]
QUIET = "node => Number(getComputedStyle(node.closest('.react-flow__node')).opacity)"


def edited(served: Served) -> str:
    """A pipeline whose second version has a changed, an added, a moved and a removed node."""
    before = lesson_with([*KEPT, "densenet"], linked=True)
    pipeline_id = served.create(before)
    document: dict[str, Any] = served.document(pipeline_id).to_json()
    nodes = {node["id"]: node for node in document["nodes"]}
    nodes["split"]["run_settings"]["retries"] = 2
    nodes["convert"]["position"]["y"] += 64
    del nodes["densenet"]
    added = {"id": "new", "module": "resnet", "position": {"x": 0, "y": -240}}
    document["nodes"] = [*nodes.values(), added]
    served.saved.commit(parse_document(document), 1)
    return pipeline_id


def compare(designer: Designer) -> Locator:
    """Compare with the newest earlier version by keys alone."""
    designer.at("canvas").focus()
    designer.press("Control+k")
    designer.at("command-palette-input").press_sequentially("compare with")
    designer.press("Enter")
    expect(designer.at(f"found-pipeline:{designer.pipeline_id}@1")).to_be_visible()
    designer.press("Enter")
    panel = designer.at("comparison")
    expect(panel).to_contain_text("Compared with version 1")
    return panel


def test_differences_are_marked_stepped_through_and_leave_no_trace(
    designer: Designer, served: Served
) -> None:
    designer.visit(edited(served))
    node = designer.node("import")
    before = designer.resting(node)
    compare(designer)
    marks = designer.page.locator(".pd-mark")
    expect(marks).to_have_count(4)
    designer.resting(designer.at("mark-split"))
    for node_id in ("split", "new", "convert"):
        mark, box = (
            designer.box(designer.at(f"mark-{node_id}")),
            designer.box(designer.page.locator(f'.react-flow__node[data-id="{node_id}"]')),
        )
        assert all(abs(mark[side] - box[side]) < 2 for side in ("x", "y", "width", "height"))
    assert node.evaluate(QUIET) < 1
    assert designer.node("split").evaluate(QUIET) == 1
    expect(designer.at("mark-split")).to_contain_text("Retries: 0 → 2")
    expect(designer.at("mark-densenet")).to_contain_text("removed")
    spoken = []
    for _ in range(4):
        designer.press("F7")
        current = designer.page.locator('.pd-comparison-entry[aria-selected="true"]')
        expect(current).to_have_count(1)
        spoken.append(designer.at("spoken").inner_text())
    assert len(set(spoken)) == 4
    panel = designer.box(designer.at("comparison"))
    shown = designer.resting(designer.page.locator(".pd-mark[data-current]"))
    assert shown["x"] + shown["width"] < panel["x"], "the list covers what it shows"
    assert violations(designer.page) == []
    designer.press("Escape")
    expect(designer.at("comparison")).to_have_count(0)
    expect(marks).to_have_count(0)
    assert node.evaluate(QUIET) == 1
    assert designer.resting(node) == before
    assert designer.at("undo").is_disabled()
    assert served.saved.open(designer.pipeline_id).revision == 2


def test_an_undone_difference_disappears(designer: Designer, served: Served) -> None:
    designer.visit(edited(served))
    compare(designer)
    expect(designer.at("mark-split")).to_have_count(1)
    designer.select("new")
    designer.press("Delete")
    expect(designer.at("mark-new")).to_have_count(0)
    expect(designer.at("comparison-counts")).not_to_contain_text("added")


def test_on_a_phone_the_list_leaves_the_shown_node_free(browser: Browser, served: Served) -> None:
    context = new_context(browser, viewport={"width": 390, "height": 844}, color_scheme="dark")
    designer = Designer(context.new_page(), served)
    designer.visit(edited(served))
    designer.choose("compare")
    designer.at(f"found-pipeline:{designer.pipeline_id}@1").click()
    panel = designer.at("comparison")
    expect(panel).to_be_visible()
    designer.at("comparison-next").click()
    shown = designer.resting(designer.page.locator(".pd-mark[data-current]"))
    assert shown["y"] + shown["height"] < designer.box(panel)["y"]
    assert violations(designer.page) == []
    designer.at("comparison-close").click()
    expect(panel).to_have_count(0)
    context.close()
