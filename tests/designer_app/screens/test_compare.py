"""What Compare tells of the best run, and which differences it takes for one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from designer_app.screens.compare.metrics import seen
from designer_app.screens.compare.winner import nearest_other
from pipelines.runs.comparison import MetricComparison
from pipelines.runs.headline import Headline
from tests.designer_app.http import Server
from tests.pipelines.inspection.scored_run import scored_run


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


def test_flipped_images_are_shown_from_the_first_on_whatever_was_compared_before(
    quiet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    runs = quiet.application.session.runs

    def compared(name: str, count: int) -> list[str]:
        paths = [f"cat/{place:02}.png" for place in range(count)]
        return [
            scored_run(runs, f"{name}-{chance}", dict.fromkeys(paths, chance))
            for chance in (0.9, 0.1)
        ]

    many, few = compared("many", 60), compared("few", 5)
    page = AppTest.from_function(flipped, default_timeout=120)
    page.query_params["run"] = many
    page.run()
    for _ in range(2):
        page.button(key="compare-flips-next").click().run()
    assert page.caption[-1].value == "49 to 60 of 60, highest confidence first."
    page.query_params["run"] = few
    page.run()
    assert not page.exception
    assert page.caption[-1].value == "1 to 5 of 5, highest confidence first."
    page.query_params["run"] = many
    assert page.run().caption[-1].value == "49 to 60 of 60, highest confidence first."


def flipped() -> None:
    import streamlit as st

    from designer_app.application import current
    from designer_app.screens.compare.compared_runs import ComparisonView
    from designer_app.screens.compare.prediction_changes import prediction_changes
    from pipelines.runs.comparison import compare

    application = current()
    found = compare(application.session.runs, st.query_params.get_all("run"))
    prediction_changes(ComparisonView(application, found))
