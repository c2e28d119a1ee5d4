"""Trained models: registered at their port, found in the palette and on their page, taken away."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from pipelines.registry.models import Mover
from tests.browser.designer import Designer
from tests.designer_app.documents import document, node
from tests.pipelines.registry.trained import CLASSES, DOCUMENT, trained_run

pytestmark = pytest.mark.browser


@pytest.mark.journey
def test_a_model_goes_from_its_port_to_the_palette_and_the_page(designer: Designer) -> None:
    page, served = designer.page, designer.served
    for left in served.session.models.all():  # by other tests of the shared workspace
        served.session.models.delete(left.name)
    page.goto(f"{served.address}/models")
    expect(page.get_by_text("No models yet", exact=False)).to_be_visible()
    pipeline_id = served.create(DOCUMENT.to_json())
    served.runs.runner.stop()  # it would take the run for one of its own
    run_id = trained_run(served.runs, pipeline_id=pipeline_id)
    page.goto(f"{served.design(pipeline_id)}&run={run_id}")
    designer.pipeline_id = pipeline_id
    designer.has_status("train", "completed")
    dialog = designer.look("train-out-trained_model")
    dialog.get_by_role("tab", name="Register").click()
    dialog.get_by_label("Name", exact=True).fill("shapes")
    dialog.get_by_label("Alias", exact=True).fill("best")
    dialog.get_by_role("button", name="Register model").click()
    expect(dialog.get_by_text("shapes@1", exact=False).first).to_be_visible()
    picture(designer, "register")
    designer.press("Escape")
    expect(dialog).to_be_hidden()
    designer.at("palette-search").hover()
    item = designer.at("palette-model-shapes@best")
    item.scroll_into_view_if_needed()
    item.dblclick()
    expect(designer.nodes()).to_have_count(2)
    kept = [each for each in designer.is_saved().nodes if each.module == "registered_model"]
    assert [each.parameters for each in kept] == [{"model": "shapes@best"}]
    picture(designer, "palette")
    page.goto(f"{served.address}/models")
    expect(page.get_by_text("Made by run", exact=False)).to_be_visible()
    expect(page.get_by_role("tab", name="Curves")).to_be_visible()
    picture(designer, "models")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("button", name="Delete model").click()
    expect(page.get_by_text("is used by the pipeline Shapes", exact=False)).to_be_visible()


def test_a_model_is_tried_and_its_file_opens_where_it_is_dropped(
    designer: Designer, tmp_path: Path
) -> None:
    page, served = designer.page, designer.served
    served.runs.runner.stop()  # it would take the run for one of its own
    run_id = trained_run(served.runs, pipeline_id=served.create(DOCUMENT.to_json()))
    ((_, artifact_id, port),) = served.session.models.trained_by(run_id)
    served.session.models.register(artifact_id, port, "tried")
    page.goto(f"{served.address}/models")
    page.get_by_test_id("entry-tried").click()
    a_picture_is_tried(designer)
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="model.safetensors").click()
    weights = tmp_path / "shapes.safetensors"
    waiting.value.save_as(weights)
    designer.open(document("empty", nodes=[node("two", "constant", value=5)], links=[]))
    designer.drop_files(designer.at("canvas"), weights)
    expect(designer.node("train")).to_be_visible()


@pytest.mark.full  # as by HTTP: tests/designer_app/api
def test_an_alias_moves_by_its_rule(designer: Designer, tmp_path: Path) -> None:
    page, registry = designer.page, designer.served.session.models
    designer.served.runs.runner.stop()
    for seed in (1, 2):
        run_id = trained_run(designer.served.runs, seed=seed)
        ((_, artifact_id, port),) = registry.trained_by(run_id)
        registry.register(artifact_id, port, "moved")
    registry.set_alias("moved", "production", 1, Mover("ann", "cli", "the first one"))
    golden = tmp_path / "golden"
    (golden / "circle").mkdir(parents=True)
    Image.new("RGB", (32, 32), (200, 30, 30)).save(golden / "circle/1.png")
    page.goto(f"{designer.served.address}/models")
    page.get_by_test_id("entry-moved").click()
    page.get_by_role("button", name="Rule").click()
    page.get_by_role("textbox", name="Golden images of production").fill(str(golden))
    picture(designer, "rule")
    page.get_by_role("button", name="Save rule").click()
    page.get_by_text("History of aliases").click()
    expect(page.get_by_text("rule set: not worse on golden images")).to_be_visible()
    (golden / "circle/1.png").unlink()
    page.get_by_role("button", name="Alias", exact=True).click()
    page.get_by_role("textbox", name="Alias").fill("production")
    page.get_by_role("textbox", name="Reason").fill("golden images are lost")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("cannot be checked", exact=False)).to_be_visible()
    picture(designer, "refused")
    page.get_by_text("Ignore its rule").click()
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("moved from version 1 to 2", exact=False)).to_be_visible()
    expect(page.get_by_text("golden images are lost", exact=False)).to_be_visible()
    assert registry.find("moved@production").version.version == 2
    picture(designer, "history")


# whether a second sign of waiting is seen beside the field's own words
WAITS = """() => {
  window.spun = false;
  new MutationObserver(() => {
    window.spun ||= document.querySelector("[data-testid=stSpinner]") !== null;
  }).observe(document.body, {subtree: true, childList: true});
}"""


def a_picture_is_tried(designer: Designer) -> None:
    """A file that is none is refused; a photograph gets its classes."""
    designer.page.get_by_role("tab", name="Try an image").click()
    field, result = designer.at("try-picture"), designer.at("try-result")
    chosen = field.locator("input[type=file]")
    designer.page.evaluate(WAITS)
    chosen.set_input_files({"name": "p.png", "mimeType": "image/png", "buffer": b"no picture"})
    expect(field).to_contain_text("The image cannot be read", timeout=300_000)
    expect(result).to_be_hidden()
    content = io.BytesIO()
    Image.new("RGB", (60, 40), (200, 30, 30)).save(content, "PNG")
    chosen.set_input_files({"name": "p.png", "mimeType": "image/png", "buffer": content.getvalue()})
    expect(result).to_contain_text(re.compile("% sure|Undecided: "), timeout=300_000)
    assert not designer.page.evaluate("window.spun")
    expect(designer.at("try-keep")).to_be_disabled()  # until its true class is chosen
    true_class = designer.at("try-true-class")
    true_class.fill("no such class")
    expect(designer.at("try-keep")).to_be_disabled()
    true_class.fill(CLASSES[1])
    designer.at("try-keep").click()
    expect(result).to_contain_text("Use it as dataset:kept-pictures@1")
    content = io.BytesIO()
    Image.new("RGB", (60, 40), (190, 40, 40)).save(content, "PNG")
    chosen.set_input_files({"name": "q.png", "mimeType": "image/png", "buffer": content.getvalue()})
    expect(result).not_to_contain_text("kept-pictures@1", timeout=300_000)
    expect(true_class).to_have_value("")
    expect(designer.at("try-keep")).to_be_disabled()
    picture(designer, "tried")
    opacity = "getComputedStyle(overlay).opacity"
    designer.at("try-heat").fill("20")
    assert float(result.locator(".overlay").evaluate(f"overlay => {opacity}")) == 0.2


def picture(designer: Designer, name: str) -> None:
    """Pictures to look at, in both themes, where ``DESIGNER_PICTURES`` names a folder."""
    folder = os.environ.get("DESIGNER_PICTURES")
    if folder is None:
        return
    for theme in ("light", "dark"):
        designer.page.emulate_media(color_scheme=theme)
        designer.page.wait_for_timeout(900)
        designer.page.screenshot(path=Path(folder) / f"{name}-{theme}.png")
    designer.page.emulate_media(color_scheme="light")
