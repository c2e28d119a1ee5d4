"""Pipelines and images that come and go as files: exported, dropped, uploaded."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from pipelines.document.document import parse_document
from pipelines.document.embedded import carried_document
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.browser.datasets import choose_dataset
from tests.browser.designer import Designer
from tests.browser.lessons import lesson_with
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser

KEPT = ["import", "convert", "split"]
FEW = 24
KINDS = ("json", "png", "svg")
SHADES = {"dark": 20, "bright": 220}
HOSTILE = "<img src=x onerror=window.broken=1> **dark**"


@pytest.mark.journey
@pytest.mark.parametrize("kind", KINDS)
def test_an_exported_pipeline_opens_where_it_is_dropped(
    designer: Designer, tmp_path: Path, kind: str
) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    file = exported(designer, tmp_path, kind)
    first = designer.pipeline_id
    designer.drop_files(designer.at("canvas"), file)
    designer.page.wait_for_url(re.compile(f"pipeline=(?!{first}$)"))
    expect(designer.at("notice")).to_contain_text("Opened as a new pipeline.")
    expect(designer.nodes()).to_have_count(3)


@pytest.mark.full  # as on the canvas; a drop on Home: test_replays
def test_an_exported_pipeline_opens_where_it_is_dropped_on_home(
    designer: Designer, tmp_path: Path
) -> None:
    designer.open(lesson_with(KEPT, linked=True))
    files = [exported(designer, tmp_path, kind) for kind in KINDS]
    designer.page.goto(designer.served.address)
    for file in files:
        designer.page.get_by_role("link", name="Home").first.click()
        expect(designer.at("gallery-01-digits")).to_be_visible()
        designer.drop_files(designer.page.get_by_role("heading", name="Pipeline Designer"), file)
        designer.page.wait_for_url("**/design?pipeline=*")
        expect(designer.nodes()).to_have_count(3)


def exported(designer: Designer, folder: Path, kind: str) -> Path:
    """Export the pipeline as a file, which carries it as it is saved."""
    with designer.page.expect_download() as download:
        designer.choose(f"export-{kind}")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    carried = carried_document(file.read_bytes())
    assert carried is not None
    assert parse_document(carried) == designer.is_saved()
    return file


def with_few_images() -> dict[str, Any]:
    """The first nodes of a lesson, for what is really run."""
    document = lesson_with(KEPT, linked=True)
    [source] = [each for each in document["nodes"] if each["id"] == "import"]
    source["parameters"]["source"] = f"sample:shapes?classes=2&images={FEW}&size=32"
    return document


def test_the_code_of_a_node_runs_as_it_is_pasted(designer: Designer, tmp_path: Path) -> None:
    designer.open(with_few_images())
    designer.select("convert")
    designer.page.get_by_role("tab", name="Code").click()
    designer.at("settings").get_by_role("button", name="Copy").click()
    pasted = tmp_path / "pasted.py"
    designer.until(lambda: "import" in designer.clipboard())
    pasted.write_text(designer.clipboard())
    subprocess.run([sys.executable, pasted], cwd=tmp_path, check=True)
    assert len(list((tmp_path / "outputs" / "convert").rglob("*.png"))) == FEW


def test_a_pipeline_is_exported_as_a_script_that_runs(designer: Designer, tmp_path: Path) -> None:
    designer.open(with_few_images())
    with designer.page.expect_download() as waiting:
        designer.choose("export-python")
    script = tmp_path / waiting.value.suggested_filename
    assert script.suffix == ".py"
    waiting.value.save_as(script)
    environment = {**os.environ, "DESIGNER_WORKSPACE": str(tmp_path / "scripts")}
    subprocess.run([sys.executable, script], cwd=tmp_path, env=environment, check=True)
    with WorkspaceSession(Workspace.at(tmp_path / "scripts")) as session:
        [run] = session.runs.store.newest(limit=2)
        assert session.runs.store.state(run.id).status == "completed"
        session.runner.stop()
    first = designer.pipeline_id
    designer.drop_files(designer.at("canvas"), script)
    designer.page.wait_for_url(re.compile(f"pipeline=(?!{first}$)"))
    expect(designer.at("notice")).to_contain_text("Opened as a new pipeline.")
    expect(designer.nodes()).to_have_count(3)


def test_other_files_are_refused_with_a_reason(designer: Designer, tmp_path: Path) -> None:
    designer.open(lesson_with(KEPT))
    Image.new("RGB", (8, 8)).save(tmp_path / "holiday.png")
    designer.drop_files(designer.at("canvas"), tmp_path / "holiday.png")
    expect(designer.at("notice")).to_contain_text('"holiday.png" cannot be opened')
    designer.page.goto(designer.served.address)
    expect(designer.at("gallery-01-digits")).to_be_visible()
    heading = designer.page.get_by_role("heading", name="Pipeline Designer")
    designer.drop_files(heading, tmp_path / "holiday.png")
    expect(designer.page.get_by_text("contains no pipeline")).to_be_visible()


def test_a_dropped_folder_becomes_a_dataset_and_a_node(designer: Designer, tmp_path: Path) -> None:
    folder = images(tmp_path / "my pictures")
    designer.open(lesson_with(["convert"]))
    designer.drop_files(designer.at("canvas"), folder)
    expect(designer.nodes()).to_have_count(2)
    saved = designer.is_saved()
    [made] = [node for node in saved.nodes if node.module == "import_images"]
    assert made.parameters["source"] == "dataset:my-pictures@1"
    designer.at("palette-search").fill("my-pictures")
    item = designer.at("palette-dataset-my-pictures")
    expect(item).to_be_visible()
    item.dblclick()
    expect(designer.nodes()).to_have_count(3)


def test_an_archive_is_uploaded_on_the_data_page(
    designer: Designer, watch: Watch, tmp_path: Path
) -> None:
    watch.forgive(r"422 .*/api/datasets")
    images(tmp_path / "shades")
    archive = shutil.make_archive(str(tmp_path / "shades"), "zip", tmp_path / "shades")
    page = designer.page
    page.goto(f"{designer.served.address}/data")
    page.get_by_test_id("dataset-name").fill("uploaded")
    page.get_by_test_id("dataset-file").set_input_files(archive)
    expect(page.get_by_test_id("dataset-status")).to_contain_text("dataset:uploaded@1")
    listed = designer.served.workspace.datasets_dir / "uploaded" / "1"
    assert listed.is_dir()
    page.get_by_test_id("dataset-name").fill("broken")
    page.get_by_test_id("dataset-file").set_input_files(
        {"name": "broken.zip", "mimeType": "application/zip", "buffer": b"PK but no more"}
    )
    expect(page.get_by_test_id("dataset-status")).not_to_contain_text("dataset:")
    assert not (designer.served.workspace.datasets_dir / "broken").exists()


def test_a_folder_is_looked_at_kept_and_deleted_on_the_data_page(designer: Designer) -> None:
    """Names of folders are whatever their owner likes: they are shown letter by letter."""
    page, served = designer.page, designer.served
    folder = images(served.workspace.root / "mine")
    (folder / "dark").rename(folder / HOSTILE)
    page.goto(f"{served.address}/data")
    page.get_by_role("tab", name="Use a server folder").click()
    enter(page, "folder-path", str(folder / "nowhere" / "**bold**"))
    page.locator(".st-key-folder-preview button").click()
    refusal = page.get_by_test_id("stAlert").filter(has_text="**bold**")
    expect(refusal).to_be_visible()
    enter(page, "folder-path", str(folder))
    page.locator(".st-key-folder-preview button").click()
    expect(metric(page, "Images")).to_have_text("6")
    expect(metric(page, "Classes")).to_have_text("2")
    enter(page, "folder-name", "kept")
    page.locator(".st-key-folder-keep button").click()
    expect(page.get_by_text("dataset:kept@1")).to_be_visible()
    page.reload()
    choose_dataset(designer, "kept")
    expect(metric(page, "Images")).to_have_text("6")
    assert page.evaluate("window.broken") is None
    page.locator(".st-key-dataset-delete button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This cannot be undone.")
    assert (served.workspace.datasets_dir / "kept").is_dir()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    designer.until(lambda: not (served.workspace.datasets_dir / "kept").exists())
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("heading", name="kept")).to_have_count(0)


def enter(page: Page, field: str, text: str) -> None:
    """Type into a field of a page and let the page know."""
    page.locator(f".st-key-{field} input").fill(text)
    page.keyboard.press("Enter")


def metric(page: Page, label: str) -> Locator:
    """The number under a label."""
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue")


def images(folder: Path) -> Path:
    """Two classes of three grey squares."""
    for name, shade in SHADES.items():
        (folder / name).mkdir(parents=True)
        for place in range(3):
            square = Image.new("RGB", (8, 8), (shade + place, shade, shade))
            square.save(folder / name / f"{place}.png")
    return folder
