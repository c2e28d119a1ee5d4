"""Datasets of one class: nothing can be trained with them, which is reported before a training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from modules.datasets.folder_summary import folder_summary
from modules.image_directories.convert_to_image_directory import ConvertParameters
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert

Fill = Callable[..., Path]
NEEDS_TWO = "Training needs at least two classes."


@pytest.mark.parametrize(
    ("files", "warning"),
    [
        (
            {"1.png": None, "2.png": None, "labels.csv": b"path,label\n1.png,cat\n2.png,cat\n"},
            "All 2 labelled images have the class cat.",
        ),
        ({"a/cat/1.png": None, "a/dog/x.txt": b"x"}, "The only labelled image has the class cat."),
        ({"cats/1.png": None}, "All images are in one folder, cats, and therefore have one class."),
    ],
    ids=["table", "one filled folder", "one folder"],
)
def test_one_class_is_a_warning_of_the_node_and_of_the_verdict(
    files: Mapping[str, bytes | None], warning: str, fill: Fill, workplace: Workplace
) -> None:
    folder = fill(files)
    assert len(convert(folder, workplace).classes) == 1
    [told] = [each for each in workplace.warnings if NEEDS_TWO in each]
    assert told.startswith(warning)
    assert f"{warning} {NEEDS_TWO}" in (folder_summary(folder).notice or "")


def test_the_same_word_in_all_names_is_one_class(fill: Fill, workplace: Workplace) -> None:
    folder = fill({"cat_1.png": None, "cat_2.png": None})
    convert(folder, workplace, ConvertParameters(class_from="file name"))
    assert any(NEEDS_TWO in each for each in workplace.warnings)


@pytest.mark.parametrize("class_from", ["folder name", "none"])
def test_several_classes_and_none_are_no_reason_to_warn(
    class_from: str, fill: Fill, workplace: Workplace
) -> None:
    folder = fill({"cat/1.png": None, "dog/1.png": None, "dog/2.png": None})
    convert(folder, workplace, ConvertParameters.model_validate({"class_from": class_from}))
    assert not any(NEEDS_TWO in each for each in workplace.warnings)
    assert folder_summary(folder).notice is None
