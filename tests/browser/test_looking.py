"""Outputs looked at from the canvas: every viewer on a real run, with a class of a hostile name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import (
    Dialog,
    Download,
    FloatRect,
    Locator,
    Page,
    TimeoutError,
    ViewportSize,
    WebSocketRoute,
    expect,
)

from designer_app.viewers.confusion import ON_DARK, ON_LIGHT
from designer_app.viewers.transformation import DRAWS
from pipelines.document.document import parse_document
from pipelines.runs.history import RunHistory
from pipelines.store.database.history import RunFilter
from tests.browser.designer import TORCH, Designer, at_rest
from tests.browser.served import Served
from tests.browser.watch import Watch
from tests.pipelines.inspection.runs import (
    CLASSES,
    HOSTILE,
    IMAGES_PER_CLASS,
)

pytestmark = pytest.mark.browser

ATTEMPTS, A_WHILE = 36, 5_000
NUM_IMAGES = len(CLASSES) * IMAGES_PER_CLASS


@pytest.fixture
def pipeline_id(everything_run: tuple[str, str]) -> str:
    """The pipeline whose newest run has an output of every type."""
    return everything_run[0]


@pytest.fixture
def watched(designer: Designer) -> Iterator[Designer]:
    """A page on which a script that gets to run fails the test."""
    alerts: list[str] = []

    def refuse(dialog: Dialog) -> None:
        alerts.append(dialog.message)
        dialog.dismiss()

    designer.page.on("dialog", refuse)
    yield designer
    assert alerts == []


@pytest.fixture
def looking(watched: Designer, pipeline_id: str) -> Designer:
    """The pipeline's page of the app with its run."""
    watched.visit_in_app(pipeline_id)
    watched.has_status("evaluate", "completed")  # from then on a click on a port is heard
    return watched


@pytest.fixture
def beside(watched: Designer, pipeline_id: str) -> Designer:
    """The same without Streamlit, for what is shown beside the canvas."""
    watched.visit(pipeline_id)
    watched.has_status("evaluate", "completed")
    return watched


def choose(page: Page, box: Locator, option: str) -> None:
    """Choose in a select box; its list closes unasked where the server draws it anew just then."""
    item = page.get_by_role("option", name=option)
    for _ in range(ATTEMPTS):
        box.click()
        try:
            item.click(timeout=A_WHILE)
        except TimeoutError:
            continue
        return
    pytest.fail(f"{option} could not be chosen")


def download(page: Page, button: Locator) -> Download:
    """Click until a file comes: a button that is drawn anew just then hears nothing."""
    for _ in range(ATTEMPTS):
        try:
            with page.expect_download(timeout=A_WHILE) as waiting:
                button.click()
        except TimeoutError:
            continue
        return waiting.value
    pytest.fail("nothing was downloaded")


@pytest.mark.full  # as where a connection breaks
def test_the_editor_stays_as_it_is_below(looking: Designer) -> None:
    looking.select("train")
    looking.fill("epochs", "7")
    looking.at("canvas").evaluate("canvas => { window.canvasBefore = canvas; }")
    place = looking.resting(looking.node("train"))
    dialog = looking.look("split-out-output_image_directory1")
    expect(dialog.get_by_test_id("gallery")).to_be_visible()
    looking.press("Escape")
    expect(dialog).to_be_hidden()
    assert looking.page.evaluate("() => window.canvasBefore.isConnected")
    assert looking.resting(looking.node("train")) == place
    expect(looking.at("param-epochs")).to_have_value("7")
    saved = {each.id: each for each in looking.is_saved().nodes}
    assert saved["train"].parameters["epochs"] == 7
    looking.undo()
    expect(looking.at("param-epochs")).to_have_value("1")


@pytest.mark.full  # as on the canvas
def test_a_port_on_the_page_of_the_run_shows_the_same(
    watched: Designer, pipeline_id: str, served: Served
) -> None:
    [run] = RunHistory(served.runs).search(RunFilter(pipeline_id=pipeline_id)).rows
    watched.page.goto(f"{served.address}/run?run={run.id}")
    watched.has_status("split", "completed")
    dialog = watched.look("split-out-output_image_directory1")
    expect(dialog.get_by_test_id("gallery")).to_be_visible()
    expect(dialog.get_by_text("Second part")).to_be_visible()  # as the canvas calls it


def test_images_by_class_and_one_followed_by_keys(looking: Designer) -> None:
    looking.select("convert")
    looking.at("canvas").focus()
    looking.press("o")
    dialog = looking.page.get_by_role("dialog")
    gallery = dialog.get_by_test_id("gallery")
    expect(dialog.get_by_text(f"{NUM_IMAGES} images.")).to_be_visible()
    expect(gallery.get_by_role("option")).to_have_count(NUM_IMAGES)
    dialog.get_by_role("combobox").click()
    looking.page.get_by_role("option", name=HOSTILE).click()
    expect(gallery.get_by_role("option")).to_have_count(IMAGES_PER_CLASS)
    expect(gallery.locator("[data-testid^=thumbnail-]")).to_have_count(IMAGES_PER_CLASS)
    gallery.focus()
    looking.press("ArrowRight", "Enter")
    expect(dialog.get_by_test_id("followed")).to_be_visible()
    expect(dialog.get_by_text("Convert to Image Directory").last).to_be_visible()
    dialog.get_by_role("button", name="Back to output").click()
    expect(gallery).to_be_visible()


def test_an_open_output_stays_through_a_connection_that_breaks(
    designer: Designer, pipeline_id: str, watch: Watch
) -> None:
    watch.forgive("WebSocket")
    page = designer.page
    sockets: list[WebSocketRoute] = []

    def pass_on(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket(re.compile(r"/_stcore/stream"), pass_on)
    designer.visit_in_app(pipeline_id)
    designer.has_status("evaluate", "completed")
    options = designer.look("convert-out-output_image_directory").get_by_role("option")
    expect(options).to_have_count(NUM_IMAGES)
    [socket] = sockets
    socket.close()
    designer.until(lambda: len(sockets) == 2)
    app = page.get_by_test_id("stApp")
    for state, value in (("connection", "CONNECTED"), ("script", "notRunning")):
        expect(app).to_have_attribute(f"data-test-{state}-state", value)
    dialog = page.get_by_role("dialog")  # drawn anew, and it hears what is done in it
    dialog.get_by_role("combobox").click()
    page.get_by_role("option", name=HOSTILE).click()
    expect(options).to_have_count(IMAGES_PER_CLASS)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("link", name="Runs").click()
    page.get_by_role("link", name="Design", exact=True).click()
    expect(designer.node("convert")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_a_picture_is_followed_to_its_heat_map(looking: Designer) -> None:
    dialog = looking.look("split-out-output_image_directory2")
    dialog.get_by_test_id("gallery").get_by_role("option").first.click()
    expect(dialog.get_by_text("Validated with this image.")).to_be_visible()
    expect(dialog.get_by_role("img", name="heat map").first).to_be_visible(timeout=TORCH)
    expect(dialog.get_by_text("In the confusion matrix", exact=False).first).to_be_visible()


# how many of the pictures stand beside the first one
BESIDE = """pictures => {
  const tops = pictures.map(each => Math.round(each.getBoundingClientRect().top));
  return tops.filter(top => top === tops[0]).length;
}"""
PHONE: ViewportSize = {"width": 390, "height": 844}


def test_a_transformation_draws_again_and_its_pictures_stand_beside_each_other(
    looking: Designer,
) -> None:
    dialog = looking.look("init-out-output_image_transformation")
    after = dialog.get_by_role("img", name="after").first
    expect(after).to_be_visible(timeout=TORCH)
    before = after.get_attribute("src")
    assert before is not None
    dialog.get_by_role("button", name="New samples").click()
    expect(after).not_to_have_attribute("src", before)
    pictures = dialog.locator("div:has(> img[alt=before])").first.locator("img")
    expect(pictures).to_have_count(DRAWS + 1)
    assert pictures.evaluate_all(BESIDE) == DRAWS + 1
    looking.page.set_viewport_size(PHONE)
    looking.until(lambda: pictures.evaluate_all(BESIDE) in (3, 4))


def test_a_picture_among_files_is_named_and_covers_no_row(looking: Designer) -> None:
    dialog = looking.look("import-out-dataset")
    looking.page.set_viewport_size(PHONE)
    picture = dialog.get_by_role("img", name=f"{HOSTILE}/00.png")
    above = looking.resting(dialog.get_by_test_id("stDataFrame"))
    assert above["y"] + above["height"] <= looking.resting(picture)["y"]


def test_a_ticked_box_of_a_transformation_is_seen_on_an_image(beside: Designer) -> None:
    beside.select("grey")
    preview = beside.at("varied")
    shown = preview.get_by_role("img")
    expect(shown).to_have_count(6)  # it flips at random
    height = beside.box(preview)["height"]
    beside.at("param-random_horizontal_flip").click()
    expect(shown).to_have_count(2)
    assert beside.box(preview)["height"] == pytest.approx(height, abs=2)  # nothing jumps
    beside.undo()


def test_models_before_and_after_training(looking: Designer) -> None:
    dialog = looking.look("resnet-out-untrained_model")
    expect(dialog.get_by_text("11,178,051").first).to_be_visible(timeout=TORCH)
    looking.press("Escape")
    expect(dialog).to_be_hidden()
    looking.select("train")
    looking.at("tab-result").click()
    looking.at("look-trained_model").click()
    expect(dialog.get_by_text("Best epoch")).to_be_visible()
    chart = dialog.locator(".stVegaLiteChart svg").first
    expect(chart).to_contain_text("Loss")
    expect(chart.locator(".role-axis-label text").first).to_have_css("fill", "rgb(79, 90, 106)")


def test_a_table_is_filtered_on_the_server(looking: Designer) -> None:
    dialog = looking.look("score-out-scored_dataset")
    expect(dialog.get_by_text(f"Rows 1 to {NUM_IMAGES // 2} of {NUM_IMAGES // 2}")).to_be_visible()
    choose(looking.page, dialog.get_by_role("combobox", name="Filter"), "True class")
    dialog.get_by_role("textbox", name="Value").fill("<IMG")
    looking.press("Enter")
    expect(dialog.get_by_text("Rows 1 to 6 of 6")).to_be_visible()
    csv = download(looking.page, dialog.get_by_role("button", name="CSV", exact=True))
    lines = Path(csv.path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7
    assert all(HOSTILE in line for line in lines)


def test_an_evaluation_and_the_pictures_behind_its_cells(
    looking: Designer, pipeline_id: str, tmp_path: Path
) -> None:
    page = looking.page
    image, other = tmp_path / "photo.png", tmp_path / "notes.txt"
    Image.new("RGB", (60, 40), (200, 30, 30)).save(image)
    other.write_text("no image")
    dialog = looking.look("evaluate-out-evaluation_results")
    for place, name in enumerate(("Result", "Try an image")):
        expect(dialog.get_by_role("tab").nth(place)).to_have_text(name)
    expect(dialog.get_by_text(re.compile(r"^\d+ of 18$"))).to_be_visible()
    for tab in ("Classes", "Calibration", "Thresholds", "Mistakes", "Flipped predictions"):
        dialog.get_by_role("tab", name=tab).click()
        shown = ".stDataFrame" if tab in ("Mistakes", "Flipped predictions") else "svg.marks"
        expect(dialog.locator(shown).first).to_be_visible()
    dialog.get_by_role("tab", name="Try an image").click()
    expect(dialog.get_by_test_id("try-picture")).to_be_visible()
    dialog.get_by_role("tab", name="Result").click()
    cells = dialog.locator("svg.marks .mark-rect").nth(1).locator("path")  # not the empty ones
    expect(cells.first).to_be_visible()
    cells.first.click()
    expect(dialog.get_by_test_id("gallery")).to_be_visible()
    another_cell_by_keys(dialog)
    svg = download(page, dialog.get_by_test_id("save-svg"))
    text = Path(svg.path()).read_text(encoding="utf-8")
    assert HOSTILE not in text
    assert "&lt;img" in text
    carried = re.search(r'<metadata id="pipeline-designer">(.*?)</metadata>', text, re.DOTALL)
    assert carried is not None
    document = json.loads(carried[1].replace("&quot;", '"').replace("&amp;", "&"))
    assert parse_document(document).id == looking.served.document(pipeline_id).id
    png = download(page, dialog.get_by_test_id("save-png"))
    content = Path(png.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert b"iTXtpipeline-designer\0" in content
    looking.press("Escape")
    expect(dialog).to_be_hidden()
    looking.select("evaluate")
    looking.at("try-evaluation_results").click()
    expect(looking.at("try-panel").get_by_test_id("try-picture")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    looking.select("split")
    looking.drop_files(looking.node("evaluate"), image)
    expect(looking.at("try-result")).to_contain_text(re.compile("% sure|Undecided"), timeout=TORCH)
    looking.at("try-similar").click()
    expect(looking.at("try-similar-images").locator("figure")).to_have_count(5, timeout=TORCH)
    beside = looking.at("settings").get_by_role("tabpanel")
    looking.drop_files(beside, other)
    expect(looking.at("try-picture")).to_contain_text("not an image")


@pytest.mark.full  # as a dialog: test_home
def test_a_matrix_that_is_open_follows_the_theme(looking: Designer) -> None:
    page = looking.page
    page.emulate_media(color_scheme="light")
    dialog = looking.look("evaluate-out-evaluation_results")
    light, dark = (
        dialog.locator(f"svg.marks .mark-rect path[fill='{hit}']") for hit, _ in (ON_LIGHT, ON_DARK)
    )
    page.emulate_media(color_scheme="dark")  # while it is drawn
    expect(dark.first).to_be_visible()
    expect(light).to_have_count(0)
    page.emulate_media(color_scheme="light")
    expect(light.first).to_be_visible()
    expect(dark).to_have_count(0)
    page.emulate_media(color_scheme="dark")
    expect(dark.first).to_be_visible()
    page.emulate_media(color_scheme="light")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def another_cell_by_keys(dialog: Locator) -> None:
    """The list says what was clicked; what is chosen in it is framed in the drawing."""
    keys = dialog.page.keyboard
    listed = dialog.get_by_role("combobox", name="Images of a cell")
    clicked = listed.input_value()
    assert clicked
    listed.focus()
    for key in ("ArrowDown", "End", "Enter"):
        keys.press(key)
    expect(listed).not_to_have_value(clicked)
    framed = "svg.marks .mark-rect path[stroke='#e6a94a']"
    actual = re.split(" predicted as |, correct", listed.input_value())[0]
    expect(dialog.locator(f'{framed}[aria-label*="Actual: {actual};"]')).to_have_count(1)
    expect(dialog.locator(framed)).to_have_count(1)  # the drawing before has gone
    expect(dialog.get_by_test_id("gallery")).to_be_visible()


def test_the_result_of_a_node_beside_the_canvas_and_below_it(beside: Designer) -> None:
    page = beside.page
    page.get_by_role("button", name="Settings").click()  # closed until something is selected
    expect(beside.at("result-run").get_by_test_id("result-matrix")).to_be_visible()
    page.get_by_role("button", name="Fit view").click()  # the pane took its room
    beside.select("evaluate")
    beside.at("tab-result").click()
    expect(beside.at("result-metrics")).to_contain_text(re.compile(r"Accuracy.*% \(\d+ of 18\)"))
    cells = page.locator(".pd-matrix-cell")
    expect(cells).to_have_count(len(CLASSES) ** 2)
    filled = page.locator(".pd-matrix-cell:not([disabled])").first
    box = beside.box(filled)
    assert abs(box["width"] - box["height"]) < 1
    count = int(filled.inner_text())
    filled.click()
    pictures = beside.at("result-cell-pictures").locator("img")
    expect(pictures).to_have_count(count)
    beside.select("apply")
    expect(beside.at("preview-apply-output_image_directory").locator("img")).to_have_count(12)
    beside.select("resnet")
    expect(beside.at("result-network")).to_contain_text("11,178,051", timeout=TORCH)
    expect(beside.at("node-preview-evaluate")).to_contain_text("of 18 correct")
    expect(beside.at("node-preview-convert").locator("img").first).to_be_visible()
    beside.at("previews").click()
    expect(page.locator(".pd-node-preview")).to_have_count(0)


@pytest.mark.full  # tabs are drawn by the same code elsewhere
def test_a_dialog_keeps_its_height_its_title_and_its_button(looking: Designer) -> None:
    dialog = looking.look("evaluate-out-evaluation_results")
    tabs = dialog.get_by_role("tab")
    expect(tabs.first).to_be_visible()
    height, places = box(dialog)["height"], []
    for tab in tabs.all():
        at_rest(looking.page)  # a click while the tab before is drawn may be lost
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        assert box(dialog)["height"] == pytest.approx(height, abs=1)
        body = dialog.get_by_test_id("stVerticalBlock").first
        body.hover()
        looking.page.mouse.wheel(0, 4000)
        heading = dialog.get_by_role("heading").first
        expect(heading).to_be_in_viewport()
        places.append(box(heading)["y"])
    assert len(places) > 1
    assert set(places) == {places[0]}
    around = looking.page.get_by_test_id("stDialog")
    assert around.evaluate("it => it.scrollHeight - it.clientHeight") == 0  # as a whole it stays
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def box(place: Locator) -> FloatRect:
    found = place.bounding_box()
    assert found is not None
    return found
