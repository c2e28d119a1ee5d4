"""Page Camera with Chromium's fake camera: name classes, record, train, try live, learn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from modules.datasets.registered import versions_of
from tests.browser.axe import Look, readable_in
from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.conftest import new_context
from tests.browser.designer import TORCH, Designer
from tests.browser.film import still, wait_for_start, write_film
from tests.browser.served import Served
from tests.browser.watch import Watch

pytestmark = [pytest.mark.browser, pytest.mark.extended]

FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
RECORDED_MILLISECONDS = 1600
FEWEST = 5
UNPLUG = """() => {
  const [track] = document.querySelector("video").srcObject.getTracks();
  track.stop();
  track.dispatchEvent(new Event("ended"));
}"""
"""What the browser does when a camera is unplugged or its permission revoked."""
MEASURED_MILLISECONDS = 3000
LOOKS: tuple[Look, ...] = (("light", (1440, 900)), ("dark", (1024, 768)), ("light", (390, 844)))
SETTLED_MILLISECONDS = 1500


@pytest.fixture(scope="module")
def filming(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera plays a film."""
    film = tmp_path_factory.mktemp("film") / "film.mjpeg"
    write_film(film)
    made = browser.browser_type.launch(
        executable_path=CHROMIUM,
        args=[*ARGUMENTS, *FAKE_CAMERA, f"--use-file-for-fake-video-capture={film}"],
    )
    yield made
    made.close()


@pytest.fixture
def camera_page(filming: Browser, served: Served, watch: Watch) -> Iterator[Designer]:
    if served.process is None:  # a test that failed has left it so
        served.start()
    context = new_context(filming)
    watch.attach(context)
    yield Designer(context.new_page(), served)
    context.close()


def count_of(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"count-{name}")


def add_class(designer: Designer, name: str) -> None:
    designer.at("new-class").fill(name)
    designer.page.keyboard.press("Enter")
    expect(designer.at(f"class-{name}")).to_be_visible()


def start_camera(designer: Designer) -> None:
    """Start the camera, unless it has started at once because it was allowed before."""
    video = designer.at("camera-video")
    with suppress(TimeoutError):
        video.wait_for(timeout=5_000)
    if not video.is_visible():
        designer.at("camera-start").click()
    expect(video).to_be_visible()


def num_stored(designer: Designer, name: str) -> int:
    return designer.at(f"class-{name}").get_by_test_id("stored").count()


def test_a_newcomer_trains_with_the_camera_and_tries_it_live(
    camera_page: Designer, capsys: pytest.CaptureFixture[str]
) -> None:
    designer, page = camera_page, camera_page.page
    page.goto(f"{designer.served.address}/camera?recording=journey")
    start_camera(designer)
    add_class(designer, "Disc")
    add_class(designer, "Stripes")
    # by mouse
    hold = designer.at("record-Disc")
    wait_for_start(page, "disc")
    hold.hover()
    page.mouse.down()
    page.wait_for_timeout(RECORDED_MILLISECONDS)
    page.mouse.up()
    # by key, while the class has keyboard focus
    designer.at("record-Stripes").focus()
    wait_for_start(page, "stripes")
    page.keyboard.down("r")
    page.wait_for_timeout(RECORDED_MILLISECONDS)
    page.keyboard.up("r")
    for name in ("Disc", "Stripes"):
        pictures = designer.at(f"class-{name}").locator("li")
        expect(pictures.nth(FEWEST)).to_be_visible()
        expect(designer.at(f"class-{name}").locator("li[data-stored=false]")).to_have_count(0)
    stored = num_stored(designer, "Disc")
    page.evaluate(UNPLUG)
    expect(designer.at("camera-reason")).to_contain_text("disconnected")
    expect(designer.at("record-Disc")).to_be_disabled()
    page.reload()
    expect(count_of(page, "Disc")).to_contain_text(str(stored))
    designer.at("train").click()
    expect(designer.at("training-result")).to_contain_text("test images right", timeout=TORCH)
    run = designer.at("training-result").get_attribute("data-run")
    expect(designer.at("open-run")).to_have_attribute("href", f"/run?run={run}")
    expect(designer.at("open-pipeline")).to_have_attribute(
        "href", re.compile("/design\\?pipeline=")
    )
    _tries_live(designer, capsys)
    _learns(designer, str(run))


def _tries_live(designer: Designer, capsys: pytest.CaptureFixture[str]) -> None:
    page = designer.page
    start_camera(designer)
    designer.at("try-live").click()
    best = designer.at("live-result").locator("li[data-best] .pc-bar-name")
    expect(best).to_be_visible(timeout=TORCH)
    for name in ("Disc", "Stripes"):  # the film shows both in turn
        expect(best).to_have_text(name)
    page.wait_for_timeout(MEASURED_MILLISECONDS)
    speed = designer.at("live-speed")
    rate, p95 = (float(speed.get_attribute(f"data-{key}") or 0) for key in ("rate", "p95"))
    with capsys.disabled():
        print(f"\nTry live: {rate} images/s, p95 {p95} ms")
    assert rate > 2, "beside other work; on two quiet cores it is more than 10"
    designer.at("heat-map").check()
    expect(designer.at("live-result").locator("img")).to_be_visible(timeout=TORCH)
    designer.at("heat-map").uncheck()
    designer.at("source-file").check()
    for thing in ("Stripes", "Disc"):  # what a file shows stays: the answer is known
        designer.at("view-file").set_input_files(still(thing))
        expect(best).to_have_text(thing)
        page.wait_for_timeout(SETTLED_MILLISECONDS)
        expect(best).to_have_text(thing)


def _learns(designer: Designer, first_run: str) -> None:
    """A mistake is recorded by one click; the next training has one version more."""
    page = designer.page
    before = num_stored(designer, "Stripes")
    designer.at("learn-Stripes").click()
    expect(designer.at("class-Stripes").get_by_test_id("stored")).to_have_count(before + 1)
    expect(designer.at("train")).to_have_text("Train again")
    designer.at("train").click()
    expect(designer.at("saved-as")).to_contain_text("dataset:journey@2")
    assert versions_of(designer.served.workspace.datasets_dir, "journey") == (1, 2)
    runs = designer.served.runs
    designer.until(lambda: bool(runs.store.unfinished()))
    [second] = runs.store.unfinished()
    assert second != first_run
    runs.cancel(second)  # it would train as the first one did
    page.close()


def test_without_a_camera_files_and_drawings_are_used(
    designer: Designer, tmp_path: Path, watch: Watch
) -> None:
    watch.forgive("422")  # of the file that is no image
    page = designer.page  # a browser without a camera
    page.goto(f"{designer.served.address}/camera?recording=drawings")
    designer.at("camera-start").click()
    expect(designer.at("camera-reason")).to_contain_text("camera")
    add_class(designer, "Line")
    designer.at("source-drawing").check()
    field = designer.resting(designer.at("drawing-field"))
    x, y = field["x"], field["y"]
    stage = designer.box(page.locator(".pc-stage"))
    for shown in (field, designer.box(designer.at("drawing-clear"))):
        assert shown["y"] + shown["height"] <= stage["y"] + stage["height"], "it is cut off"
    designer.drag((x + 40, y + 40), (x + 150, y + 120))
    designer.at("add-current-Line").click()
    expect(designer.at("class-Line").get_by_test_id("stored")).to_have_count(1)
    (tmp_path / "notes.txt").write_text("no image")
    write_film(tmp_path / "frame.jpg")  # its first image
    designer.at("files-Line").set_input_files([tmp_path / "frame.jpg", tmp_path / "notes.txt"])
    expect(designer.at("camera-notice")).to_contain_text("cannot be used")
    expect(designer.at("class-Line").get_by_test_id("stored")).to_have_count(2)
    picture = designer.at("class-Line").locator(".pc-picture").first
    picture.focus()
    page.keyboard.press("Delete")
    expect(designer.at("class-Line").get_by_test_id("stored")).to_have_count(1)
    designer.at("camera-notice").get_by_text("Undo").click()
    expect(designer.at("class-Line").get_by_test_id("stored")).to_have_count(2)


def test_it_is_readable_in_three_sizes_and_both_themes(browser: Browser, served: Served) -> None:
    # the checks of axe are evaluated, which the policy of the page forbids
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    designer = Designer(page, served)
    page.goto(f"{served.address}/camera?recording=readable")
    for name in ("A class with a name as long as it may be in this field", "Pen"):
        add_class(designer, name)
    designer.at("source-drawing").check()
    designer.at("add-current-Pen").click()
    expect(designer.at("class-Pen").get_by_test_id("stored")).to_have_count(1)
    readable_in(page, LOOKS, "camera")
    pages = page.get_by_role("navigation", name="Pages")
    expect(pages).to_be_hidden()  # behind its button: the window is narrow
    designer.at("pages-menu").click()
    expect(pages).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    pages.get_by_role("link", name="Runs").click()
    page.wait_for_url("**/runs")
    context.close()
