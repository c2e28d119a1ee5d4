"""Fingers on a phone: pinch, long press, tap, and controls that are large enough for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, CDPSession, expect

from tests.browser.conftest import new_context
from tests.browser.designer import Designer, Point
from tests.browser.lessons import lesson
from tests.browser.served import Served
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser

FINGER = 44
"""Pixels that a control needs in both directions."""

# controls that a finger could miss, except links in a text, and how large they are
SMALL = """([canvas, least]) => {
  const controls = canvas.getRootNode().querySelectorAll(
    ":is(.pd-bar, .pd-palette, .pd-settings, .pd-zoom) :is(button, [role=tab]):not(.pd-link)");
  const size = (element) => {
    const box = element.getBoundingClientRect();
    const around = getComputedStyle(element, "::after");
    const grown = around.content === "none" ? 0 : parseFloat(around.height) || 0;
    return [Math.max(box.width, grown), Math.max(box.height, grown)].map(Math.round);
  };
  return [...controls].filter((each) => each.checkVisibility() && each.getClientRects().length)
    .map((each) => [each.ariaLabel || each.textContent, ...size(each)])
    .filter(([, , height]) => height < least);
}"""


@pytest.fixture
def phone(browser: Browser, served: Served, watch: Watch) -> Iterator[Designer]:
    """A page on a phone with a touch screen."""
    context = new_context(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.add_init_script("try { localStorage.setItem('pd-tour-offered', 'yes') } catch {}")
    watch.attach(context)
    yield Designer(context.new_page(), served)
    context.close()


def touch(fingers: CDPSession, kind: str, *points: Point) -> None:
    """Put fingers down, move or lift them."""
    placed = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": placed})


def pinch(fingers: CDPSession, middle: Point, spans: Sequence[int]) -> None:
    """Move two fingers apart or together."""
    x, y = middle
    for place, span in enumerate(spans):
        kind = "touchMove" if place else "touchStart"
        touch(fingers, kind, (x - span, y), (x + span, y))
    touch(fingers, "touchEnd")


def percent(designer: Designer) -> int:
    return int(designer.at("zoom-level").inner_text().removesuffix("%").strip())


def test_two_fingers_zoom_and_a_long_press_opens_the_menu(phone: Designer) -> None:
    phone.open(lesson("01-digits"))
    node = phone.node("import")
    box = phone.resting(node)
    before = percent(phone)
    canvas = phone.box(phone.at("canvas"))
    free = (canvas["x"] + canvas["width"] / 2, box["y"] + box["height"] + 120)
    fingers = phone.page.context.new_cdp_session(phone.page)
    pinch(fingers, free, [40, 60, 80, 100])
    phone.until(lambda: percent(phone) > before)
    phone.page.get_by_role("button", name="Fit view").tap()
    phone.page.wait_for_timeout(400)  # longer than the canvas glides
    phone.until(lambda: node.bounding_box() is not None)  # from afar it is another element
    held = phone.middle(node)
    touch(fingers, "touchStart", held)
    expect(phone.at("menu")).to_be_visible()
    touch(fingers, "touchEnd")
    expect(phone.at("menu")).to_be_visible()  # lifting the finger closes nothing
    expect(node.locator("xpath=..")).to_contain_class("selected")
    phone.at("menu-duplicate").tap()
    expect(phone.at("menu")).to_have_count(0)
    phone.until(lambda: len(phone.is_saved().nodes) == len(lesson("01-digits")["nodes"]) + 1)


def test_modules_of_a_phone_have_names_and_a_tap_adds_one(phone: Designer) -> None:
    phone.open(lesson("01-digits"))
    item = phone.at("palette-split_image_directory")
    expect(item).to_be_hidden()
    canvas = phone.box(phone.at("canvas"))
    assert canvas["width"] == 390, "no rail beside it"
    phone.page.get_by_role("button", name="Expand palette").tap()
    expect(item).to_contain_text("Split Image Directory")
    item.scroll_into_view_if_needed()
    item.tap()
    expect(item).to_be_hidden()
    phone.until(lambda: len(phone.is_saved().nodes) == len(lesson("01-digits")["nodes"]) + 1)


def test_controls_are_large_enough_for_fingers(phone: Designer) -> None:
    phone.open(lesson("01-digits"))
    expect(phone.node("import")).to_be_visible()
    phone.page.get_by_role("button", name="Expand palette").tap()
    expect(phone.at("palette-split_image_directory")).to_be_visible()
    canvas = phone.at("canvas").element_handle()
    assert phone.page.evaluate(SMALL, [canvas, FINGER]) == []
    phone.page.get_by_role("button", name="Collapse palette").tap()
    phone.node("import").locator(".pd-node-title").tap()
    expect(phone.at("settings")).to_be_visible()
    assert phone.page.evaluate(SMALL, [canvas, FINGER]) == []
