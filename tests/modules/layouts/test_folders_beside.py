"""Folders beside those of the classes and of the parts, and folders between class and image."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modules.datasets.folder_summary import folder_summary
from modules.image_directories.convert_to_image_directory import ConvertParameters
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert, labels, skipped

Fill = Callable[..., Path]
TRAIN = ConvertParameters(part="train")
INTEL = dict.fromkeys(f"{part}/{name}/1.png" for part in ("train", "test") for name in "ab")


@pytest.mark.parametrize(
    "files",
    [
        {"images/a/1.png": None, "images/b/1.png": None, "meta/train.txt": b"a/1\n"},
        {"data/train/a/1.png": None, "data/train/b/1.png": None, "data/docs/x/y.md": b"x"},
    ],
)
def test_folders_without_images_are_not_beside_the_classes(
    files: dict[str, bytes | None], fill: Fill, workplace: Workplace
) -> None:
    assert labels(convert(fill(files), workplace)) == {"a/1.png": "a", "b/1.png": "b"}


def test_a_class_without_images_keeps_the_others_where_they_are(
    fill: Fill, workplace: Workplace
) -> None:
    output = convert(fill({"a/1.png": None, "b/notes.md": b"none yet"}), workplace)
    assert labels(output) == {"a/1.png": "a"}


def test_images_may_be_one_folder_below_their_class(fill: Fill, workplace: Workplace) -> None:
    files = {f"{name}/images/{name}{at}.png": None for name in ("n01", "n02") for at in range(2)}
    folder = fill({**files, "n01/n01_boxes.txt": b"n010.png\t0\t0\t5\t5\n"})
    assert folder_summary(folder).num_classes == 2
    assert labels(convert(folder, workplace)) == {path: path[:3] for path in files}


def test_masks_beside_the_images_of_a_class_are_left_out(fill: Fill, workplace: Workplace) -> None:
    paths = [f"{name}/{kind}/1.png" for name in "ab" for kind in ("images", "masks")]
    output = convert(fill(dict.fromkeys(paths)), workplace)
    assert labels(output) == {"a/images/1.png": "a", "b/images/1.png": "b"}
    assert sorted(skipped(output)) == ["a/masks/1.png", "b/masks/1.png"]
    assert "Images outside of the class folders were left out" in workplace.warnings[0]


def test_images_beside_parts_with_classes_are_reported(fill: Fill, workplace: Workplace) -> None:
    folder = fill({**INTEL, "pred/1.png": None, "pred/2.png": None})
    assert labels(convert(folder, workplace, TRAIN)) == {"a/1.png": "a", "b/1.png": "b"}
    assert workplace.warnings[0].startswith("2 images are not in any part and are left out: pred.")
    assert "2 images are not in any part" in str(folder_summary(folder).notice)


def test_two_folders_of_one_part_are_reported(fill: Fill, workplace: Workplace) -> None:
    more = dict.fromkeys(["training/a/2.png", "training/b/2.png", "training/b/3.png"])
    output = convert(fill({**INTEL, **more}), workplace, TRAIN)
    assert len(output.images) == 3
    assert workplace.warnings[0].startswith(
        "The part train exists in several folders. Only training is used, "
        "not train (2 images, 2 classes)."
    )


def test_a_table_counts_more_than_numbered_folders_of_images(
    fill: Fill, workplace: Workplace
) -> None:
    paths = [f"images_{number}/images/{number}{at}.png" for number in range(2) for at in range(2)]
    rows = [f"{path[-6:]},{('cat', 'dog')[at % 2]}\n" for at, path in enumerate(paths)]
    table = "".join(["Image Index,Finding Labels\n", *rows]).encode()
    output = convert(fill({**dict.fromkeys(paths), "entry.csv": table}), workplace)
    assert output.classes == ("cat", "dog")


def test_a_table_that_numbers_the_folders_is_no_contradiction(
    fill: Fill, workplace: Workplace
) -> None:
    paths = [f"{name}/{at}.png" for name in ("bee", "ant") for at in range(3)]
    rows = [f"{path},{int(path.startswith('bee'))}\n" for path in paths]
    folder = fill({**dict.fromkeys(paths), "labels.csv": "".join(["path,label\n", *rows]).encode()})
    assert convert(folder, workplace).classes == ("ant", "bee")
