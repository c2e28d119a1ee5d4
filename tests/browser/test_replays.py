"""A recorded run in the browser: dropped, watched, scrubbed; nothing is run and nothing changed."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, JSHandle, Locator, Page, expect

from pipelines.document.document import parse_document
from pipelines.replay.library import LESSONS_DIR
from tests.browser.designer import SOON, Designer
from tests.browser.geometry import at_size
from tests.browser.served import LIBRARY, Served

pytestmark = pytest.mark.browser

LESSON = LESSONS_DIR / "01-digits.replay"
FILES = """([name, bytes]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([new Uint8Array(bytes)], name));
  return carried;
}"""
SCRUB = """(scrub, share) => {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  set.call(scrub, share * scrub.max);
  scrub.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def carried(page: Page, name: str, content: bytes) -> JSHandle:
    """What a dragged file is for the page."""
    return page.evaluate_handle(FILES, [name, list(content)])


def watch(designer: Designer) -> None:
    """Open the replay of the first lesson on the standalone page."""
    designer.page.goto(f"{designer.served.address}/standalone?replay=01-digits")
    expect(designer.at("player")).to_be_visible(timeout=SOON)


def scrub(page: Page, share: float) -> None:
    page.get_by_test_id("player-scrub").evaluate(SCRUB, share)


def has_status(page: Page, node: str, status: str) -> None:
    expect(page.get_by_test_id(f"node-status-{node}")).to_have_attribute("data-status", status)


def apart(designer: Designer) -> tuple[float, float]:
    """From one node to another, in pixels: dragging a node may move the canvas, but not these."""
    one, other = designer.resting(designer.node("train")), designer.box(designer.node("score"))
    return other["x"] - one["x"], other["y"] - one["y"]


def seconds(page: Page) -> float:
    return float(page.get_by_test_id("player-scrub").input_value())


@pytest.mark.parametrize(
    "theme",
    ["light", pytest.param("dark", marks=pytest.mark.full)],  # other pages are dark too
)
def test_a_lesson_is_watched_from_the_gallery(
    theme: Literal["light", "dark"], context: BrowserContext, served: Served
) -> None:
    page = context.new_page()
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(served.address)
    page.get_by_test_id("watch-01-digits").click(timeout=SOON)
    expect(page.get_by_test_id("player")).to_be_visible(timeout=SOON)
    has_status(page, "train", "not started")
    page.get_by_test_id("player-speed").select_option("100")
    page.get_by_test_id("player-play").click()
    expect(page.get_by_test_id("replay-status")).to_contain_text("completed", timeout=SOON)
    expect(page.get_by_test_id("result-matrix")).to_be_visible()
    scrub(page, 0.5)
    has_status(page, "train", "running")
    has_status(page, "evaluate", "not started")
    expect(page.locator(".pd-shell")).to_be_visible()
    expect(page.locator(".pd-root")).to_have_attribute("data-theme", theme)


def test_watch_plays_at_once_and_ends_on_the_result(designer: Designer) -> None:
    page = designer.page
    page.emulate_media(reduced_motion="no-preference")
    watch(designer)
    expect(designer.at("player-play")).to_have_attribute("aria-label", "Pause")
    expect(designer.at("player-scrub")).not_to_have_value("0")
    designer.at("player-speed").select_option("100")
    expect(designer.at("replay-status")).to_contain_text("completed", timeout=SOON)
    expect(designer.at("replay-headline")).to_contain_text("98.1 %")
    expect(designer.at("result-run")).to_contain_text("98.1 %")
    assert not is_cut(designer.at("replay-status"))
    expect(designer.at("try-result-of-run")).to_have_count(0)  # the run may not exist here
    expect(designer.at("register-result-of-run")).to_have_count(0)
    page.goto(f"{designer.served.address}/standalone?replay=03-two-models-compared")
    expect(designer.at("player")).to_be_visible(timeout=SOON)
    designer.press("End")
    expect(designer.at("result-compared")).to_contain_text("98.3 %", timeout=SOON)


def is_cut(locator: Locator) -> bool:
    return bool(locator.evaluate("element => element.scrollWidth > element.clientWidth + 1"))


@pytest.mark.journey
def test_keys_steer_and_the_pane_follows(designer: Designer) -> None:
    page = designer.page
    page.emulate_media(reduced_motion="reduce")  # so that it does not play at once
    watch(designer)
    designer.press("End")
    has_status(page, "evaluate", "completed")
    designer.press("Home")
    assert seconds(page) == 0
    designer.press("Shift+ArrowRight", "Shift+ArrowRight")
    has_status(page, "import", "completed")
    after_two = seconds(page)
    designer.press("ArrowRight")
    further = seconds(page)
    assert further > after_two
    designer.press("Shift+ArrowLeft")  # to the last end of a node before
    assert after_two <= seconds(page) < further
    designer.press("Space")
    expect(designer.at("player-play")).to_have_attribute("aria-label", "Pause")
    designer.press("Space")
    expect(designer.at("player-play")).to_have_attribute("aria-label", "Play")
    designer.press("End")
    designer.node("convert").click()
    expect(designer.at("preview-convert-output_image_directory")).to_be_visible()
    expect(page.locator(".pd-picture img").nth(9)).to_be_attached()
    designer.node("train").click()
    designer.at("replay-tab-log").click()
    expect(designer.at("replay-log")).to_contain_text("epoch 4/4")
    scrub(page, 0.5)
    expect(designer.at("replay-log")).not_to_contain_text("epoch 4/4")


def test_the_pane_leaves_the_player_free(designer: Designer) -> None:
    watch(designer)
    for size in ((390, 844), (820, 1180)):
        with at_size(designer, size):
            for part in ("player-play", "player-scrub", "player-clock", "player-speed"):
                expect(designer.at(part)).to_be_in_viewport(ratio=1)
                designer.at(part).click(trial=True)  # nothing lies on it


def test_nothing_of_a_replay_can_be_changed_but_it_can_become_a_pipeline(
    designer: Designer,
) -> None:
    watch(designer)
    before = apart(designer)
    start = designer.middle(designer.node("train").locator(".pd-node-title"))
    designer.drag(start, (start[0] + 120, start[1] + 90))
    designer.node("score").click()
    designer.press("Delete", "Control+d")
    assert apart(designer) == pytest.approx(before)
    expect(designer.nodes()).to_have_count(7)
    designer.at("replay-edit").click()
    expect(designer.at("submit")).to_be_visible(timeout=SOON)
    assert designer.served.saved.all()[0].num_nodes == 7


def test_a_file_dropped_on_home_or_on_the_canvas_plays(designer: Designer) -> None:
    page, content = designer.page, LESSON.read_bytes()
    page.goto(designer.served.address)
    expect(designer.at("new-pipeline").or_(designer.at("gallery-01-digits"))).to_be_visible(
        timeout=SOON
    )
    page.dispatch_event("body", "drop", {"dataTransfer": carried(page, "a.replay", content[:-50])})
    expect(page.get_by_role("alert")).to_contain_text("damaged or truncated", timeout=SOON)
    page.dispatch_event("body", "drop", {"dataTransfer": carried(page, "a.replay", content)})
    expect(designer.at("player")).to_be_visible(timeout=SOON)
    shown = page.url.partition("replay=")[2].partition("&")[0]
    assert shown

    lesson = (LIBRARY / "01-digits.json").read_text(encoding="utf-8")
    designer.open(parse_document(lesson).to_json())
    designer.at("canvas").dispatch_event(
        "drop", {"dataTransfer": carried(page, "b.replay", content)}
    )
    expect(designer.at("player")).to_be_visible(timeout=SOON)
    page.goto(designer.served.address)
    own = page.locator(f"[data-testid='replay-{shown}']")
    expect(own).to_have_count(1, timeout=SOON)
