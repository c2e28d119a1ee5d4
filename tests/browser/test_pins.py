"""Pinned results on the canvas: pin, run with other settings, the warning, unpin."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pipelines.document.parts import Pin
from tests.browser.designer import Designer
from tests.browser.toy_runs import napping

pytestmark = pytest.mark.browser


def saved_pin(designer: Designer) -> Pin | None:
    node = designer.is_saved().node("nap0")
    assert node is not None
    return node.pin


@pytest.mark.journey
def test_a_pinned_result_is_used_until_it_is_unpinned(designer: Designer) -> None:
    designer.open(napping(31, 0.1, 0.1))
    designer.submit()
    designer.has_status("nap1", "completed")
    first = designer.served.runs.store.newest(limit=1)[0].id
    designer.select("nap0")
    designer.press("k")
    expect(designer.at("pin-box")).to_contain_text(first)
    pin = saved_pin(designer)
    assert pin is not None
    assert pin.run == first
    expect(designer.node("two")).to_have_attribute("data-unneeded", "true")
    designer.select("two")
    designer.fill("value", "77")
    designer.submit()
    expect(designer.status("nap0")).to_have_text("pinned")
    designer.has_status("nap1", "reused")
    designer.has_status("two", "skipped")
    expect(designer.node("two")).to_contain_text("only a pinned node reads it")
    designer.select("nap0")
    designer.at("tab-details").click()
    expect(designer.at("settings")).to_contain_text("Pinned: from run")
    expect(designer.at("settings")).to_contain_text("Constant changed upstream")
    designer.at("tab-settings").click()
    designer.at("unpin").click()
    assert saved_pin(designer) is None
    designer.undo()
    expect(designer.at("pin-box")).to_be_visible()


def test_a_pinned_result_that_is_gone_is_unpinned_by_its_fix(designer: Designer) -> None:
    pipeline = napping(32, 0.1)
    pipeline["nodes"][1]["pin"] = {"artifact": "00-gone", "run": "20200101-000000-abcd"}
    designer.open(pipeline)
    expect(designer.node("nap0")).to_have_attribute("data-problem", "error")
    designer.at("problem-count").click()
    expect(designer.at("problem-0")).to_contain_text("is not in this workspace")
    designer.at("problem-cure-0").click()
    expect(designer.at("pin-box")).to_be_hidden()
    expect(designer.node("nap0")).not_to_have_attribute("data-problem", "error")
    assert saved_pin(designer) is None
