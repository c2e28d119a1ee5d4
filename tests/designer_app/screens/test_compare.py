"""What Compare tells of the best run, and which differences it takes for one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from designer_app.screens.compare.metrics import seen
from designer_app.screens.compare.winner import differences_text, nearest_other
from pipelines.runs.comparison import MetricComparison, ParameterDifference
from pipelines.runs.headline import Headline
from pipelines.runs.metric_words import displayed, is_duration
from pipelines.runs.prediction_changes import FlipSummary
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
        details="",
        outdated_pins=[],
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
    assert seen(metric) == [None, None, pytest.approx(-0.024), None]


def test_differences_are_those_of_the_displayed_values() -> None:
    assert displayed("Overall_Accuracy", 0.99661) - displayed("Overall_Accuracy", 0.98139) == (
        pytest.approx(0.016)  # 99.7 % and 98.1 %
    )
    assert displayed("Valid loss", 0.41234) == 0.412
    assert displayed("Images per second", 1797.4) == 1797


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


def test_settings_that_differ_are_shown_with_the_values_of_both_runs() -> None:
    parameters = [
        ParameterDifference(
            node="train", parameter=title, title=title, values=values, is_present=[True, True]
        )
        for title, values in (("Epochs", [8, 3]), ("Seed", [1, 1]), ("Weights", [None, "x"]))
    ]
    text = differences_text(parameters, 0, 1)
    assert text == "Different settings: Epochs: 8 (B: 3), Weights: not set (B: x)."
    assert differences_text(parameters[1:2], 0, 1) == ""


def test_quality_is_told_from_speed_and_time() -> None:
    speed = ["Images per second", "Time waiting for data", "Share of this machine's limit"]
    assert [
        name for name in [*speed, "Overall_Accuracy", "Valid loss"] if is_duration(name)
    ] == speed


@pytest.mark.parametrize(
    ("fixed", "broken", "chance"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (6, 0, 0.03125),
        (9, 1, 0.021484375),
        (600, 500, pytest.approx(0.0028, abs=1e-4)),
    ],
)
def test_few_changed_predictions_can_be_chance(fixed: int, broken: int, chance: float) -> None:
    flips = FlipSummary(
        node="score",
        port="scored_dataset",
        scored=[100, 100],
        shared=100,
        flipped=fixed + broken,
        fixed=[None, fixed],
        broken=[None, broken],
        same_files=True,
    )
    assert flips.chance(1) == chance
    assert flips.chance(0) is None
