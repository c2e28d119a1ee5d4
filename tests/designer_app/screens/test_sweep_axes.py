"""Axes of parallel coordinates: ends and a few values, apart from each other, by name or number."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from designer_app.screens.sweep_axes import (
    GAP,
    AxisTick,
    height_on,
    result_ticks,
    space_ticks,
)
from pipelines.document.settings import SweepSpace
from tests.pipelines.sweeps.conftest import between, choices


def space(content: Any) -> SweepSpace:
    return SweepSpace.model_validate(content)


def labels(ticks: list[AxisTick]) -> list[str]:
    return [tick.label for tick in ticks]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (between(0.1, 0.9), ["0.1", "0.2", "0.4", "0.6", "0.8", "0.9"]),
        (between(1e-5, 1e-1, "log"), ["1e-05", "0.0001", "0.001", "0.01", "0.1"]),
        (
            between(0.0003, 0.04, "log"),
            ["0.0003", "0.001", "0.002", "0.005", "0.01", "0.02", "0.04"],
        ),
        (between(1, 9, "integer"), ["1", "2", "4", "6", "8", "9"]),
        (between(3, 4, "integer"), ["3", "4"]),
        (choices("resnet18", "densenet", ["b"]), ["resnet18", "densenet", '["b"]']),
        (choices(16), ["16"]),
    ],
)
def test_ticks_of_parameters(content: Any, wanted: list[str]) -> None:
    ticks = space_ticks(space(content))
    assert labels(ticks) == wanted
    assert ticks[0].height == 0
    assert ticks[-1].height == pytest.approx(1 if len(ticks) > 1 else 0)


def test_ticks_are_where_lines_with_their_values_pass() -> None:
    logarithmic = space(between(1e-3, 1e-1, "log"))
    assert [tick.height for tick in space_ticks(logarithmic) if tick.label == "0.01"] == [
        pytest.approx(height_on(logarithmic, 0.01))
    ]
    assert height_on(logarithmic, 0.01) == pytest.approx(0.5)
    names = space(choices("a", "b", "c"))
    assert [tick.height for tick in space_ticks(names)] == [height_on(names, one) for one in "abc"]


@pytest.mark.parametrize(
    "content",
    [
        between(1e-12, 1, "log"),
        between(0.09, 101, "log"),
        between(0, 1),
        choices(*range(40)),
        choices(*(f"name{number}" for number in range(11))),
    ],
)
def test_texts_of_ticks_are_apart(content: Any) -> None:
    ticks = space_ticks(space(content))
    heights = [tick.height for tick in ticks]
    assert heights[0] == 0
    assert heights[-1] == pytest.approx(1)
    assert len(ticks) > 3
    assert min(upper - lower for lower, upper in itertools.pairwise(heights)) >= GAP


@pytest.mark.parametrize(
    ("metric", "low", "high", "wanted"),
    [
        ("Valid loss", 0.21, 1.4, ["0.21", "0.5", "1", "1.4"]),
        ("Overall_Accuracy", 0.5, 0.93, ["50.0 %", "60.0 %", "70.0 %", "80.0 %", "93.0 %"]),
        ("Valid loss", 0.5, 0.5, ["0.5"]),
        ("Overall_Accuracy", 0.98301, 0.98349, ["98.3 %", "98.3 %"]),
    ],
)
def test_ticks_of_results(metric: str, low: float, high: float, wanted: list[str]) -> None:
    assert labels(result_ticks(metric, low, high)) == wanted
