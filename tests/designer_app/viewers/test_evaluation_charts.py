"""An evaluation's numbers stand in words and with their units."""

from __future__ import annotations

import pandas as pd

from designer_app.viewers.evaluation_charts import in_words


def test_metrics_are_told_in_words() -> None:
    rows = pd.DataFrame({"metric": ["Overall_Accuracy", "Log_Loss"], "value": [0.9792, 0.0388]})
    assert in_words(rows).to_dict("records") == [
        {"Metric": "Accuracy", "Value": "97.9 %"},
        {"Metric": "Log loss", "Value": "0.0388"},
    ]


def test_what_an_input_is_better_by_is_told_in_points() -> None:
    rows = pd.DataFrame(
        {"metric": ["Macro_F1"], "value": [0.986], "compared": [0.983], "difference": [-0.003]}
    )
    assert in_words(rows).to_dict("records") == [
        {"Metric": "Macro F1", "Value": "98.6 %", "Compared": "98.3 %", "Difference": "-0.3 points"}
    ]
