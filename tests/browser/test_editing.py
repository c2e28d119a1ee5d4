"""The clipboard between pipelines, and markup in what a user writes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.designer import Designer
from tests.browser.lessons import lesson_with

pytestmark = pytest.mark.browser

KEPT = ["import", "convert", "split"]
HOSTILE = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>'


@pytest.mark.journey
def test_copy_and_paste_also_into_another_pipeline(designer: Designer) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    designer.select("import", "convert")
    designer.press("Control+c")
    designer.press("Control+v")
    expect(designer.wires()).to_have_count(3)
    assert len(designer.is_saved().nodes) == 5
    designer.open(lesson_with(["densenet"]))
    designer.select("densenet")
    designer.press("Control+v")
    expect(designer.wires()).to_have_count(1)
    assert len(designer.is_saved().nodes) == 3
    designer.press("Control+d")
    assert_num_nodes(designer, 5)


def test_markup_in_names_notes_and_comments_is_text(designer: Designer) -> None:
    document = lesson_with(KEPT, linked=True)
    document["name"] = document["description"] = HOSTILE
    document["nodes"][0]["title"] = document["nodes"][0]["comment"] = HOSTILE
    document["notes"] = [
        {"id": "n", "text": f"{HOSTILE}\n\n[link](javascript:window.broken=1)", "position": {}}
    ]
    document["groups"] = [{"id": "g", "title": HOSTILE, "nodes": ["convert"]}]
    designer.open(document)
    expect(designer.node("import")).to_contain_text("<img src=x")
    expect(designer.at("note-n")).to_contain_text("<script>")
    expect(designer.at("group-g")).to_contain_text("<img src=x")
    expect(designer.at("pipeline-name")).to_have_value(HOSTILE)
    designer.select("import")
    designer.page.wait_for_timeout(300)
    page = designer.page
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0
    page.goto(designer.served.address)
    expect(page.locator(".title", has_text="<img src=x").first).to_be_visible()
    assert page.evaluate("window.broken") is None


def assert_num(designer: Designer, part: str, count: int) -> None:
    """How many notes, groups or nodes the saved pipeline has."""
    assert len(getattr(designer.is_saved(), part)) == count


def assert_num_nodes(designer: Designer, count: int) -> None:
    assert_num(designer, "nodes", count)
