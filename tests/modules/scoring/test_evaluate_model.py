"""Evaluate Model: its files, and what it says of tables it can't use."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from modules.artifacts import ScoredImages, read_json
from modules.context import Context, Report
from modules.errors import NotLabeledDatasetError, NotScoredDatasetError
from modules.scoring.evaluate_model import ACCURACY, evaluate_model
from pipelines.runs.metric_words import metric_text
from tests.modules.scoring.random_scores import scored

METRICS = {
    "Overall_Accuracy",
    "Micro_Precision",
    "Macro_Precision",
    "Micro_Recall",
    "Macro_Recall",
    "Macro_F1",
    "Weighted_F1",
    "Log_Loss",
    "ROC_AUC_OvR",
    "Expected_Calibration_Error",
}


def test_one_input(tmp_path: Path) -> None:
    events: list[Report] = []
    context = Context(tmp_path / "staging", emit=events.append)
    table = scored(tmp_path / "a", ["x", "y", "z"], ["x", "y", "z"] * 10)
    results = evaluate_model(table, context).evaluation_results
    assert results.metrics.keys() == METRICS
    assert {event["name"] for event in events if event["kind"] == "metric"} == METRICS
    confusion = pd.read_parquet(results.path / "confusion.parquet")
    assert list(confusion.columns) == ["actual", "predicted", "count"]
    assert confusion["count"].sum() == 30
    classes = pd.read_parquet(results.path / "per_class.parquet")
    assert list(classes.columns) == ["class", "precision", "recall", "f1", "support"]
    mistakes = pd.read_parquet(results.path / "mistakes.parquet")
    assert mistakes["confidence"].is_monotonic_decreasing
    assert (mistakes["category"] != mistakes["Scored Labels"]).all()
    assert pd.read_parquet(results.path / "calibration.parquet")["count"].sum() == 30
    assert events[-1]["text"].startswith("accuracy ")


def test_of_few_images_the_summary_says_how_uncertain_it_is(tmp_path: Path) -> None:
    events: list[Report] = []
    context = Context(tmp_path / "staging", emit=events.append)
    outputs = evaluate_model(scored(tmp_path / "a", ["x", "y"], ["x", "y"] * 6), context)
    summary = events[-1]["text"]
    assert re.fullmatch(r"accuracy [\d.]+ %, likely \d+ to \d+ % \(12 images\)", summary)
    # The result of a run shows what follows its metric.
    metrics = read_json(outputs[0].path / "metrics.json")
    assert f"{metric_text(ACCURACY, metrics[ACCURACY])}, likely" in summary


def test_two_inputs(tmp_path: Path) -> None:
    events: list[Report] = []
    context = Context(tmp_path / "staging", emit=events.append)
    first = scored(tmp_path / "a", ["x", "y", "z"], ["x", "y", "z"] * 10, 1)
    second = scored(tmp_path / "b", ["x", "y", "z"], ["x", "y", "z"] * 10, 2)
    results = evaluate_model(first, context, second).evaluation_results
    assert results.metrics["compared"].keys() == METRICS
    assert len(pd.read_parquet(results.path / "flipped.parquet"))
    assert (results.path / "confusion_compared.parquet").is_file()
    assert "compared Log_Loss" in {each["name"] for each in events if each["kind"] == "metric"}
    assert not [event for event in events if event["kind"] == "warning"]


def test_other_images_to_compare_are_warned_of(tmp_path: Path) -> None:
    events: list[Report] = []
    context = Context(tmp_path / "staging", emit=events.append)
    first = scored(tmp_path / "a", ["x", "y"], ["x", "y"] * 10)
    evaluate_model(first, context, scored(tmp_path / "b", ["x", "y"], ["x", "y"] * 4))
    assert "share 8." in next(e["message"] for e in events if e["kind"] == "warning")


def test_unlabelled_images_are_refused(tmp_path: Path) -> None:
    table = scored(tmp_path / "a", ["x", "y"], [None, None])
    with pytest.raises(NotLabeledDatasetError):
        evaluate_model(table, Context(tmp_path / "staging"))


def test_partly_labelled_images_count_in_part(tmp_path: Path) -> None:
    events: list[Report] = []
    table = scored(tmp_path / "a", ["x", "y"], ["x", None, "y", None])
    results = evaluate_model(table, Context(tmp_path / "s", emit=events.append))
    confusion = pd.read_parquet(results.evaluation_results.path / "confusion.parquet")
    assert confusion["count"].sum() == 2
    assert "2 of 4 images" in next(e["message"] for e in events if e["kind"] == "warning")


@pytest.mark.parametrize(
    "columns",
    [
        {"path": ["a"]},
        {"path": ["a"], "Scored Labels": ["x"]},
        {"path": ["a"], "Scored Labels": ["x"], "Scored Probabilities_x": ["high"]},
        {"path": ["a"], "Scored Labels": ["x"], "Scored Probabilities_x": [float("nan")]},
        {"path": ["a"], "Scored Labels": ["x"], "Scored Probabilities_x": [7.0]},
    ],
)
def test_other_tables_are_refused(tmp_path: Path, columns: dict[str, list[object]]) -> None:
    (tmp_path / "a").mkdir()
    table = ScoredImages.write(tmp_path / "a", pd.DataFrame(columns))
    with pytest.raises(NotScoredDatasetError):
        evaluate_model(table, Context(tmp_path / "staging"))
