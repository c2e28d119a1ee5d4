"""A lesson: opened from its card, its steps done one by one, kept over a reload."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.designer import Designer
from tests.browser.served import Served

pytestmark = pytest.mark.browser


def test_steps_are_shown_done_and_kept(first_visit: BrowserContext, served: Served) -> None:
    designer = Designer(first_visit.new_page(), served)
    page = designer.page
    page.goto(served.address)
    expect(designer.at("gallery-08-why-is-it-wrong")).to_contain_text("5 minutes, intermediate")
    expect(designer.at("gallery-01-digits").locator("svg image")).to_have_count(8)
    designer.at("open-01-digits").click()
    third = designer.at("lesson-step-3")
    expect(third).to_have_attribute("data-done", "false")
    expect(designer.at("lesson-step-1")).to_have_attribute("data-open", "true")
    take_tour_once(designer)
    third.get_by_role("button").first.click()
    designer.at("lesson-show").click()
    expect(designer.at("param-epochs")).to_be_focused()
    designer.at("lesson-hint").click()
    expect(third).to_contain_text("one pass over all training images")
    designer.fill("epochs", "8")
    expect(third).to_have_attribute("data-done", "true")
    expect(third).to_contain_text("out of date")
    expect(designer.at("lesson")).to_contain_text("1 of 5 done")
    page.reload()
    expect(third).to_have_attribute("data-done", "true")
    expect(designer.at("lesson-step-4")).to_have_attribute("data-done", "false")
    designer.at("lesson-fold").click()
    expect(third).to_have_count(0)
    expect(designer.at("notice")).to_have_count(0)


def encloses(designer: Designer, goal: Locator) -> bool:
    """True once the frame of the tour is around what it speaks of."""
    ring, box = designer.box(designer.at("tour-ring")), designer.box(goal)
    return abs(ring["x"] + 4 - box["x"]) < 2 and abs(ring["width"] - 8 - box["width"]) < 2


def take_tour_once(designer: Designer) -> None:
    """It offers itself at the first visit, and goes when it is left."""
    notice = designer.at("notice")
    expect(notice).to_contain_text("New here?")
    notice.get_by_role("button", name="Take the tour").click()
    expect(designer.at("tour")).to_be_visible()
    for place, target in enumerate((".pd-palette", ".pd-port.source", "[data-testid=settings]")):
        if place:
            designer.at("tour-next").click()
        goal = designer.page.locator(target).first
        expect(goal).to_be_visible()
        designer.until(partial(encloses, designer, goal))
    designer.at("tour-skip").click()
    expect(designer.at("tour")).to_have_count(0)
