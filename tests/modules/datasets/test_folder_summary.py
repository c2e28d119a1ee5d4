"""What is told of a folder from names alone is what Convert to Image Directory makes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modules.datasets.folder_summary import (
    ClassSummary,
    FolderSummary,
    folder_summary,
    forecast_of,
    summary_of_names,
)
from modules.files.names import folders_above
from tests.modules.conftest import Workplace, zipped
from tests.modules.image_directories.conversion import convert

Fill = Callable[..., Path]
FOLDERS = {
    "an image beside one class": ["a/1.png", "a/2.png", "root.png"],
    "an image beside two classes": ["a/1.png", "b/1.png", "root.png"],
    "two classes": ["a/1.png", "a/2.png", "b/1.png"],
    "a chain above them": ["x/y/a/1.png", "x/y/b/1.png"],
    "an image in a class's subfolder": ["a/1.png", "a/deep/2.png", "b/1.png"],
    "images beside folders in a chain": ["x/1.png", "x/a/1.png"],
    "a class of nothing but subfolders": ["a/1.png", "b/deep/1.png"],
    "one folder": ["cats/1.png", "cats/2.png"],
    "one folder below another": ["data/cats/1.png"],
    "no folder": ["1.png", "2.png"],
    "no folder of images": ["1.png", "notes/readme.txt"],
    "a folder without images": ["a/1.png", "b/1.png", "notes/readme.txt"],
    "words beside classes": ["a/1.png", "b/1.png", "table.csv", "about.json"],
    "junk": ["a/1.png", "b/1.png", "__MACOSX/a/1.png", "a/.hidden.png", ".git/1.png"],
    "capitals": ["a/1.PNG", "b/1.Png"],
}


@pytest.mark.parametrize("paths", FOLDERS.values(), ids=FOLDERS)
@pytest.mark.parametrize("is_packed", [False, True], ids=["folder", "archive"])
def test_what_is_told_is_what_is_converted(
    paths: list[str], is_packed: bool, fill: Fill, workplace: Workplace
) -> None:
    source = fill({path: None if "png" in path.lower() else b"words" for path in paths})
    if is_packed:
        source = zipped(source)
    told, foreseen, made = folder_summary(source), forecast_of(source), convert(source, workplace)
    assert (told.images, told.num_classes) == (len(made.images), len(made.classes))
    counts = made.images["label"].dropna().value_counts().to_dict()
    assert {each.name: each.images for each in told.classes} == counts
    assert told.labeled is bool(made.classes)
    assert (foreseen.num_images, foreseen.num_classes) == (told.images, told.num_classes)
    assert foreseen.labeled is told.labeled


@pytest.mark.parametrize(
    "paths", [["1.png"], ["cats/1.png"], ["cats/1.png", "1.png"]], ids=["root", "one", "beside"]
)
def test_a_table_may_say_otherwise(paths: list[str]) -> None:
    names = [*paths, "labels.csv"]
    told = summary_of_names(names, folders_above(names))
    assert (told.images, told.labeled) == (len(paths), None)


def test_the_classes_of_a_table_are_forecast_for_folders_only(fill: Fill) -> None:
    folder = fill({"cats/1.png": None, "labels.csv": b"path,label\n1.png,x\n"})
    assert folder_summary(folder).classes == (ClassSummary("x", 1),)
    forecast = forecast_of(folder)
    assert (forecast.num_images, forecast.num_classes, forecast.labeled) == (1, 1, True)
    packed = forecast_of(zipped(folder))
    assert (packed.num_images, packed.num_classes, packed.labeled) == (1, None, None)


def test_images_too_deep_for_classes_are_not_counted() -> None:
    paths = ["x/a/1.png", "y/b/1.png"]
    assert summary_of_names(paths, folders_above(paths)) == FolderSummary()


def test_an_archive_that_must_be_unpacked_first_is_told_by_its_size(tmp_path: Path) -> None:
    archive = tmp_path / "images.tar.gz"
    archive.write_bytes(b"\x1f\x8b" + bytes(40))
    assert folder_summary(archive) == FolderSummary(num_bytes=42, is_listed=False)
    assert forecast_of(archive).num_images is None
