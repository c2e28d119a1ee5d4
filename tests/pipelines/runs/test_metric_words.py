"""Metrics in words, the same as in the editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.runs.metric_words import (
    difference_text,
    higher_is_better,
    metric_text,
    metric_words,
)

CASES: dict[str, list[list[Any]]] = json.loads(
    (Path(__file__).parents[2] / "cases" / "metrics.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("name", "words"), CASES["words"])
def test_names_are_words(name: str, words: str) -> None:
    assert metric_words(name) == words


@pytest.mark.parametrize(("name", "value", "text"), CASES["texts"])
def test_values_have_units(name: str, value: float | None, text: str) -> None:
    assert metric_text(name, value) == text


@pytest.mark.parametrize(("name", "direction"), CASES["directions"])
def test_which_way_is_better(name: str, direction: bool | None) -> None:
    assert higher_is_better(name) is direction


@pytest.mark.parametrize(
    ("name", "difference", "text"),
    [
        ("Overall_Accuracy", -0.00278, "-0.3 points"),
        ("Log_Loss", 0.046, "+0.046"),
        ("Macro_F1", 0.0, "0"),
        ("Log_Loss", None, "–"),
    ],
)
def test_differences_of_shares_are_points(name: str, difference: float | None, text: str) -> None:
    assert difference_text(name, difference) == text
