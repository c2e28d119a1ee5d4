"""Several tables of one flat folder: joined, or the parts of the dataset, or reported."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modules.datasets.folder_summary import folder_summary, forecast_of
from modules.datasets.reading_suffix import reading_suffix
from modules.errors import InvalidDatasetError
from modules.forecast import ArtifactForecast
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from tests.modules.conftest import Workplace, zipped
from tests.modules.image_directories.conversion import FROM_TABLE, convert, labels, skipped

Fill = Callable[..., Path]
SIX: dict[str, bytes | None] = dict.fromkeys(f"images/{number}.png" for number in range(6))
TRAIN, VALIDATION = ConvertParameters(part="train"), ConvertParameters(part="validation")


def table(*rows: str, header: str = "file,label") -> bytes:
    return "".join(f"{row}\n" for row in (header, *rows)).encode()


A = table("0.png,cat", "1.png,dog", "2.png,cat")
B = table("3.png,dog", "4.png,cat")
AB = {"0.png": "cat", "1.png": "dog", "2.png": "cat", "3.png": "dog", "4.png": "cat"}


@pytest.mark.parametrize("part", ["labels_a.csv", "images/labels_a.csv"])
def test_tables_of_different_images_are_joined(part: str, fill: Fill, workplace: Workplace) -> None:
    folder = fill({**SIX, part: A, "labels_b.csv": B})
    assert labels(convert(folder, workplace)) == AB
    [joined] = [each for each in workplace.warnings if "are used together" in each]
    assert joined.startswith(f"{part} (3 images), labels_b.csv (2 images) label different images")
    notice = folder_summary(folder).notice or ""
    assert "label 5 of 6 images, 2 classes" in notice
    assert reading_suffix(folder, "joined") == ":layout-3"


def test_a_shared_image_with_the_same_label_does_not_part_tables(
    fill: Fill, workplace: Workplace
) -> None:
    files = {**SIX, "labels_a.csv": A, "labels_b.csv": B + b"0.png,cat\n"}
    assert labels(convert(fill(files), workplace)) == AB


@pytest.mark.parametrize(
    "other",
    [B + b"0.png,dog\n", table("3.png,dog", "4.png,cat", header="name,class")],
    ids=["contradicts", "other columns"],
)
def test_other_tables_are_not_joined_but_counted(
    other: bytes, fill: Fill, workplace: Workplace
) -> None:
    folder = fill({**SIX, "labels_a.csv": A, "labels_b.csv": other})
    output = convert(folder, workplace)
    assert labels(output) == {name: label for name, label in AB.items() if name < "3"}
    [warning] = [each for each in workplace.warnings if "not used" in each]
    assert "not used: labels_b.csv (labels 2 more images)." in warning
    assert "unless their labels contradict each other" in warning


def test_tables_of_one_class_each_make_two_classes(fill: Fill, workplace: Workplace) -> None:
    files = {**SIX, "cats.csv": table("0.png,cat", "1.png,cat"), "dogs.csv": table("2.png,dog")}
    assert convert(fill(files), workplace).classes == ("cat", "dog")
    assert not any("two classes" in each for each in workplace.warnings)


@pytest.mark.parametrize(
    ("names", "files"),
    [
        (("train.csv", "val.csv"), SIX),
        (("train_labels.csv", "valid_labels.csv"), SIX),
        (("images/train.csv", "images/val.csv"), SIX),
        (("train.csv", "val.csv"), {name[7:]: content for name, content in SIX.items()}),
    ],
    ids=str,
)
def test_tables_named_like_parts_are_the_parts(
    names: tuple[str, str],
    files: Mapping[str, bytes | None],
    fill: Fill,
    workplace: Workplace,
) -> None:
    folder = fill({**files, names[0]: A, names[1]: B})
    with pytest.raises(InvalidDatasetError, match="The dataset is in parts") as caught:
        convert(folder, workplace)
    assert caught.value.remedy == {"set": {"part": "train"}}
    assert labels(convert(folder, workplace, TRAIN)) == {
        name: label for name, label in AB.items() if name < "3"
    }
    [left_out] = workplace.warnings
    assert left_out.startswith(f"1 image is not listed in the tables of the parts ({names[0]}, ")
    assert left_out.count("5.png") == 1
    validation = convert(folder, workplace, VALIDATION)
    assert labels(validation) == {"3.png": "dog", "4.png": "cat"}
    assert workplace.warnings == [left_out]
    assert labels(convert(folder, workplace, FROM_TABLE)) == AB
    assert reading_suffix(folder, "parts") == ":layout-3"


def test_parts_of_tables_are_in_the_verdict_and_the_forecast(
    fill: Fill, workplace: Workplace
) -> None:
    folder = fill({**SIX, "train.csv": A, "val.csv": B})
    found = folder_summary(folder)
    assert [str(part) for part in found.parts] == [
        "train.csv (3 images, 2 classes)",
        "val.csv (2 images, 2 classes)",
    ]
    assert "Part train.csv: train.csv labels 3 of 3 images, 2 classes" in (found.notice or "")
    source = forecast_of(folder)
    json.dumps(source.parts)
    foreseen = convert_to_image_directory.forecast
    assert foreseen is not None
    output = foreseen({"input_dataset": source}, VALIDATION, workplace.context()).outputs
    images: ArtifactForecast = output["output_image_directory"]
    assert (images.num_images, images.num_classes, images.labeled) == (2, 2, True)
    assert foreseen({"input_dataset": source}, ConvertParameters(), workplace.context()).findings


def test_an_archive_of_parts_by_tables_asks_too(fill: Fill, workplace: Workplace) -> None:
    archive = zipped(fill({**SIX, "train.csv": A, "val.csv": B}))
    with pytest.raises(InvalidDatasetError, match="The dataset is in parts"):
        convert(archive, workplace)
    assert len(convert(archive, workplace, VALIDATION).images) == 2
    assert reading_suffix(archive, "archive") == ":layout-3"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"train.csv": A, "test.csv": table("3.png", "4.png", header="file")}, 3),
        ({"train.csv": A, "sample_submission_test.csv": B}, 3),
        ({"train.csv": A, "val.csv": B + b"2.png,cat\n"}, 5),
    ],
    ids=["no labels", "submission", "an image of both"],
)
def test_other_tables_named_like_parts_are_not_parts(
    files: Mapping[str, bytes], expected: int, fill: Fill, workplace: Workplace
) -> None:
    assert len(convert(fill({**SIX, **files}), workplace).images) == expected


def test_an_image_without_label_stays_in_its_part(fill: Fill, workplace: Workplace) -> None:
    folder = fill({**SIX, "train.csv": A + b"5.png,\n", "val.csv": B})
    output = convert(folder, workplace, TRAIN)
    assert len(output.images) == 3
    assert list(skipped(output).values()) == ["it has no label in train.csv"]


def test_folders_of_classes_come_before_tables_of_parts(fill: Fill, workplace: Workplace) -> None:
    files = {f"{label}/{number}.png": None for label in ("cat", "dog") for number in range(2)}
    tables = {
        "train.csv": table("cat/0.png,cat", "dog/0.png,dog"),
        "val.csv": table("cat/1.png,cat"),
    }
    output = convert(fill({**files, **tables}), workplace)
    assert len(output.images) == 4
    assert not workplace.warnings
