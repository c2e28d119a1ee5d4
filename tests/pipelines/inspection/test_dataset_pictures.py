"""A dataset looked at: pictures of each class, broken files, files that are there twice."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from modules.artifacts import AnyDirectory
from modules.context import Context
from modules.files.shard_writing import write_shards
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from pipelines.inspection import dataset_pictures as looked
from pipelines.inspection.dataset_pictures import (
    dataset_pictures,
    sentences_of,
    strip_of_version,
)
from pipelines.inspection.thumbnails import sheet


@pytest.fixture
def insects(tmp_path: Path) -> Path:
    """Nine ants, three bees: one ant is broken, one bee is a copy of another."""
    for name, count in (("ant", 9), ("bee", 3)):
        folder = tmp_path / "insects" / name
        folder.mkdir(parents=True)
        for number in range(count):
            shade = (20 * number, 100 + 50 * (name == "bee"), 90)
            Image.new("RGB", (60, 40), shade).save(folder / f"{number}.png")
    whole = (tmp_path / "insects/ant/0.png").read_bytes()
    (tmp_path / "insects/ant/0.png").write_bytes(whole[: len(whole) // 2])
    copied = (tmp_path / "insects/bee/1.png").read_bytes()
    (tmp_path / "insects/bee/2.png").write_bytes(copied)
    return tmp_path


def test_classes_are_shown_and_files_are_named(insects: Path) -> None:
    images = dataset_pictures(insects)
    assert [(item.name, item.images, len(item.pictures)) for item in images.classes] == [
        ("ant", 8, 6),
        ("bee", 3, 3),
    ]
    picture = images.classes[0].pictures[0].removeprefix("data:image/jpeg;base64,")
    assert max(Image.open(BytesIO(b64decode(picture))).size) <= looked.EDGE
    [(file, reason)] = images.broken
    assert file == "insects/ant/0.png"
    assert reason
    assert images.repeated == (("insects/bee/1.png", "insects/bee/2.png"),)
    broken, repeated = sentences_of(images)
    assert "1 file cannot be read" in broken
    assert "insects/ant/0.png" in broken
    assert "insects/bee/1.png = insects/bee/2.png" in repeated


def test_of_many_copies_of_a_picture_the_first_are_named(insects: Path) -> None:
    copied = (insects / "insects/bee/1.png").read_bytes()
    for number in range(3, 12):
        (insects / f"insects/bee/{number}.png").write_bytes(copied)
    said = sentences_of(dataset_pictures(insects))[-1]
    assert said.count(" = ") == looked.NAMED - 1
    assert " and 6 more. Split Image Directory keeps" in said


def test_shards_are_looked_at_as_their_folder_is(insects: Path, tmp_path: Path) -> None:
    shards = tmp_path / "shards"
    write_shards(insects / "insects", shards, 1_000)
    assert dataset_pictures(shards) == dataset_pictures(insects / "insects")
    assert strip_of_version(shards) == strip_of_version(insects / "insects")
    context = Context(tmp_path / "store" / "step")
    artifact = AnyDirectory.write(context.new_folder(), shards)
    images = convert_to_image_directory(artifact, ConvertParameters(), context)[0]
    assert [thumbnail.shown for thumbnail in sheet(images.path, range(11)).thumbnails] == [
        True
    ] * 11


def test_of_much_a_part_is_looked_at_and_that_is_said(
    insects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked, "MAX_CHECKED", 5)
    images = dataset_pictures(insects)
    assert (images.num_images, images.num_checked) == (12, 5)
    assert sentences_of(images)[-1] == "5 of 12 images were checked."


def test_images_without_classes_and_none_at_all(tmp_path: Path) -> None:
    assert dataset_pictures(tmp_path).classes == ()
    assert strip_of_version(tmp_path) == ""
    Image.new("RGB", (9, 9)).save(tmp_path / "one.png")
    [only] = dataset_pictures(tmp_path).classes
    assert (only.name, only.images) == ("", 1)


def test_a_strip_shows_some_side_by_side(insects: Path) -> None:
    strip = strip_of_version(insects).removeprefix("data:image/jpeg;base64,")
    width, height = Image.open(BytesIO(b64decode(strip))).size
    assert height == looked.STRIP_EDGE
    assert width >= 5 * looked.STRIP_EDGE
