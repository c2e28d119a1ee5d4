"""Pages with a list of cards: nothing moves when another one is chosen, and their state is live."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from pipelines.errors import InUseError
from tests.browser.designer import Designer, at_rest
from tests.browser.layout_shifts import MOST_SHIFT, SHIFTS
from tests.browser.served import Served
from tests.designer_app.serving.endpoints import register

pytestmark = pytest.mark.browser


def places(designer: Designer) -> dict[str, Any]:
    """Where the cards and what is below them are, as soon as the page rests."""
    page = designer.page
    at_rest(page)
    below: dict[str, Locator] = {
        "versions": page.get_by_test_id("stButtonGroup"),
        "title": page.locator(".stMain h3").first,
        "figures": page.get_by_test_id("stMetric").first,
        "tabs": page.get_by_role("tablist").first,
    }
    tops = {name: designer.resting(part)["y"] for name, part in below.items()}
    cards = page.locator("[data-testid^='entry-']").all()
    return {**tops, "cards": [designer.resting(card) for card in cards]}


def choose_card(page: Page, name: str) -> None:
    page.get_by_test_id(f"entry-{name}").click()
    expect(page.locator(".stMain h3").first).to_contain_text(name)


def test_choosing_a_model_or_a_version_moves_nothing(
    context: BrowserContext, alone: Served
) -> None:
    for left in alone.session.models.all():  # by other tests of the shared workspace
        with suppress(InUseError):
            alone.session.models.delete(left.name)
    for seed, name in ((1, "birds"), (2, "birds"), (3, "flowers-of-the-northern-meadows")):
        register(alone.runs, seed, name)
    alone.session.models.set_alias("birds", "best", 1)
    designer = Designer(context.new_page(), alone)
    page = designer.page
    page.add_init_script(SHIFTS)
    page.goto(f"{alone.address}/models")
    choose_card(page, "birds")
    before = places(designer)
    assert len({(card["y"], card["height"]) for card in before["cards"]}) == 1
    page.evaluate("window.shifts = []")
    page.get_by_test_id("stButtonGroup").get_by_text("1, best").click()
    expect(page.locator(".stMain h3").first).to_contain_text("birds@1")
    assert places(designer) == before
    choose_card(page, "flowers-of-the-northern-meadows")
    assert places(designer) == before
    assert sum(value for value, *_ in page.evaluate("window.shifts")) < MOST_SHIFT


def test_the_card_of_an_endpoint_says_when_it_is_ready(
    context: BrowserContext, alone: Served
) -> None:
    register(alone.runs, 4, "doves")
    endpoints = alone.session.endpoints
    endpoints.deploy("doves", "doves@1")
    page = context.new_page()
    page.goto(f"{alone.address}/endpoints")
    card = page.get_by_test_id("entry-doves")
    expect(card).to_contain_text("starting")
    # as an endpoint and its keeper do: test_deployed
    running = {"state": "running", "pid": 1}
    endpoints.store.change("doves", process=running, served={"parent": 1, "ready": True})
    try:
        expect(card).to_contain_text("ready")
        expect(page.get_by_test_id("stMetricValue").first).to_have_text("ready")
    finally:
        endpoints.remove("doves")


@pytest.mark.parametrize("name", ["models", "endpoints"])
def test_nothing_moves_on_a_phone_while_the_page_loads(
    context: BrowserContext, alone: Served, name: str
) -> None:
    register(alone.runs, 5, "gulls")
    endpoints = alone.session.endpoints
    endpoints.deploy("gulls", "gulls@1")
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(SHIFTS)
    try:
        page.goto(f"{alone.address}/{name}")
        expect(page.get_by_test_id("stMetric").first).to_be_visible()
        at_rest(page)
        page.wait_for_timeout(1000)  # what comes late would be a shift
        shifts = page.evaluate("window.shifts")
        assert sum(value for value, *_ in shifts) < MOST_SHIFT, shifts
    finally:
        endpoints.remove("gulls")
