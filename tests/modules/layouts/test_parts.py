"""Datasets in parts, of one class, and with names that Unicode writes in two ways."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from modules.artifacts import AnyDirectory, ImageDirectory
from modules.datasets.folder_summary import ClassSummary, folder_summary
from modules.datasets.import_images import ImportParameters, import_images
from modules.errors import InvalidDatasetError
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.layouts.part_names import Part
from modules.layouts.parts import parts_of
from tests.modules.conftest import Workplace, zipped
from tests.modules.image_directories.conversion import FROM_TABLE, convert, labels

Fill = Callable[..., Path]
PARTED: dict[str, bytes | None] = {
    "data/train/cat/1.png": None,
    "data/train/cat/2.png": None,
    "data/train/dog/1.png": None,
    "data/valid/cat/1.png": None,
    "data/valid/dog/1.png": None,
    "data/README.md": b"words",
}
COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Käse") for form in ("NFC", "NFD"))


def imported(source: Path, workplace: Workplace, part: Part) -> AnyDirectory:
    parameters = ImportParameters(source=f"file:{source}", part=part)
    dataset = import_images(parameters, workplace.context())[0]
    assert isinstance(dataset, AnyDirectory)
    return dataset


def converted(dataset: AnyDirectory, workplace: Workplace, part: Part = "whole") -> ImageDirectory:
    parameters = ConvertParameters(part=part)
    output = convert_to_image_directory(dataset, parameters, workplace.context())[0]
    assert isinstance(output, ImageDirectory)
    return output


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "archive"])
@pytest.mark.parametrize("at", ["import", "convert"])
def test_a_part_is_taken_where_it_was_chosen(
    packed: bool, at: str, fill: Fill, workplace: Workplace
) -> None:
    source = zipped(fill(PARTED)) if packed else fill(PARTED)
    if at == "import":
        output = converted(imported(source, workplace, "validation"), workplace)
    else:
        output = converted(imported(source, workplace, "whole"), workplace, "validation")
    assert labels(output) == {"cat/1.png": "cat", "dog/1.png": "dog"}
    assert workplace.summary == "2 images, 2 classes"
    train = converted(imported(source, workplace, "train"), workplace)
    assert train.classes == output.classes
    assert len(train.images) == 3


def test_a_dataset_in_parts_says_so_and_a_button_chooses(fill: Fill, workplace: Workplace) -> None:
    with pytest.raises(InvalidDatasetError) as caught:
        convert(fill(PARTED), workplace)
    error = caught.value
    assert error.message == (
        "The dataset is in parts: train (3 images, 2 classes), valid (2 images, 2 classes)."
    )
    assert "Choose one as Part, for example train for training." in error.cure
    assert (error.parameter, error.remedy) == ("part", {"set": {"part": "train"}})


def test_a_part_that_is_not_there_names_those_that_are(fill: Fill, workplace: Workplace) -> None:
    with pytest.raises(InvalidDatasetError, match=r"no part test\. .* train \(3 images"):
        convert(fill(PARTED), workplace, ConvertParameters(part="test"))
    plain = fill({"cat/1.png": None, "dog/1.png": None}, "plain")
    with pytest.raises(InvalidDatasetError, match="Set Part to whole"):
        convert(plain, workplace, ConvertParameters(part="train"))


def test_images_of_a_part_without_folders_are_unlabelled(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"train/a/1.png": None, "train/b/1.png": None, "test/1.png": None})
    output = convert(folder, workplace, ConvertParameters(part="test"))
    assert labels(output) == {"1.png": None}


def test_links_between_parts_stay_in_the_dataset(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"all/x.png": None, "train/a/1.png": None, "val/b/1.png": None})
    folder.joinpath("all").rename(folder / "train" / "b")
    (folder / "val" / "b" / "x.png").symlink_to("../../train/b/x.png")
    output = convert(folder, workplace, ConvertParameters(part="validation"))
    assert labels(output) == {"b/1.png": "b", "b/x.png": "b"}


@pytest.mark.parametrize(
    "paths",
    [
        ["train/a/1.png", "train/b/1.png"],
        ["train/1.png", "val/1.png", "bus/1.png"],
        ["train/a/1.png", "val/a/1.png", "1.png"],
        [],
    ],
    ids=["one part", "a class beside", "an image beside", "nothing"],
)
def test_what_is_not_in_parts(paths: list[str]) -> None:
    assert parts_of(paths) == ()


@pytest.mark.parametrize(
    ("paths", "parts"),
    [
        (["train/1.png", "val/1.png"], ["train", "validation"]),
        (["TRAIN/1.png", "Test1/1.png"], ["train", "test"]),
        (["train_images/1.png", "test-images/1.png"], ["train", "test"]),
        (["seg_train/seg_train/a/1.png", "seg_test/seg_test/a/1.png"], ["train", "test"]),
        (["birds_train/a/1.png", "birds_valid/a/1.png"], ["train", "validation"]),
        (["images/dev/1.png", "images/training/1.png"], ["train", "validation"]),
    ],
)
def test_folders_named_like_parts_are_parts(paths: list[str], parts: list[str]) -> None:
    assert [found.part for found in parts_of(paths)] == parts


def test_a_part_in_a_folder_of_its_own_name_is_taken(fill: Fill, workplace: Workplace) -> None:
    inside = [f"seg_{part}/seg_{part}/{name}/1.png" for part in ("train", "test") for name in "ab"]
    output = convert(fill(dict.fromkeys(inside)), workplace, ConvertParameters(part="test"))
    assert labels(output) == {"a/1.png": "a", "b/1.png": "b"}


def test_one_folder_that_is_named_like_a_part_is_no_class(fill: Fill, workplace: Workplace) -> None:
    assert labels(convert(fill({"train/1.png": None}), workplace)) == {"1.png": None}


def test_a_table_still_labels_files_in_any_folders(fill: Fill, workplace: Workplace) -> None:
    table = b"path,label\ndata/train/cat/1.png,x\ndata/valid/dog/1.png,y\n"
    folder = fill({**PARTED, "labels.csv": table})
    assert set(convert(folder, workplace, FROM_TABLE).classes) == {"x", "y"}
    nowhere = convert(folder, workplace, ConvertParameters(class_from="none"))
    assert len(nowhere.images) == 5


def test_preview_and_forecasts_tell_what_lies_there(fill: Fill, workplace: Workplace) -> None:
    folder = fill(PARTED)
    shown = folder_summary(folder)
    assert shown.classes == (ClassSummary("cat", 3), ClassSummary("dog", 2))
    assert shown.notice is not None
    assert shown.notice.startswith("The dataset is in parts: train (3 images, 2 classes), valid")
    forecast = import_images.forecast
    convert_forecast = convert_to_image_directory.forecast
    assert forecast is not None
    assert convert_forecast is not None
    parameters = ImportParameters(source=f"file:{folder}")
    there = forecast({}, parameters, workplace.context())
    assert there.choices == {
        "part": {
            "whole": "all parts",
            "train": "train (3 images, 2 classes)",
            "validation": "valid (2 images, 2 classes)",
        }
    }
    inputs = {"input_dataset": there.outputs["dataset"]}
    refused = convert_forecast(inputs, ConvertParameters(), workplace.context())
    assert [(each.parameter, each.severity) for each in refused.findings] == [("part", "error")]
    taken = convert_forecast(inputs, ConvertParameters(part="train"), workplace.context())
    output = taken.outputs["output_image_directory"]
    assert (output.num_images, output.num_classes, output.labeled) == (3, 2, True)
    assert taken.choices == {
        **there.choices,
        "class_from": {
            "folder name": "2 class folders with 3 images",
            "folders only": "2 class folders with 3 images",
            "none": "no classes",
        },
    }
    chosen = parameters.model_copy(update={"part": "validation"})
    [narrow] = forecast({}, chosen, workplace.context()).outputs.values()
    assert (narrow.num_images, narrow.num_classes, narrow.parts) == (2, 2, ())
    assert not convert_forecast(
        {"input_dataset": narrow}, ConvertParameters(), workplace.context()
    ).findings


@pytest.mark.parametrize("prefix", ["cats/", "data/cats/"])
def test_one_folder_of_images_is_their_class(prefix: str, fill: Fill, workplace: Workplace) -> None:
    folder = fill({f"{prefix}1.png": None, f"{prefix}2.png": None})
    output = convert(folder, workplace)
    assert labels(output) == {"cats/1.png": "cats", "cats/2.png": "cats"}
    assert output.classes == ("cats",)
    [warning] = workplace.warnings
    assert "All images are in one folder, cats, and therefore have one class." in warning
    assert folder_summary(folder).classes == (ClassSummary("cats", 2),)
    none = convert(folder, workplace, ConvertParameters(class_from="none"))
    assert set(labels(none).values()) == {None}


def test_a_table_beside_one_folder_counts_more(fill: Fill, workplace: Workplace) -> None:
    table = b"path,label\npictures/1.png,cat\npictures/2.png,dog\n"
    folder = fill({"pictures/1.png": None, "pictures/2.png": None, "labels.csv": table})
    assert convert(folder, workplace).classes == ("cat", "dog")


def test_two_spellings_of_a_name_are_one_class(fill: Fill, workplace: Workplace) -> None:
    files: dict[str, bytes | None] = {
        f"{COMPOSED}/1.png": None,
        f"{DECOMPOSED}/1.png": None,
        f"{DECOMPOSED}/2.png": None,
        "Brot/1.png": None,
    }
    folder = fill(files)
    if len(list(folder.iterdir())) < 3:
        pytest.skip("this disk takes both spellings for one name")
    output = convert(folder, workplace)
    assert output.classes == ("Brot", COMPOSED)
    assert output.images["path"].is_unique
    assert list(output.images["label"].value_counts()) == [3, 1]
    [warning] = workplace.warnings
    assert "are treated as one class: Käse ('Ka\\u0308se' and 'K\\xe4se')" in warning
    assert folder_summary(folder).classes == (ClassSummary(COMPOSED, 3), ClassSummary("Brot", 1))
    packed = convert(zipped(folder), workplace)
    assert packed.classes == output.classes
    assert len(packed.images) == 4


def test_a_table_may_spell_files_and_classes_otherwise(fill: Fill, workplace: Workplace) -> None:
    table = f"path,label\n{COMPOSED}.png,{COMPOSED}\nb.png,{DECOMPOSED}\n".encode()
    folder = fill({f"{DECOMPOSED}.png": None, "b.png": None, "labels.csv": table})
    output = convert(folder, workplace)
    assert output.classes == (COMPOSED,)
    assert len(output.images) == 2
