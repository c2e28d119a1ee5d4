"""Folders that are read as classes, or as nothing, although they are something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modules.datasets.folder_summary import folder_summary
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert

Fill = Callable[..., Path]
SEEMS = "seems to contain masks of the images"


@pytest.mark.parametrize(
    ("masks", "ending"), [("masks", ""), ("Ground_Truth", ""), ("labels", "_label")]
)
def test_masks_beside_the_images_are_no_class_without_a_warning(
    masks: str, ending: str, fill: Fill, workplace: Workplace
) -> None:
    files = {f"images/{at}.png": None for at in range(4)}
    folder = fill({**files, **{f"{masks}/{at}{ending}.png": None for at in range(4)}})
    assert f"but {masks} {SEEMS}" in str(folder_summary(folder).notice)
    convert(folder, workplace)
    assert any(SEEMS in warning for warning in workplace.warnings)


@pytest.mark.parametrize(
    "paths",
    [
        [f"{name}/{at}.png" for name in ("mask", "no_mask") for at in range(4)],
        [f"{name}/{name}{at}.png" for name in ("images", "masks") for at in range(4)],
        [f"{name}/{at}.png" for name in ("images", "paintings") for at in range(4)],
    ],
    ids=["faces", "other names", "other word"],
)
def test_classes_with_images_numbered_alike_are_no_masks(paths: list[str], fill: Fill) -> None:
    assert folder_summary(fill(dict.fromkeys(paths))).notice is None


def test_masks_next_to_each_image_are_no_images_without_a_warning(fill: Fill) -> None:
    names = [f"{name}/{name} ({at})" for name in ("benign", "malignant") for at in range(3)]
    masks = [f"{name}_mask.png" for name in names] + ["benign/benign (0)_mask_1.png"]
    folder = fill(dict.fromkeys([*(f"{name}.png" for name in names), *masks]))
    notice = str(folder_summary(folder).notice)
    assert "7 images have the name of another image" in notice
    assert "benign/benign (0)_mask.png" in notice


def test_a_name_that_ends_like_that_of_a_mask_is_an_image(fill: Fill) -> None:
    paths = [f"{name}/{at}{name}.png" for name in ("mask", "hat") for at in range(4)]
    assert (
        folder_summary(fill(dict.fromkeys([*paths, "hat/7.png", "hat/7_mask.png"]))).notice is None
    )


@pytest.mark.parametrize(
    ("files", "notice"),
    [
        (["a/train.rar"], "No images were found, but 1 archive inside: a/train.rar. Unpack it"),
        (["b.zip", "a.tar.gz"], "but 2 archives inside: a.tar.gz, b.zip. Unpack them"),
        (["data/0.parquet"], "No images were found. The only file is of another kind: data/0."),
        (["a/1.svg", "b/2.svg"], "The 2 files are of another kind: a/1.svg, b/2.svg."),
        ([".DS_Store"], "No files were found."),
    ],
)
def test_a_dataset_without_images_says_what_it_contains(
    files: list[str], notice: str, fill: Fill
) -> None:
    told = str(folder_summary(fill(dict.fromkeys(files, b"x"))).notice)
    assert notice in told
    assert "Name the columns" not in told


@pytest.mark.parametrize(
    ("train", "test", "lacking"),
    [
        (("cat", "dog"), ("cat", "dog", "owl"), "has 1 class that the part train lacks: owl."),
        (("cat", "dog"), ("Cat", "Dog"), "has 2 classes that the part train lacks: Cat, Dog."),
        (("cat", "dog", "owl"), ("cat", "dog"), None),
    ],
    ids=["one more", "other spelling", "one less"],
)
def test_classes_that_train_lacks_are_named(
    train: tuple[str, ...], test: tuple[str, ...], lacking: str | None, fill: Fill
) -> None:
    paths = [f"train/{name}/a{at}.png" for name in train for at in range(2)]
    paths += [f"test/{name}/b{at}.png" for name in test for at in range(2)]
    notice = str(folder_summary(fill(dict.fromkeys(paths))).notice)
    assert (f"The part test {lacking}" in notice) is (lacking is not None)
    assert ("train lacks" in notice) is (lacking is not None)
