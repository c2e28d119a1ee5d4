"""Images in tar shards are what the same images in a folder are, for every step; nothing moves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
import torch

from modules.artifacts import SHARDS_FILE, AnyDirectory, ImageDirectory
from modules.compute.distributed import ProcessGroup
from modules.datasets.folder_summary import folder_summary
from modules.datasets.import_images import ImportParameters, import_images
from modules.datasets.registered import register_dataset
from modules.errors import InvalidDatasetError
from modules.files.archives import extract_archive
from modules.files.shard_writing import write_shards
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.image_directories.split_image_directory import SplitParameters, split_image_directory
from modules.image_loading.datasets import open_images
from modules.image_loading.image_files import ImageFiles
from modules.scoring.misclassified import PICTURES_FILE, save_pictures
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, LOSS, MARGIN, PATH
from modules.scripts.environment_script import _Exchange
from modules.scripts.image_folders import write_image_folder
from tests.modules.conftest import Workplace
from tests.modules.image_directories.pictures import jpeg_bytes, png_bytes

SIZE = (40, 30)
FILES = {
    **{f"photos/train/cat/{n}.jpg": jpeg_bytes(n, SIZE) for n in range(4)},
    **{f"photos/train/dog/{n}.png": png_bytes(n, SIZE) for n in range(3)},
    **{f"photos/val/cat/{n}.jpg": jpeg_bytes(9 + n, SIZE) for n in range(2)},
    "photos/train/dog/no extension": jpeg_bytes(8, SIZE),
    "photos/train/dog/notes.txt": b"not an image",
    "photos/train/cat/broken.jpg": jpeg_bytes(7, SIZE)[:-200],
    "photos/train/stray.png": png_bytes(6, SIZE),
}
CROP = {"operation": "random_resized_crop", "size": 16, "scale": (0.3, 1.0), "ratio": (0.8, 1.2)}

Pair = tuple[Path, Path]


@pytest.fixture
def pair(fill: Callable[..., Path], tmp_path: Path) -> Pair:
    """A folder, and its shards."""
    folder = fill(FILES)
    write_shards(folder, tmp_path / "shards", 9_000)
    assert len([*(tmp_path / "shards").glob("*.tar")]) > 2
    return folder, tmp_path / "shards"


def converted(location: Path, workplace: Workplace, **parameters: object) -> ImageDirectory:
    context = workplace.context()
    given = import_images(ImportParameters(source=f"file:{location}"), context).dataset
    chosen = ConvertParameters.model_validate({"part": "train", **parameters})
    output = convert_to_image_directory(given, chosen, context).output_image_directory
    assert isinstance(output, ImageDirectory)
    return output


def pixels(
    dataset: ImageDirectory, workplace: Workplace, *random: dict[str, object]
) -> npt.NDArray[np.uint8]:
    context = workplace.context()
    group = ProcessGroup(context, torch.device("cpu"))
    images = open_images(dataset, (), context, group, random_operations=random)
    read = np.array(images.drawn(3).read(range(len(images))))
    images.close()
    return read


def test_the_same_images_and_classes_are_foreseen(pair: Pair) -> None:
    folder, shards = pair
    assert folder_summary(shards) == folder_summary(folder)


def test_conversion_finds_the_same_and_copies_nothing(pair: Pair, workplace: Workplace) -> None:
    of_folder, of_shards = (converted(each, workplace) for each in pair)
    pd.testing.assert_frame_equal(of_shards.images, of_folder.images)
    pd.testing.assert_frame_equal(of_shards.skipped, of_folder.skipped)
    assert of_shards.classes == of_folder.classes == ("cat", "dog")
    assert len(of_shards.images) == 8
    there = {path.name for path in of_shards.path.iterdir()}
    assert there == {"images.parquet", "classes.json", "skipped.parquet", SHARDS_FILE}
    with pytest.raises(InvalidDatasetError, match="are stored in tar shards"):
        of_shards.file_paths()


def test_every_reader_gets_the_same_pixels(pair: Pair, workplace: Workplace) -> None:
    of_folder, of_shards = (converted(each, workplace) for each in pair)
    assert np.array_equal(pixels(of_shards, workplace), pixels(of_folder, workplace))
    cut = pixels(of_shards, workplace, CROP)
    assert np.array_equal(cut, pixels(of_folder, workplace, CROP))
    assert cut.shape == (8, 16, 16, 3)


def test_a_split_reads_on_in_the_same_shards(pair: Pair, workplace: Workplace) -> None:
    _, shards = pair
    whole = converted(shards, workplace)
    context = workplace.context()
    for part in split_image_directory(whole, SplitParameters(), context):
        assert not (part.path / SHARDS_FILE).exists()
        rows = part.images.to_dict("records")
        for row, file in zip(rows, ImageFiles(part), strict=True):
            assert file.read_bytes() == FILES[f"photos/train/{row['path']}"]


def test_labels_come_from_a_table_in_the_shards(
    fill: Callable[..., Path], tmp_path: Path, workplace: Workplace
) -> None:
    table = b"path,label\na.png,red\nb.png,blue\n"
    folder = fill({"a.png": None, "b.png": None, "labels.csv": table})
    write_shards(folder, tmp_path / "shards")
    found = converted(tmp_path / "shards", workplace, part="whole")
    assert dict(zip(found.images["path"], found.labels, strict=True)) == {
        "a.png": "red",
        "b.png": "blue",
    }


def test_a_registered_dataset_may_be_in_shards(pair: Pair, workplace: Workplace) -> None:
    _, shards = pair
    datasets = workplace.root / "datasets"
    register_dataset(shards, "photos", datasets)
    context = workplace.context()
    given = import_images(ImportParameters(source="dataset:photos"), context).dataset
    found = convert_to_image_directory(given, ConvertParameters(part="validation"), context)
    [one, other] = ImageFiles(found.output_image_directory)
    assert {one.read_bytes(), other.read_bytes()} == {jpeg_bytes(9, SIZE), jpeg_bytes(10, SIZE)}
    assert not isinstance(one, Path)
    assert isinstance(one.shard, Path)
    assert one.shard.parent == datasets / "photos" / "1"


def test_images_and_shards_that_are_moved_together_need_no_new_import(
    pair: Pair, workplace: Workplace, tmp_path: Path
) -> None:
    """A workspace, say, with a registered dataset in it: what lies in it is found by its place."""
    register_dataset(pair[1], "photos", workplace.root / "datasets")
    context = workplace.context()
    given = import_images(ImportParameters(source="dataset:photos"), context).dataset
    found = convert_to_image_directory(given, ConvertParameters(part="train"), context)
    store = workplace.root / "store"
    stored = store / "converted" / "output"  # as deep as where it was made
    stored.parent.mkdir()
    found.output_image_directory.path.rename(stored)
    before = [each.read_bytes() for each in ImageFiles(ImageDirectory(stored))]
    shutil.move(workplace.root, tmp_path / "moved")
    after = ImageDirectory(tmp_path / "moved" / stored.relative_to(workplace.root))
    assert [each.read_bytes() for each in ImageFiles(after)] == before


def test_scripts_find_files(pair: Pair, workplace: Workplace, tmp_path: Path) -> None:
    dataset = converted(pair[1], workplace)
    write_image_folder(dataset, tmp_path / "linked")
    assert (tmp_path / "linked/cat/2.jpg").read_bytes() == FILES["photos/train/cat/2.jpg"]
    (tmp_path / "given").mkdir()
    told = _Exchange(tmp_path / "given", takes_parquet=True).inputs({"images1": dataset})
    assert told["images1"] is not None
    read = [Path(each).read_bytes() for each in told["images1"]["files"]]
    assert read == [each.read_bytes() for each in ImageFiles(dataset)]


def test_mistakes_are_pictured(pair: Pair, workplace: Workplace, tmp_path: Path) -> None:
    dataset = converted(pair[1], workplace)
    files = dict(zip(dataset.images["path"], ImageFiles(dataset), strict=True))
    row = {
        PATH: "cat/1.jpg",
        CATEGORY: "cat",
        LABEL: "dog",
        CONFIDENCE: 0.9,
        MARGIN: 0.5,
        LOSS: 1.0,
    }
    save_pictures(tmp_path, pd.DataFrame([row]), files)
    [picture] = pd.read_parquet(tmp_path / PICTURES_FILE)["picture"]
    assert picture.startswith(b"\xff\xd8")


def test_a_shard_that_changed_ends_conversion_and_training_with_its_name(
    pair: Pair, workplace: Workplace
) -> None:
    _, shards = pair
    dataset = converted(shards, workplace)
    for shard in shards.glob("*.tar"):
        content = bytearray(shard.read_bytes())
        content[700] ^= 1
        shard.write_bytes(content)
    for random in ((), (CROP,)):
        with pytest.raises(InvalidDatasetError, match=r"shard-0000\d\.tar has changed"):
            pixels(dataset, workplace, *random)
    with pytest.raises(InvalidDatasetError, match=r"shard-0000\d\.tar has changed"):
        converted(shards, workplace)


def test_shards_within_an_archive_are_not_read_in_place(
    pair: Pair, workplace: Workplace, tmp_path: Path
) -> None:
    archive = shutil.make_archive(str(tmp_path / "packed"), "tar", pair[1])
    context = workplace.context()
    given = AnyDirectory.write(context.new_folder(), Path(archive))
    with pytest.raises(InvalidDatasetError, match="no valid images"):
        convert_to_image_directory(given, ConvertParameters(), context)
    extract_archive(Path(archive), tmp_path / "unpacked")
    assert len(converted(tmp_path / "unpacked", workplace).images) == 8
