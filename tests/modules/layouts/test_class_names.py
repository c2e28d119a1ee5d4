"""Lists of class names: which files are such lists, and the number of their first name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from modules.context import Context
from modules.datasets.folder_summary import folder_summary, forecast_of
from modules.errors import InvalidDatasetError
from modules.forecast import StepForecast
from modules.image_directories.convert_to_image_directory import (
    ConvertParameters,
    convert_to_image_directory,
)
from modules.layouts.class_names import read_class_names
from modules.layouts.readings import ClassFrom
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert, labels

Fill = Callable[..., Path]
IMAGES = dict.fromkeys(f"{number}.png" for number in range(4))


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("classes.txt", "cat\ndog\n", ["cat", "dog"]),
        ("classes.txt", "0 cat\n1 red fox\n", ["cat", "red fox"]),
        ("classes.csv", "name,class_id\ncat,0\ndog,1\n", ["cat", "dog"]),
        ("classes.csv", 'class_id,name,images\n0,"cat",7\n1,dog,9\n', ["cat", "dog"]),
        ("class_idx.txt", "cat 0\ndog 1\n", ["cat", "dog"]),
        ("labels.json", '{"cat": 0, "dog": 1}', ["cat", "dog"]),
    ],
)
def test_lists_of_classes(path: str, text: str, names: list[str]) -> None:
    found = read_class_names(path, text.encode())
    assert found is not None
    assert found.fitting({"0", "1"}, 0) == dict(zip("01", names, strict=True))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("train_labels.csv", "id,label\na1,0\na2,1\na3,0\n"),
        ("labels.csv", "file,label\nx.png,cat\ny.png,dog\n"),
        ("labels.txt", "0.png 0\n1.png 1\n2.png 0\n"),
        ("labels.txt", "cat\ndog\ncat\n"),
        ("classes.json", '{"a": {"b": 1}}'),
    ],
)
def test_tables_are_no_lists_of_classes(path: str, text: str) -> None:
    assert read_class_names(path, text.encode()) is None


def test_a_list_of_names_may_start_at_one() -> None:
    names = read_class_names("classes.txt", b"cat\ndog\npug\n")
    assert names is not None
    assert names.first_number({"1", "3"}) == 1
    assert names.fitting({"1", "3"}, 1) == {"1": "cat", "3": "pug"}
    assert names.first_number({"0", "2"}) == 0
    assert names.fitting({"0", "2"}, 0) == {"0": "cat", "2": "pug"}
    assert names.fitting({"0", "3"}, names.first_number({"0", "3"})) is None
    assert names.first_number({"1", "2"}) is None
    assert names.first_number({"1", "2"}, others={"3"}) == 1
    assert names.first_number({"0", "3"}, chosen=1) == 1


AMBIGUOUS = {
    **IMAGES,
    "labels.csv": b"id,label\n0,1\n1,2\n2,1\n3,2\n",
    "classes.txt": b"cat\ndog\npug\n",
}


def forecast_by_convert(folder: Path, parameters: ConvertParameters) -> StepForecast:
    forecast = convert_to_image_directory.forecast
    assert forecast is not None
    answer = forecast({"input_dataset": forecast_of(folder)}, parameters, Context(folder))
    assert isinstance(answer, StepForecast)
    return answer


@pytest.mark.parametrize("class_from", ["folder name", "CSV column"])
def test_numbers_that_fit_from_0_and_from_1_are_a_question(
    class_from: ClassFrom, fill: Fill, workplace: Workplace
) -> None:
    folder = fill(AMBIGUOUS)
    with pytest.raises(InvalidDatasetError) as error:
        convert(folder, workplace, ConvertParameters(class_from=class_from))
    assert "labels.csv (1, 2) fit the names in classes.txt counted from 0" in error.value.message
    assert error.value.parameter == "first_class_number"
    assert error.value.remedy == {"set": {"first_class_number": "1"}}
    foreseen = forecast_by_convert(folder, ConvertParameters(class_from=class_from))
    assert [(each.parameter, each.severity) for each in foreseen.findings] == [
        ("first_class_number", "error")
    ]


@pytest.mark.parametrize(
    ("first", "expected"), [("0", ("dog", "pug")), ("1", ("cat", "dog"))], ids=["0", "1"]
)
def test_the_first_number_can_be_chosen(
    first: Literal["0", "1"], expected: tuple[str, ...], fill: Fill, workplace: Workplace
) -> None:
    folder, parameters = fill(AMBIGUOUS), ConvertParameters(first_class_number=first)
    assert convert(folder, workplace, parameters).classes == expected
    assert any(f"counted from {first} (" in warning for warning in workplace.warnings)
    assert not forecast_by_convert(folder, parameters).findings


def test_the_verdict_asks_for_the_first_number(fill: Fill) -> None:
    verdict = folder_summary(fill(AMBIGUOUS)).verdict
    assert verdict is not None
    assert verdict.must_ask
    [sentence] = map(str, verdict.sentences)
    assert sentence.startswith("Decision needed: The class numbers in labels.csv (1, 2) fit")
    assert "CSV column" not in [choice.class_from for choice in verdict.of_parts[0].choices]


def test_numbers_in_the_list_are_not_shifted(fill: Fill, workplace: Workplace) -> None:
    table, names = b"id,label\na,1\nb,2\nc,1\nd,2\n", b"0 cat\n1 dog\n2 pug\n"
    images = dict.fromkeys(f"{name}.png" for name in "abcd")
    folder = fill({**images, "labels.csv": table, "classes.txt": names})
    assert convert(folder, workplace).classes == ("dog", "pug")
    parameters = ConvertParameters(first_class_number="1")
    assert convert(folder, workplace, parameters).classes == ("dog", "pug")


def test_a_list_with_too_few_names_is_reported(fill: Fill, workplace: Workplace) -> None:
    table = b"id,label\n0,0\n1,3\n2,0\n3,3\n"
    assert convert(fill({**AMBIGUOUS, "labels.csv": table}), workplace).classes == ("0", "3")
    expected = "classes.txt has 3 names, which do not include class number 3 in labels.csv"
    assert any(warning.startswith(expected) for warning in workplace.warnings)


def test_a_table_of_labels_does_not_name_its_own_classes(fill: Fill, workplace: Workplace) -> None:
    table = b"id,label\n0,0\n1,1\n2,0\n3,1\n"
    output = convert(fill({**IMAGES, "train_labels.csv": table}), workplace)
    assert output.classes == ("0", "1")
    assert not workplace.warnings


def test_names_that_replace_numbers_are_shown(fill: Fill, workplace: Workplace) -> None:
    table = b"id,label\n0,0\n1,1\n2,0\n3,1\n"
    files = {**IMAGES, "train.csv": table, "classes.txt": b"cat\ndog\n"}
    assert set(labels(convert(fill(files), workplace)).values()) == {"cat", "dog"}
    expected = "by names from classes.txt, counted from 0 (0: cat, 1: dog)"
    assert expected in workplace.warnings[0]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("classes.txt", b"cat\ndog\n"),
        ("classes.json", b'["cat", "dog"]'),
        ("classes.csv", b"class_name\ncat\ndog\n"),
    ],
)
def test_numbers_from_one_are_the_lines_of_the_list(
    path: str, names: bytes, fill: Fill, workplace: Workplace
) -> None:
    table = b"id,label\n0,1\n1,2\n2,1\n3,2\n"
    output = convert(fill({**IMAGES, "labels.csv": table, path: names}), workplace)
    assert labels(output) == {"0.png": "cat", "1.png": "dog", "2.png": "cat", "3.png": "dog"}
    expected = f"by names from {path}, counted from 1 (1: cat, 2: dog)"
    assert any(expected in warning for warning in workplace.warnings)


def test_a_header_is_not_the_name_of_class_0(fill: Fill, workplace: Workplace) -> None:
    files = {**IMAGES, "classes.csv": b"class_name\ncat\ndog\n"}
    table = b"id,label\n0,0\n1,1\n2,0\n3,1\n"
    assert convert(fill({**files, "labels.csv": table}), workplace).classes == ("cat", "dog")


@pytest.mark.parametrize("part", ["validation", "whole"])
def test_the_tables_of_all_parts_tell_where_a_list_starts(
    part: str, fill: Fill, workplace: Workplace
) -> None:
    files = dict.fromkeys(f"{name}/{number}.png" for name in ("train", "val") for number in "123")
    tables = {
        "train.csv": b"id,label\n1,1\n2,2\n3,3\n",
        "val.csv": b"id,label\n1,1\n2,2\n3,1\n",
        "classes.txt": b"cat\ndog\npug\n",
    }
    chosen = {"part": part, "class_from": "CSV column"}
    parameters = ConvertParameters.model_validate(chosen)
    output = convert(fill({**files, **tables}), workplace, parameters)
    found = [label for path, label in labels(output).items() if not path.startswith("train")]
    assert found == ["cat", "dog", "cat"]


def test_a_table_that_names_no_file_is_reported(fill: Fill, workplace: Workplace) -> None:
    convert(fill({**IMAGES, "labels.csv": b"file,label\nx.png,cat\ny.png,dog\n"}), workplace)
    assert "labels.csv lists no file of the dataset (x.png, y.png)" in workplace.warnings[0]
