"""No edit is lost: the server is gone, the page is reloaded, another page is opened."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from designer_app.editor.static_files import bundle
from tests.browser.designer import SOON, Designer
from tests.browser.lessons import lesson_with
from tests.browser.served import ROOT
from tests.browser.watch import GONE, Watch

pytestmark = pytest.mark.browser

STATIC = ROOT / "designer_app" / "editor" / "static"
KEPT = ["import", "convert", "split"]


def test_a_page_without_its_server_says_what_to_do(designer: Designer, watch: Watch) -> None:
    watch.forgive(*GONE)
    page, served = designer.page, designer.served
    page.goto(f"{served.address}/targets")
    expect(page.get_by_role("heading", name="Compute targets")).to_be_visible()
    served.kill()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The server is not responding")
    expect(dialog).to_contain_text("continues automatically")
    expect(dialog).not_to_contain_text("Streamlit")
    served.start()
    expect(dialog).to_have_count(0)


@pytest.mark.journey
def test_edits_made_while_the_server_is_gone_arrive(designer: Designer, watch: Watch) -> None:
    watch.forgive(*GONE)
    designer.open_in_app(lesson_with(KEPT))
    designer.wire("import-out-dataset", "convert-in-input_dataset")
    item = designer.at("palette-densenet")
    designer.select("split")  # the pane is open, as it is once something is added
    expect(designer.at("settings")).to_be_visible()
    places = designer.resting(designer.at("canvas")), designer.box(item)
    served = designer.served
    served.kill()
    designer.wire("convert-out-output_image_directory", "split-in-input_image_directory")
    item.dblclick()
    state = designer.at("save-state")
    expect(state).to_have_attribute("data-state", "offline")
    expect(designer.at("offline")).to_be_visible()
    assert (designer.box(designer.at("canvas")), designer.box(item)) == places
    said = "Streamlit server is not responding"
    designer.until(lambda: any(said in each for each in watch.complaints))
    expect(designer.page.get_by_test_id("stDialog")).to_have_count(0)
    designer.at("palette-resnet").dblclick()  # and the editor is still there for the mouse
    expect(designer.node("resnet")).to_be_visible()
    served.start()
    expect(state).to_have_attribute("data-state", "saved", timeout=SOON)
    saved = designer.is_saved()
    assert sorted(node.id for node in saved.nodes) == [
        "convert",
        "densenet",
        "import",
        "resnet",
        "split",
    ]
    assert len(saved.links) == 2
    designer.page.reload()
    expect(designer.nodes()).to_have_count(5)
    expect(designer.wires()).to_have_count(2)


def test_edits_survive_the_page_while_the_server_is_gone(designer: Designer, watch: Watch) -> None:
    watch.forgive(*GONE)
    designer.open(lesson_with(KEPT))
    served = designer.served
    served.kill()
    designer.at("palette-densenet").dblclick()
    expect(designer.at("save-state")).to_have_attribute("data-state", "offline")
    designer.page.goto("about:blank")
    served.start()
    designer.visit(designer.pipeline_id)
    expect(designer.node("densenet")).to_be_visible()
    expect(designer.at("notice")).to_contain_text("have been restored")
    assert len(designer.is_saved().nodes) == 4


def test_what_comes_late_takes_nothing_off_the_page(designer: Designer, watch: Watch) -> None:
    """The settings' part of the bundle fails twice, as where the server goes away just then."""
    watch.forgive(r"ERR_FAILED")
    [part] = [each for each in STATIC.glob("*.js") if "tour-next" in each.read_text()]
    failed: list[str] = []

    def fail_twice(route: Route) -> None:
        if len(failed) < 2:
            failed.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    designer.page.route(f"**/{part.name}", fail_twice)
    designer.open(lesson_with(KEPT))
    designer.at("palette-densenet").dblclick()
    expect(designer.node("densenet")).to_be_visible()
    expect(designer.at("param-model_name")).to_be_visible()
    assert len(failed) == 2
    assert len(designer.is_saved().nodes) == 4


def test_a_theme_that_changes_while_the_editor_is_loaded_does_not_take_it_off(
    designer: Designer,
) -> None:
    """Streamlit then calls the component anew, and has the call that it overtook clean up."""
    page, held = designer.page, list[Route]()
    files = bundle()
    assert files is not None
    entry = files["js"].rpartition("/")[2]
    page.emulate_media(color_scheme="light")
    page.route(f"**/{entry}", lambda route: held.append(route))
    pipeline = designer.served.create(lesson_with(KEPT))
    page.goto(f"{designer.served.address}/design?pipeline={pipeline}", wait_until="commit")
    placed = page.locator('[data-testid^="stBidiComponent"][style*="height"]')
    expect(placed).to_be_attached()
    designer.until(lambda: bool(held))
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".stApp")).to_have_css("color-scheme", "dark")
    page.unroute(f"**/{entry}")  # it arrives
    expect(designer.nodes()).to_have_count(3)
    expect(page.locator(".pd-root")).to_have_attribute("data-theme", "dark")
    page.set_viewport_size({"width": 1440, "height": 700})
    expect(designer.nodes()).to_have_count(3)


def test_a_server_that_returns_is_found_without_a_click(designer: Designer, watch: Watch) -> None:
    watch.forgive(*GONE)
    pipeline_id = designer.served.create(lesson_with(KEPT))
    page = designer.page
    asked = f"**/api/pipelines/{pipeline_id}"
    page.route(asked, lambda route: route.abort("connectionrefused"))
    page.goto(designer.served.standalone(pipeline_id))
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    page.unroute(asked)
    expect(designer.nodes()).to_have_count(len(KEPT))


def test_a_reload_shows_the_same_graph(designer: Designer) -> None:
    designer.open_in_app(lesson_with(KEPT, linked=True))
    designer.at("palette-densenet").dblclick()
    expect(designer.node("densenet")).to_be_visible()
    before = designer.is_saved()
    designer.page.reload()
    expect(designer.nodes()).to_have_count(4)
    expect(designer.wires()).to_have_count(2)
    assert designer.is_saved() == before
    expect(designer.at("undo")).to_be_disabled()  # it is the page's own


def test_a_reload_in_the_middle_brings_the_edit_back_as_one_step(designer: Designer) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    first = designer.is_saved()
    held: list[Route] = []

    def hold(route: Route) -> None:
        """The first commit gets no answer; the reload ends it."""
        if route.request.method == "PUT" and not held:
            held.append(route)
        else:
            route.continue_()

    designer.page.route(f"**/api/pipelines/{designer.pipeline_id}", hold)
    designer.at("palette-densenet").dblclick()
    designer.at("palette-resnet").dblclick()
    expect(designer.nodes()).to_have_count(5)
    expect(designer.at("save-state")).to_have_attribute("data-state", "saving")
    assert designer.served.document(designer.pipeline_id) == first
    designer.page.reload()
    expect(designer.nodes()).to_have_count(5)
    expect(designer.wires()).to_have_count(2)
    designer.undo()
    expect(designer.nodes()).to_have_count(3)
    expect(designer.at("undo")).to_be_disabled()
    designer.at("redo").click()
    expect(designer.nodes()).to_have_count(5)
    designer.page.reload()
    expect(designer.nodes()).to_have_count(5)
    assert len(designer.is_saved().nodes) == 5


def test_another_page_and_back_keeps_undo(designer: Designer) -> None:
    designer.open_in_app(lesson_with(KEPT))
    designer.at("palette-densenet").dblclick()
    expect(designer.node("densenet")).to_be_visible()
    designer.page.get_by_role("link", name="Runs").click()
    expect(designer.page.get_by_role("heading", name="Runs")).to_be_visible()
    designer.page.get_by_role("link", name="Design", exact=True).click()
    expect(designer.node("densenet")).to_be_visible()
    designer.undo()
    expect(designer.node("densenet")).to_have_count(0)
