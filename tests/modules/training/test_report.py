"""What a training reports of itself while it runs, and the metrics of an epoch."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.artifacts import ImageDirectory
from modules.context import Report
from modules.training.metrics import Averages
from modules.training.report import metric_row
from tests.modules.training.noise import untrained
from tests.modules.training.trainings import train


def test_every_iteration_is_reported_with_the_time_left(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("modules.training.report.PROGRESS_SECONDS", 0.0)
    events: list[Report] = []
    train(tmp_path, *squares, untrained(tmp_path / "recipe", "squeezenet1_1"), events=events)
    reported = [event for event in events if event["kind"] == "progress" and "epoch" in event]
    num_iterations = 2 * 48 // 8
    assert [event["done"] for event in reported] == [*range(1, num_iterations + 1)]
    assert {event["total"] for event in reported} == {num_iterations}
    assert [event["epoch"] for event in reported] == [1] * 6 + [2] * 6
    assert reported[0]["seconds_left"] > 0
    assert reported[-1]["seconds_left"] == 0
    assert all(event["images_per_second"] > 0 for event in reported)


def test_of_more_than_five_classes_the_top_five_count_as_well() -> None:
    training = Averages(loss=0.5, error=0.3, error_top=0.0, num_images=10)
    validation = Averages(loss=0.6, error=0.4, error_top=0.1, num_images=10)
    few, many = (metric_row(0.1, 2.0, training, validation, number) for number in (5, 6))
    assert many == {**few, "Top-5 validation accuracy": 0.9}
    assert few["Train images per second"] == 5
    assert (few["Train error"], few["Top-1 validation accuracy"]) == (0.3, 0.6)
