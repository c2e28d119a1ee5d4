"""Whatever a script logs becomes a bounded number of curves with names that can be stored."""

from __future__ import annotations

import math
import threading

import pytest

from modules.metric_limits import MAX_NAME, clean_name
from modules.scripts.intake import metric_points
from modules.scripts.intake.metric_points import MetricPoints, MetricSource, PlottedPoint
from modules.sentences.sentence import Statement

OURS = MetricSource("lines")


@pytest.fixture
def warnings() -> list[Statement]:
    return []


@pytest.fixture
def points(warnings: list[Statement]) -> MetricPoints:
    return MetricPoints(warnings.append)


def test_points_without_a_step_are_counted(points: MetricPoints) -> None:
    for step in (None, None, 5, None):
        points.add(OURS, "loss", 1.0, step)
    assert [each.step for each in points.take()] == [0, 1, 5, 6]
    assert points.take() == []


def test_values_that_are_no_numbers_are_handed_on(points: MetricPoints) -> None:
    for value in (math.nan, math.inf):
        points.add(OURS, "loss", value)
    first, second = points.take()
    assert math.isnan(first.value)
    assert second.value == math.inf


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("loss", "loss"),
        ("  val\tloss\n", "val loss"),
        ("a\x00b\x1b[31m", "a b [31m"),
        ("\ud800x", "x"),
        ("", "unnamed"),
        ("\u202e", "unnamed"),
        ("Größe/µ", "Größe/µ"),
    ],
)
def test_a_name_is_one_line_that_can_be_stored(raw: str, clean: str) -> None:
    assert clean_name(raw) == clean


def test_long_names_stay_different() -> None:
    first, second = clean_name("x" * 500 + "a"), clean_name("x" * 500 + "b")
    assert len(first) == len(second) == MAX_NAME
    assert first != second


def test_what_was_told_in_two_ways_counts_once(points: MetricPoints) -> None:
    points.add(MetricSource("tracking", "run"), "loss", 1.0, 0)
    points.add(MetricSource("tensorboard", "version_0"), "loss", 1.0, 0)
    points.add(MetricSource("tensorboard", "version_0"), "lr", 0.1, 0)
    assert [each.name for each in points.take()] == ["loss", "lr"]


def test_runs_with_the_same_names_are_told_apart(points: MetricPoints) -> None:
    for run in ("fold-1", "fold-2"):
        for _ in range(2):
            points.add(MetricSource("tracking", run), "loss", 1.0)
    names = [each.name for each in points.take()]
    assert names == ["loss", "loss", "fold-2/loss", "fold-2/loss"]


def test_a_step_beyond_all_bounds_is_cut(points: MetricPoints) -> None:
    points.add(OURS, "loss", 1.0, 10**30)
    points.add(OURS, "loss", 1.0, -(10**30))
    assert [each.step for each in points.take()] == [2**53 - 1, -(2**53 - 1)]


def test_a_flood_is_thinned_and_keeps_its_last_point(
    points: MetricPoints, warnings: list[Statement]
) -> None:
    for step in range(110_003):
        points.add(OURS, "loss", float(step), step)
    kept = points.take()
    assert len(kept) == 10_000 + 9_000 + 100
    assert points.finish() == [PlottedPoint("loss", 110_002.0, 110_002)]
    assert points.finish() == []
    assert [each.sentence.key for each in warnings] == ["curve_thinned"]


def test_many_names_and_many_points_in_all_are_bounded(
    points: MetricPoints, warnings: list[Statement], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metric_points, "MAX_POINTS", 2_000)
    for step in range(5):
        for number in range(3_000):
            points.add(OURS, f"m{number}", 1.0, step)
    assert len(points.take()) == 2_000
    assert len(points.finish()) == metric_points.MAX_CURVES  # the last value of each
    assert [each.sentence.key for each in warnings] == ["too_many_curves", "too_many_points"]


def test_points_may_come_from_several_threads(points: MetricPoints) -> None:
    def log() -> None:
        for _ in range(1_000):
            points.add(OURS, "loss", 1.0)

    threads = [threading.Thread(target=log) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(each.step for each in points.take()) == list(range(4_000))
