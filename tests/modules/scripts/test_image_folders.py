"""Images as folders of links: one folder a class, never one for two."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.errors import InvalidDatasetError
from modules.scripts.image_folders import write_image_folder
from tests.modules.training.noise import noise_squares


def test_each_class_has_a_folder_of_links(tmp_path: Path) -> None:
    images = noise_squares(tmp_path / "store/a/out", ["a/b", ".hidden", "plain"], per_class=2)
    write_image_folder(images, tmp_path / "folder")
    found = {each.name: len(list(each.iterdir())) for each in (tmp_path / "folder").iterdir()}
    assert found == {"a_b": 2, "hidden": 2, "plain": 2}


@pytest.mark.parametrize(
    ("one", "other"), [("a/b", "a_b"), ("a\\b", "a/b"), (" cat", "cat "), (".cat", "cat")]
)
def test_classes_that_would_share_a_folder_are_refused(
    tmp_path: Path, one: str, other: str
) -> None:
    images = noise_squares(tmp_path / "store/a/out", ["plain", one, other], per_class=2)
    with pytest.raises(InvalidDatasetError, match="would have one folder") as caught:
        write_image_folder(images, tmp_path / "folder")
    assert caught.value.port == "images"
    assert repr(one) in caught.value.message
    assert repr(other) in caught.value.message
