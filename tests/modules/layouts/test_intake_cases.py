"""Datasets of public bug reports: labels as they were meant, or an error that names its fix."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from modules.errors import InvalidDatasetError
from modules.image_directories.convert_to_image_directory import ConvertParameters
from tests.cases.intake import DATASETS
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert

THREE = {"beagle": 4, "collie": 4, "pug": 4}
PAIR = {"cat": 4, "dog": 4}


def counts(name: str, workplace: Workplace, tmp_path: Path, **settings: Any) -> dict[str, int]:
    """Convert a dataset: images by class, "" for those without one."""
    folder = tmp_path / name
    if not folder.exists():
        folder.mkdir()
        DATASETS[name](folder)
    output = convert(folder, workplace, ConvertParameters(**settings))
    return dict(Counter(sorted(output.images["label"].fillna(""))))


@pytest.mark.parametrize(
    ("name", "train", "test"),
    [
        ("table_names_train_only", THREE, {"": 6}),
        ("id_and_breed", THREE, {"": 6}),
        ("submission_beside_labels", THREE, {"": 6}),
        ("one_hot_in_parts", dict.fromkeys(THREE, 2), dict.fromkeys(THREE, 2)),
        ("part_in_its_own_folder", {"buildings": 3, "forest": 3}, {"buildings": 3, "forest": 3}),
        ("same_names", {"cat": 3, "dog": 3}, {"": 6}),
    ],
)
def test_parts_are_asked_for_and_labelled(
    name: str, train: dict[str, int], test: dict[str, int], workplace: Workplace, tmp_path: Path
) -> None:
    with pytest.raises(InvalidDatasetError, match="The dataset is in parts") as caught:
        counts(name, workplace, tmp_path)
    assert caught.value.remedy == {"set": {"part": "train"}}
    assert counts(name, workplace, tmp_path, part="train") == train
    assert counts(name, workplace, tmp_path, part="test") == test


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("image_id", THREE),
        ("names_without_extension", THREE),
        ("table_in_utf_16", {"Käfer": 4, "Vogel": 4}),
        ("table_with_sep", PAIR),
        ("table_column_labels", PAIR),
        ("table_without_header", PAIR),
        ("table_other_case", PAIR),
        ("table_nan", {"cat": 3, "dog": 3}),
    ],
)
def test_tables_are_understood(
    name: str, expected: dict[str, int], workplace: Workplace, tmp_path: Path
) -> None:
    assert counts(name, workplace, tmp_path) == expected


@pytest.mark.parametrize(
    ("name", "warning"),
    [
        ("table_in_gbk", "labels.csv is not UTF-8"),
        ("table_two_labels", "have several labels in one cell of labels.csv: scab rust"),
        ("table_nan", "it has no label in labels.csv"),
    ],
)
def test_doubtful_tables_are_reported(
    name: str, warning: str, workplace: Workplace, tmp_path: Path
) -> None:
    counts(name, workplace, tmp_path)
    assert any(warning in each for each in workplace.warnings), workplace.warnings


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("label_in_file_name", {"part": "train"}, r"several ways: .* \(cat: 6, dog: 6\)"),
        ("classes_above", {}, "in subfolders of the class folders"),
    ],
)
def test_what_cannot_be_decided_is_a_question(
    name: str, settings: dict[str, Any], message: str, workplace: Workplace, tmp_path: Path
) -> None:
    with pytest.raises(InvalidDatasetError, match=message):
        counts(name, workplace, tmp_path, **settings)


def test_a_class_that_is_a_link_is_taken(workplace: Workplace, tmp_path: Path) -> None:
    assert counts("linked_class", workplace, tmp_path) == dict.fromkeys(("bird", "cat", "fish"), 4)


def test_images_that_cannot_be_decoded_are_a_warning(workplace: Workplace, tmp_path: Path) -> None:
    assert counts("heic", workplace, tmp_path) == PAIR
    assert any("6 " in warning and "skipped: " in warning for warning in workplace.warnings)
    with pytest.raises(InvalidDatasetError):
        counts("heic", workplace, tmp_path, on_unreadable_image="fail")


def test_classes_that_differ_in_case_only_are_a_warning(
    workplace: Workplace, tmp_path: Path
) -> None:
    assert counts("case_classes", workplace, tmp_path) == dict.fromkeys(("Cat", "cat", "dog"), 4)
    assert any("'Cat' and 'cat'" in warning for warning in workplace.warnings)
