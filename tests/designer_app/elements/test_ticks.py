"""Ticks of axes: round values, and the same ones for the same range of steps."""

from __future__ import annotations

from typing import Any

import pytest

from designer_app.elements.curve_chart import step_axis
from designer_app.elements.ticks import logarithmic_values, round_values


@pytest.mark.parametrize(
    ("low", "high", "most", "wanted"),
    [
        (0, 1, 4, [0, 0.5, 1]),
        (0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.1, 0.9, 4, [0.2, 0.4, 0.6, 0.8]),
        (0.0003, 0.0007, 4, [0.0003, 0.0004, 0.0005, 0.0006, 0.0007]),
        (-3, 3, 4, [-2, 0, 2]),
        (7, 8, 4, [7, 7.5, 8]),
        (5, 5, 4, [5]),
        (0, 1e300, 4, [0, 5e299, 1e300]),
    ],
)
def test_round_values(low: float, high: float, most: int, wanted: list[float]) -> None:
    assert round_values(low, high, most) == pytest.approx(wanted)


def test_whole_numbers_have_no_ticks_between_them() -> None:
    assert round_values(7, 9, 8, is_whole=True) == [7, 8, 9]
    assert round_values(7, 9, 8) != [7, 8, 9]


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (1e-5, 1e-1, [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]),
        (3e-4, 4e-2, [5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2]),
        (3, 4, []),
        (1, 1000, [1, 10, 100, 1000]),
    ],
)
def test_logarithmic_values(low: float, high: float, wanted: list[float]) -> None:
    assert logarithmic_values(low, high) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("first", "last", "wanted"),
    [
        (1, 8, [1, 2, 3, 4, 5, 6, 7, 8]),
        (0, 29, [0, 5, 10, 15, 20, 25]),
        (1, 10, [2, 4, 6, 8, 10]),
        (1, 1, [1]),
        (0, 78_000, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000]),
    ],
)
def test_the_ticks_of_steps_follow_from_their_range(
    first: int, last: int, wanted: list[int]
) -> None:
    drawn: list[Any] = [
        step_axis("step:Q", steps).to_dict() for steps in (range(first, last + 1), (last, first))
    ]
    assert [axis["axis"]["values"] for axis in drawn] == [wanted, wanted]
    assert [axis["scale"]["domain"] for axis in drawn] == [[first, last]] * 2


def test_a_curve_without_points_has_an_axis() -> None:
    assert step_axis("step:Q", []).to_dict() == {
        "field": "step",
        "title": None,
        "type": "quantitative",
    }
