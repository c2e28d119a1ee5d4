"""Home: a zip of someone's own pictures becomes a pipeline that runs."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.datasets import choose_dataset, zipped
from tests.browser.designer import TORCH, Designer
from tests.browser.lessons import lesson

pytestmark = pytest.mark.browser

PRESS = """button => {
  button.click();
  return document.querySelector("#page-outline") !== null;
}"""


def chosen(content: bytes) -> FilePayload:
    return {"name": "insects.zip", "mimeType": "application/zip", "buffer": content}


@pytest.mark.journey
def test_dropped_pictures_become_a_pipeline_that_runs(designer: Designer, tmp_path: Path) -> None:
    page = designer.page
    page.goto(designer.served.address)
    filled = page.locator(".st-key-first-lesson, .st-key-new-pipeline").get_by_test_id(
        "stBaseButton-primary"
    )
    expect(filled).to_be_visible()
    field = designer.at("start-drop").locator("input[type=file]")
    field.set_input_files(chosen(zipped("ant")))
    expect(designer.at("start-status")).to_contain_text("into a separate folder")
    expect(designer.at("start-made")).to_be_hidden()
    (tmp_path / "insects.zip").write_bytes(zipped("ant", "bee"))
    designer.drop_files(designer.at("start-drop"), tmp_path / "insects.zip")
    made = designer.at("start-made")  # the forecast waits until torch is loaded
    expect(made).to_contain_text("24 images in 2 classes", timeout=TORCH)
    expect(designer.at("class-pictures-bee")).to_contain_text("12 images")
    expect(designer.at("class-pictures-bee").locator("img")).to_have_count(6)
    options = designer.at("start-options").locator("label")
    expect(options).to_contain_text(["128 px, last layer", "224 px, last layer", "all layers"])
    for option in options.all():
        expect(option).to_contain_text(re.compile(r"about \d"))
    expect(designer.at("start-option-better")).to_be_checked()
    designer.at("start-option-quick").check()
    expect(filled).to_have_count(0)  # what is wanted most is to run what was made
    assert designer.at("start-run").evaluate(PRESS), "the outline waits for no server"
    page.wait_for_url("**/design?pipeline=*run=*")
    expect(designer.node("train")).to_be_visible()
    expect(page.locator("#page-outline")).to_have_count(0)
    made_id = page.url.partition("pipeline=")[2].partition("&")[0]
    document = designer.served.saved.open(made_id).document
    [size] = [
        item["parameters"]["crop_size"]
        for item in document["nodes"]
        if item["id"] == "transformation"
    ]
    assert size == 128, "as chosen"
    page.goto(designer.served.address)
    designer.drop_files(designer.at("start-drop"), tmp_path / "insects.zip")
    # the first zip, of one class, has the name itself
    expect(made.get_by_role("heading")).to_have_text("Already imported: insects-2")
    expect(designer.at("start-run")).to_be_hidden()
    folder = designer.served.session.datasets.folder
    assert {path.name for path in folder.glob("insects*")} == {"insects", "insects-2"}
    assert [path.name for path in (folder / "insects-2").iterdir()] == ["1"]
    designer.at("start-open").click()
    page.wait_for_url(f"**/design?pipeline={made_id}*")


def test_a_dataset_is_looked_at_and_put_into_a_pipeline(designer: Designer) -> None:
    page, served = designer.page, designer.served
    datasets = served.session.datasets
    with TemporaryDirectory() as folder:
        archive = Path(folder) / "butterflies.zip"
        archive.write_bytes(zipped("ant", "bee"))
        datasets.add(archive, "butterflies")
    made = served.create(lesson("01-digits"))
    page.goto(f"{served.address}/data")
    choose_dataset(designer, "butterflies")
    expect(designer.at("class-pictures-bee").locator("img")).to_have_count(6)
    page.get_by_role("button", name="Use in a pipeline").click()
    page.locator(".st-key-dataset-use button").click()
    page.wait_for_url(f"**/design?pipeline={made}*")
    expect(designer.node("import_images")).to_contain_text("dataset:butterflies@1")
