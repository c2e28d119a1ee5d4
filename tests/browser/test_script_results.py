"""What a script printed and wrote: metrics found in its log, and its files."""

from __future__ import annotations

import zipfile
from typing import Any

import pytest
from playwright.sync_api import expect

from modules.foreign_model import ForeignModel
from pipelines.document.document import parse_document
from tests.browser.designer import Designer
from tests.pipelines.conftest import run
from tests.pipelines.document import cases

pytestmark = pytest.mark.browser
SCRIPT = """
for epoch in range(1, 6):
    print(f"epoch {epoch} loss {1 / epoch:.4f} accuracy {1 - 1 / epoch / 2:.3f}")
open("outputs/scores.csv", "w").write('name,score\\n"a, b",0.5\\n')
"""
PICTURES = """
import zipfile
from PIL import Image
with zipfile.ZipFile("outputs/drawn.zip", "w") as archive:
    for name, colour in (("red", (200, 0, 0)), ("blue", (0, 0, 200))):
        path = f"outputs/{name}.png"
        Image.new("RGB", (64, 48), colour).save(path)
        archive.write(path, f"{name}/one.png")
"""


def opened(designer: Designer, script: str) -> None:
    parameters = {"typed_script": script, "model_file": None}
    node = {"id": "train", "module": "run_training_script", "parameters": parameters}
    content: dict[str, Any] = {"format": "pipeline-designer/2", "id": "results", "nodes": [node]}
    designer.served.runs.checks.allow_code_of(parse_document(content))
    designer.open(content)
    designer.submit()
    designer.has_status("train", "completed")
    designer.select("train")


def test_printed_metrics_become_curves_once_they_are_confirmed(designer: Designer) -> None:
    opened(designer, SCRIPT)
    designer.page.get_by_role("tab", name="Logs").click()
    offer = designer.at("log-patterns")
    expect(offer).to_contain_text("loss, accuracy")
    offer.get_by_test_id("show-patterns").click()
    expect(offer).to_contain_text("5 lines")
    offer.get_by_test_id("use-patterns").click()
    expect(offer).to_have_count(0)
    patterns = designer.is_saved().nodes[0].parameters["log_patterns"]
    assert isinstance(patterns, list)
    assert len(patterns) == 2
    designer.page.get_by_role("tab", name="Result").click()
    designer.submit()
    expect(designer.at("result")).to_contain_text("Accuracy")
    designer.undo()
    assert "log_patterns" not in designer.is_saved().nodes[0].parameters
    expect(offer).to_be_visible()


def test_files_of_a_script_are_looked_at_and_downloaded(designer: Designer) -> None:
    opened(designer, f"{SCRIPT}# another one: nothing is reused\n")
    designer.page.get_by_role("tab", name="Result").click()
    files = designer.at("script-files")
    files.get_by_role("button", name="View outputs/scores.csv").click()
    view = designer.at("file-view")
    expect(view.get_by_role("cell", name="a, b")).to_be_visible()
    designer.press("Escape")
    with designer.page.expect_download() as download:
        files.get_by_role("button", name="Download outputs/scores.csv").click()
    assert download.value.suggested_filename == "scores.csv"


def test_pictures_of_a_script_are_seen_and_its_archive_becomes_a_dataset(
    designer: Designer,
) -> None:
    opened(designer, PICTURES)
    designer.page.get_by_role("tab", name="Result").click()
    files = designer.at("script-files")
    files.get_by_role("button", name="View outputs/red.png").click()
    picture = designer.at("file-view").get_by_role("img")
    expect(picture).to_be_visible()
    size = "each => [each.naturalWidth, each.naturalHeight]"
    designer.until(lambda: picture.evaluate(size) == [64, 48])
    designer.press("Escape")
    expect(files.get_by_role("button", name="Register logs/")).to_have_count(0)
    offer = files.get_by_role("button", name="Register outputs/drawn.zip")
    confirm = designer.page.get_by_role("dialog").get_by_role("button", name="Register")
    offer.click()
    confirm.click()
    expect(designer.page.get_by_text("drawn was added as a dataset.")).to_be_visible()
    offer.click()
    designer.at("register-as").select_option("model")
    designer.at("register-name").fill("drawings")
    designer.page.get_by_label("Alias").fill("best")
    confirm.click()
    expect(designer.page.get_by_text("Registered as drawings@1")).to_be_visible()
    kept = designer.served.session.models.find("drawings@best").artifact
    assert isinstance(kept, ForeignModel)
    assert zipfile.is_zipfile(kept.main_path)
    chain = cases.pipeline(
        {"id": "import", "module": "import_images", "parameters": {"source": "dataset:drawn"}},
        "convert:convert_to_image_directory",
        links=("import.dataset -> convert.input_dataset",),
    )
    _, state = run(designer.served.runs, parse_document(chain))
    assert state.steps["convert"].summary == "2 images, 2 classes"
