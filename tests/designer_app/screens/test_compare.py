"""What Compare tells of the best run, and which differences it takes for one."""

from __future__ import annotations

from designer_app.screens.compare.metrics import seen
from designer_app.screens.compare.winner import nearest_other
from pipelines.runs.comparison import MetricComparison
from pipelines.runs.headline import Headline


def test_the_best_run_is_told_apart_from_the_first_or_from_the_next_best() -> None:
    def nearest(place: int, *values: float) -> int:
        return nearest_other([headline(value) for value in values], place)

    assert nearest(1, 0.7, 0.9, 0.8) == 0
    assert nearest(0, 0.9, 0.6, 0.8, 0.7) == 2
    assert nearest_other([headline(0.9), None, headline(0.8)], 0) == 2


def headline(value: float) -> Headline:
    return Headline(
        node="evaluate",
        metric="Overall_Accuracy",
        label="Accuracy",
        value=value,
        text=f"{100 * value:.1f} %",
        higher_is_better=True,
        is_chosen=False,
    )


def test_what_reads_the_same_is_no_difference() -> None:
    metric = MetricComparison(
        node="evaluate",
        metric="ROC_AUC_OvR",
        label="ROC AUC",
        higher_is_better=True,
        values=[1.0, 0.99999, 0.976, None],
        deltas=[0.0, -0.00001, -0.024, None],
        lowest=[],
        highest=[],
    )
    assert seen(metric) == [None, None, -0.024, None]
