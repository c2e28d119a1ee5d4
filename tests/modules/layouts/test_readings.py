"""Other people's datasets: which table, which columns, which part, and when a user must decide."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modules.datasets.folder_summary import folder_summary
from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.image_directories.convert_to_image_directory import ConvertParameters
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import FROM_TABLE, convert, labels

Fill = Callable[..., Path]
Files = Mapping[str, bytes | None]
TRAIN = ConvertParameters(part="train")
FLAT = dict.fromkeys(["train/0.png", "train/1.png", "test/0.png", "test/2.png"])
TWO = {"0.png": "cat", "1.png": "dog"}


def lines(*rows: str) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


@pytest.mark.parametrize(
    "tables",
    [
        {"train.csv": lines("filename,label", "0.png,cat", "1.png,dog")},
        {"train.csv": lines("id,breed", "0,cat", "1,dog")},
        {"train.csv": lines("img,url,width,y", "0.png,http://a,3,cat", "1.png,http://b,3,dog")},
        {"train/labels.tsv": lines("image_id\tclass", "0\tcat", "1\tdog")},
        {"train/_classes.csv": lines("filename, cat, dog", "0.png, 1, 0", "1.png, 0, 1")},
        {"train/metadata.csv": lines("file_name,text,label", "0.png,a b,cat", "1.png,c d,dog")},
        {
            "train/metadata.jsonl": lines(
                '{"file_name": "0.png", "label": "cat"}', '{"file_name": "1.png", "label": "dog"}'
            )
        },
        {"train_labels.json": json.dumps({"0.png": "cat", "1.png": "dog"}).encode()},
        {"training_list.txt": lines("train/0.png cat", "train/1.png dog")},
        {
            "train.csv": lines("id,label", "0.png,0", "1.png,1"),
            "classes.txt": lines("cat", "dog"),
        },
        {
            "train.csv": lines("id,label", "0.png,7", "1.png,3"),
            "label_map.json": json.dumps({"7": "cat", "3": "dog"}).encode(),
        },
        {"train.csv": b"sep=;\r\n" + lines("filename;label", "0.png;cat", "1.png;dog")},
        {"train.csv": "filename,label\n0.png,cat\n1.png,dog\n".encode("utf-16")},
        {"train.csv": lines("0.png,cat", "1.png,dog")},
        {"train.csv": lines(",file,label", "0,0.png,cat", "1,1.png,dog")},
        {
            "train.csv": lines("filename,label", "0.png,cat", "1.png,dog"),
            "sample_submission.csv": lines("filename,label", "0.png,cat", "2.png,cat"),
        },
        {
            "a_notes.csv": lines("filename,label", "0.png,old"),
            "train.csv": lines("filename,label", "0.png,cat", "1.png,dog"),
        },
    ],
    ids=str,
)
def test_a_table_labels_the_part_it_belongs_to(
    tables: Files, fill: Fill, workplace: Workplace
) -> None:
    folder = fill({**FLAT, **tables})
    with pytest.raises(InvalidDatasetError, match="in parts") as caught:
        convert(folder, workplace)
    assert caught.value.remedy == {"set": {"part": "train"}}
    assert labels(convert(folder, workplace, TRAIN)) == TWO
    test = convert(folder, workplace, ConvertParameters(part="test"))
    assert set(labels(test).values()) <= {None}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (lines("image,label", "IMG0.PNG,cat", "IMG1.PNG,dog"), {"img0": "cat", "img1": "dog"}),
        (lines("image,label", "7,cat", "8.0,dog"), {"00007": "cat", "00008": "dog"}),
        (lines("url,label", "https://x.org/a/img0.png?w=3,cat"), {"img0": "cat"}),
        (lines("image,label", "img0,NaN", "img1,dog", "00007,nan"), {"img1": "dog"}),
    ],
)
def test_names_that_a_table_changed_are_found(
    table: bytes, expected: dict[str, str], fill: Fill, workplace: Workplace
) -> None:
    files = dict.fromkeys(f"{name}.png" for name in ("img0", "img1", "00007", "00008"))
    output = convert(fill({**files, "labels.csv": table}), workplace, FROM_TABLE)
    assert labels(output) == {f"{name}.png": label for name, label in expected.items()}


def test_a_name_that_two_files_have_labels_neither(fill: Fill, workplace: Workplace) -> None:
    files = dict.fromkeys(["a/0.png", "b/0.png", "b/1.png"])
    table = lines("name,label", "0.png,cat", "1.png,dog")
    output = convert(fill({**files, "labels.csv": table}), workplace, FROM_TABLE)
    assert labels(output) == {"b/1.png": "dog"}
    assert any("1 name in labels.csv matches several files" in each for each in workplace.warnings)


def test_folders_and_files_in_two_columns_are_one_name(fill: Fill, workplace: Workplace) -> None:
    files = dict.fromkeys(["a/0.png", "a/1.png", "b/0.png", "b/1.png"])
    rows = ["a,0.png,cat", "a,1.png,dog", "b,0.png,dog", "b,1.png,cat"]
    table = lines("folder,filename,label", *rows)
    output = convert(fill({**files, "labels.csv": table}), workplace, FROM_TABLE)
    expected = {"a/0.png": "cat", "a/1.png": "dog", "b/0.png": "dog", "b/1.png": "cat"}
    assert labels(output) == expected
    with pytest.raises(InvalidDatasetError, match="in several ways"):
        convert(fill({**files, "labels.csv": table}, "again"), workplace)


def test_a_table_of_another_encoding_is_reported(fill: Fill, workplace: Workplace) -> None:
    table = "name,label\n0.png,Käfer\n1.png,Größe\n".encode("cp1252")
    folder = fill({"0.png": None, "1.png": None, "labels.csv": table})
    assert set(convert(folder, workplace).classes) == {"Käfer", "Größe"}
    assert workplace.warnings[0].startswith("labels.csv is not UTF-8; it was read as cp1252.")


@pytest.mark.parametrize("cells", ["scab rust", "scab|rust"])
def test_several_labels_in_a_cell_are_reported(
    cells: str, fill: Fill, workplace: Workplace
) -> None:
    files = dict.fromkeys(f"{number}.png" for number in range(3))
    table = lines("image,label", "0.png,scab", "1.png,rust", f"2.png,{cells}")
    convert(fill({**files, "labels.csv": table}), workplace)
    assert workplace.warnings[0].startswith("1 image has several labels in one cell of labels.csv")


def test_two_ones_of_a_one_hot_table_are_a_fault(fill: Fill, workplace: Workplace) -> None:
    files = dict.fromkeys(f"{number}.png" for number in range(3))
    table = lines("file,cat,dog", "0.png,1,0", "1.png,0,1", "2.png,1,1")
    output = convert(fill({**files, "labels.csv": table}), workplace)
    assert labels(output) == TWO


def test_the_column_of_labels_is_asked_for(fill: Fill, workplace: Workplace) -> None:
    files = dict.fromkeys(f"{number}.png" for number in range(4))
    rows = ["0.png,nv,back,f", "1.png,mel,face,m", "2.png,nv,face,f", "3.png,mel,back,f"]
    folder = fill({**files, "meta.csv": lines("image_id,kind,place,who", *rows)})
    with pytest.raises(
        InvalidDatasetError, match=r"may contain the labels: kind, place, who"
    ) as caught:
        convert(folder, workplace)
    assert caught.value.parameter == "label_column"
    summary = folder_summary(folder)
    assert summary.labeled is None
    output = convert(folder, workplace, ConvertParameters(label_column="place"))
    assert output.classes == ("back", "face")
    with pytest.raises(NotLabeledDatasetError, match="no column dx, it has image_id, kind"):
        convert(folder, workplace, ConvertParameters(class_from="CSV column", label_column="dx"))


def test_folders_that_a_table_contradicts_are_a_question(fill: Fill, workplace: Workplace) -> None:
    files = dict.fromkeys(["part_1/0.png", "part_1/1.png", "part_2/2.png", "part_2/3.png"])
    rows = ["0,cat", "1,dog", "2,cat", "3,dog"]
    folder = fill({**files, "meta.csv": lines("image_id,label", *rows)})
    with pytest.raises(InvalidDatasetError, match="in several ways") as caught:
        convert(folder, workplace)
    assert caught.value.remedy == {"set": {"class_from": "CSV column"}}
    assert convert(folder, workplace, FROM_TABLE).classes == ("cat", "dog")
    only = convert(folder, workplace, ConvertParameters(class_from="folders only"))
    assert only.classes == ("part_1", "part_2")


@pytest.mark.parametrize(
    ("names", "classes"),
    [
        (["cat.0", "cat.1", "dog.0", "dog.1"], ("cat", "dog")),
        (["cat_001", "cat_002", "red fox (1)", "red fox (2)"], ("cat", "red fox")),
        (["001_cat", "002_cat", "003_dog", "004_dog"], ("cat", "dog")),
    ],
)
def test_labels_in_names_are_a_question(
    names: list[str], classes: tuple[str, ...], fill: Fill, workplace: Workplace
) -> None:
    folder = fill(dict.fromkeys(f"{name}.png" for name in names))
    with pytest.raises(InvalidDatasetError, match="in several ways") as caught:
        convert(folder, workplace)
    assert caught.value.remedy == {"set": {"class_from": "file name"}}
    named = convert(folder, workplace, ConvertParameters(class_from="file name"))
    assert named.classes == classes
    unlabelled = convert(folder, workplace, ConvertParameters(class_from="none"))
    assert set(labels(unlabelled).values()) == {None}


@pytest.mark.parametrize(
    "names",
    [
        ["IMG_1", "IMG_2", "DSC_1", "DSC_2"],
        ["1", "2", "3", "4"],
        ["cat_1", "dog_1", "cow_1"],
        ["train_1", "train_2", "test_1", "test_2"],
    ],
)
def test_names_from_cameras_are_no_labels(
    names: list[str], fill: Fill, workplace: Workplace
) -> None:
    output = convert(fill(dict.fromkeys(f"{name}.png" for name in names)), workplace)
    assert set(labels(output).values()) == {None}


def test_a_table_that_is_not_understood_is_reported(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"0.png": None, "labels.xlsx": b"PK", "a.csv": lines("image,note", "x.png,good")})
    convert(folder, workplace)
    assert "a.csv lists no file of the dataset (x.png)" in workplace.warnings[0]
    assert "the format of labels.xlsx is not supported" in workplace.warnings[0]


def test_images_deeper_than_class_folders_are_named(fill: Fill, workplace: Workplace) -> None:
    folder = fill(dict.fromkeys(["normal/p1/0.png", "tumor/p1/0.png"]))
    with pytest.raises(
        InvalidDatasetError, match=r"in subfolders of the class folders.*normal/p1/0"
    ):
        convert(folder, workplace)
