"""Labels from a CSV or a COCO JSON beside the images."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from modules.errors import NotLabeledDatasetError
from modules.image_directories.convert_to_image_directory import ConvertParameters
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import (
    DEFAULTS,
    FROM_TABLE,
    convert,
    labels,
    skipped,
)

Fill = Callable[..., Path]

TABLE = b"path,label\nimages/1.png,cat\nimages\\2.png,dog\n./images/3.png, cat \n"
THREE = dict.fromkeys(("images/1.png", "images/2.png", "images/3.png"))
EXPECTED = {"1.png": "cat", "2.png": "dog", "3.png": "cat"}


@pytest.mark.parametrize("parameters", [DEFAULTS, FROM_TABLE])
@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        b"\xef\xbb\xbf" + TABLE,
        TABLE.replace(b",", b";"),
        TABLE.replace(b"\n", b"\r\n"),
        b"id,Label,File_Name\n1,cat,1.png\n2,dog,2.png\n3,cat,3.png\n",
    ],
)
def test_a_csv_beside_the_images_gives_labels(
    parameters: ConvertParameters, table: bytes, fill: Fill, workplace: Workplace
) -> None:
    output = convert(fill({**THREE, "labels.csv": table}), workplace, parameters)
    assert labels(output) == EXPECTED
    assert output.classes == ("cat", "dog")
    assert output.skipped.empty


def test_a_flat_folder_with_a_csv_is_labelled(fill: Fill, workplace: Workplace) -> None:
    files: dict[str, bytes | None] = {"1.png": None, "2.png": None}
    output = convert(fill({**files, "l.csv": b"path,label\n1.png,a\n2.png,b\n"}), workplace)
    assert labels(output) == {"1.png": "a", "2.png": "b"}


def test_folders_of_classes_come_before_a_csv(fill: Fill, workplace: Workplace) -> None:
    table = b"path,label\ncat/1.png,wrong\ndog/1.png,wrong\n"
    folder = fill({"cat/1.png": None, "dog/1.png": None, "labels.csv": table})
    assert set(labels(convert(folder, workplace)).values()) == {"cat", "dog"}
    assert set(labels(convert(folder, workplace, FROM_TABLE)).values()) == {"wrong"}


def test_faults_of_a_csv_are_listed(fill: Fill, workplace: Workplace) -> None:
    table = (
        b"path,label\n1.png,cat\n2.png,\n3.png,cat\n3.png,dog\ngone.png,cat\n"
        b"../secret.png,cat\n/etc/passwd,dog\n\n5.png\n6.png,dog\n"
    )
    files = {f"{number}.png": None for number in range(1, 7)}
    fill({"secret.png": None}, ".")
    output = convert(fill({**files, "labels.csv": table}), workplace)
    assert labels(output) == {"1.png": "cat", "6.png": "dog"}
    assert skipped(output) == {
        "2.png": "it has no label in labels.csv",
        "3.png": "it has more than one label in labels.csv",
        "4.png": "it is not in labels.csv",
        "5.png": "it has no label in labels.csv",
        "gone.png": "listed in labels.csv, but the file does not exist",
        "../secret.png": "listed in labels.csv, but the file does not exist",
        "/etc/passwd": "listed in labels.csv, but the file does not exist",
    }
    rows, misplaced = workplace.warnings
    assert rows.startswith("3 rows of labels.csv refer to files that are not in the dataset")
    assert "Assign a class to each of them" in misplaced


def coco(**changes: object) -> bytes:
    content: dict[str, object] = {
        "images": [
            {"id": 1, "file_name": "1.png"},
            {"id": 2, "file_name": "2.png"},
            {"id": 3, "file_name": "3.png"},
        ],
        "categories": [{"id": 7, "name": "cat"}, {"id": 8, "name": "dog"}],
        "annotations": [
            {"image_id": 1, "category_id": 7, "bbox": [0, 0, 2, 2]},
            {"image_id": 2, "category_id": 7, "bbox": [0, 0, 2, 2]},
            {"image_id": 2, "category_id": 8, "bbox": [0, 0, 9, 9]},
            {"image_id": 3, "category_id": 7, "area": 4.0},
        ],
    }
    return json.dumps({**content, **changes}).encode()


@pytest.mark.parametrize("parameters", [DEFAULTS, FROM_TABLE])
@pytest.mark.parametrize("place", ["images/coco.json", "annotations/instances.json"])
def test_a_coco_json_gives_labels(
    parameters: ConvertParameters, place: str, fill: Fill, workplace: Workplace
) -> None:
    output = convert(fill({**THREE, place: coco()}), workplace, parameters)
    assert set(labels(output).values()) == {"cat", "dog"}
    assert [label for _, label in sorted(labels(output).items())] == ["cat", "dog", "cat"]
    assert "several categories" in workplace.warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"images": 1, "annotations": [], "categories": []}',
        coco(annotations=[]),
        coco(annotations=[1, 2]),
        coco(images=[{"id": [1], "file_name": "1.png"}]),
        coco(annotations=[{"image_id": 1, "category_id": 7, "bbox": "wide"}]),
        coco(annotations=[{"image_id": 1, "category_id": 7, "bbox": [1]}]),
    ],
)
def test_other_json_is_no_table_of_labels(content: bytes, fill: Fill, workplace: Workplace) -> None:
    folder = fill({**THREE, "images/any.json": content})
    with pytest.raises(NotLabeledDatasetError, match=r"labels\.csv with the columns"):
        convert(folder, workplace, FROM_TABLE)
    assert set(labels(convert(folder, workplace)).values()) == {"images"}


@pytest.mark.parametrize(
    "content", [b"", b"\0\0", b"a,b\n1,2\n", b"path,label\n", b'path,label\n"x']
)
def test_other_csv_is_no_table_of_labels(content: bytes, fill: Fill, workplace: Workplace) -> None:
    output = convert(fill({**THREE, "images/any.csv": content}), workplace)
    assert len(output.images) == 3


def test_of_two_tables_the_nearest_is_used_with_a_warning(fill: Fill, workplace: Workplace) -> None:
    other = b"path,label\nimages/1.png,x\n"
    output = convert(fill({**THREE, "labels.csv": TABLE, "images/b.csv": other}), workplace)
    assert labels(output) == EXPECTED
    assert "not used: images/b.csv" in workplace.warnings[0]


TWO_BATCHES = dict.fromkeys(
    ("img/batch1/002.png", "img/batch2/001.png", "img/batch2/002.png", "img/batch2/003.png")
)


@pytest.mark.parametrize("gone", ["img/batch1/001.png", "img/batch3/003.png", "batch1/001.png"])
def test_the_label_of_an_absent_image_goes_to_no_other(
    gone: str, fill: Fill, workplace: Workplace
) -> None:
    rows = ["img/batch2/001.png,dog", "img/batch2/002.png,dog", f"{gone},cat"]
    table = "\n".join(["path,label", *rows, "img/batch1/002.png,cat", ""]).encode()
    output = convert(fill({**TWO_BATCHES, "labels.csv": table}), workplace, FROM_TABLE)
    assert labels(output) == {
        "batch1/002.png": "cat",
        "batch2/001.png": "dog",
        "batch2/002.png": "dog",
    }
    assert skipped(output) == {
        gone: "listed in labels.csv, but the file does not exist",
        "batch2/003.png": "it is not in labels.csv",
    }


@pytest.mark.parametrize("name", ["001.png", "/home/me/batch2/img/001.png"])
def test_a_name_that_is_guessed_changes_no_label_of_a_name_that_is_there(
    name: str, fill: Fill, workplace: Workplace
) -> None:
    table = f"path,label\nimg/001.png,dog\n{name},cat\nimg/002.png,cat\n".encode()
    files = dict.fromkeys(("img/001.png", "img/002.png", "other/003.png"))
    output = convert(fill({**files, "labels.csv": table}), workplace, FROM_TABLE)
    assert labels(output) == {"img/001.png": "dog", "img/002.png": "cat"}
    assert skipped(output)[name] == "listed in labels.csv, but the file does not exist"


def test_folders_above_the_dataset_may_come_first(fill: Fill, workplace: Workplace) -> None:
    table = b"path,label\n/home/me/birds/a/1.png,owl\nC:\\birds\\a\\2.png,hen\n../birds/3.png,owl\n"
    files = dict.fromkeys(("a/1.png", "a/2.png", "3.png"))
    output = convert(fill({**files, "labels.csv": table}), workplace, FROM_TABLE)
    assert labels(output) == {"a/1.png": "owl", "a/2.png": "hen", "3.png": "owl"}


def test_two_names_of_one_file_with_different_labels_are_a_fault(
    fill: Fill, workplace: Workplace
) -> None:
    table = b"path,label\nbatch1/1.png,cat\nbatch2/1.png,dog\nbatch1/2.png,cat\n"
    output = convert(fill({"1.png": None, "2.png": None, "labels.csv": table}), workplace)
    assert labels(output) == {"2.png": "cat"}
    assert skipped(output) == {"1.png": "it has more than one label in labels.csv"}
