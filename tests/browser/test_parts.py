"""A dataset in parts, chosen in the settings pane."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from modules.datasets.registered import register_dataset
from tests.browser.designer import Designer
from tests.modules.image_directories.pictures import png_bytes

pytestmark = pytest.mark.browser


def registered(designer: Designer) -> str:
    """The source of a dataset with train and val."""
    folder = designer.served.folder / "parts"
    names = ("train/cat/1", "train/cat/2", "train/dog/1", "val/cat/1", "val/dog/1")
    for number, name in enumerate(names):
        path = folder / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png_bytes(number))
    datasets = designer.served.workspace.datasets_dir
    return f"dataset:parted@{register_dataset(folder, 'parted', datasets)}"


def converting(dataset: str) -> dict[str, Any]:
    """A pipeline that imports the dataset and converts it."""
    source, place = {"source": dataset}, {"x": 80, "y": 120}
    images = {"id": "images", "module": "import_images", "parameters": source, "position": place}
    convert = {
        "id": "convert",
        "module": "convert_to_image_directory",
        "position": {**place, "y": 300},
    }
    link = {
        "from": {"node": "images", "port": "dataset"},
        "to": {"node": "convert", "port": "input_dataset"},
    }
    content = {"format": "pipeline-designer/2", "id": "parts", "name": "In parts"}
    return {**content, "nodes": [images, convert], "links": [link]}


def test_the_parts_that_are_there_are_offered_and_a_button_chooses_one(
    designer: Designer,
) -> None:
    designer.open(converting(registered(designer)))
    designer.node("convert").click()
    options = designer.at("param-part").locator("option")
    expect(options).to_have_text(
        [
            "whole: all parts",
            "train: train (3 images, 2 classes)",
            "validation: val (2 images, 2 classes)",
            "test: not in the data",
        ]
    )
    designer.submit()
    designer.has_status("convert", "failed")
    designer.node("convert").click()
    designer.page.get_by_role("button", name="Set Part to train").first.click()
    expect(designer.at("param-part")).to_have_value("train")
