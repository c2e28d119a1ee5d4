"""Names of classes that differ in case or spaces only, after Convert to Image Directory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from modules.image_directories.class_names import warn_of_near_names
from tests.modules.conftest import Workplace
from tests.modules.image_directories.conversion import convert


@pytest.mark.parametrize(
    "names", [["Cat", "cat"], ["polar bear", "polarbear"], ["hot_dog", "Hot dog"], ["cat", "cat "]]
)
def test_names_that_differ_in_case_or_spaces_are_warned_of(
    workplace: Workplace, names: list[str]
) -> None:
    warn_of_near_names([*names, "dog"], workplace.context())
    (warning,) = workplace.warnings
    assert f"{names[0]!r} and {names[1]!r}." in warning


def test_other_names_are_not(workplace: Workplace) -> None:
    warn_of_near_names(["cat", "dog", "cats", "a1", "a-1"], workplace.context())
    assert not workplace.warnings


def test_convert_warns_of_folders_that_differ_in_case(
    workplace: Workplace, fill: Callable[..., Path]
) -> None:
    folder = fill({"Cat/1.png": None, "cat/2.png": None, "dog/3.png": None})
    convert(folder, workplace)
    assert ["'Cat' and 'cat'" in warning for warning in workplace.warnings] == [True]
