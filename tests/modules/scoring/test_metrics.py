"""The metrics, against scikit-learn and numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from modules.artifacts import ScoredImages
from modules.scoring.evaluation_tables import confusion, flipped, per_class
from modules.scoring.metrics import accuracy_interval, calibration, calibration_error, measure
from modules.scoring.score_table import Scored
from tests.modules.scoring.random_scores import scored


@pytest.fixture(scope="module")
def sklearn_metrics() -> Any:
    """Imported by the process that compares with it: it takes seconds."""
    from sklearn import metrics

    return metrics


def _top_5(metrics: Any, actual: list[str], rows: Any, classes: list[str]) -> dict[str, float]:
    """Of more classes than five; of fewer it would be 1 whatever the model does."""
    if len(classes) <= 5:
        return {}
    return {"Top_5_Accuracy": metrics.top_k_accuracy_score(actual, rows, k=5, labels=classes)}


@pytest.mark.parametrize("num_classes", [2, 3, 5, 6, 12])
def test_metrics_equal_scikit_learns(
    tmp_path: Path, sklearn_metrics: Any, num_classes: int
) -> None:
    metrics = sklearn_metrics
    classes = [f"c{index:02}" for index in range(num_classes)]
    actual = [classes[index % num_classes] for index in range(150)]
    table = Scored.read(scored(tmp_path / "a", classes, list(actual)), "scored_dataset")
    found = measure(table)
    predicted, probabilities = table.rows["Scored Labels"], table.probabilities
    f1 = {each: metrics.f1_score(actual, predicted, average=each) for each in ("macro", "weighted")}
    golden = {
        "Overall_Accuracy": metrics.accuracy_score(actual, predicted),
        "Micro_Precision": metrics.precision_score(actual, predicted, average="micro"),
        "Macro_Precision": metrics.precision_score(actual, predicted, average="macro"),
        "Micro_Recall": metrics.recall_score(actual, predicted, average="micro"),
        "Macro_Recall": metrics.recall_score(actual, predicted, average="macro"),
        "Macro_F1": f1["macro"],
        "Weighted_F1": f1["weighted"],
        "Log_Loss": -np.log(
            [row[classes.index(each)] for row, each in zip(probabilities, actual, strict=True)]
        ).mean(),
    }
    rows = probabilities / probabilities.sum(axis=1, keepdims=True)
    if num_classes > 2:
        golden["ROC_AUC_OvR"] = metrics.roc_auc_score(actual, rows, multi_class="ovr")
        golden |= _top_5(metrics, actual, rows, classes)
    else:
        golden["ROC_AUC_OvR"] = metrics.roc_auc_score(actual, rows[:, 1])
    assert {name for name in found if name.startswith("Top_")} <= golden.keys()
    for name, value in golden.items():
        assert found[name] == pytest.approx(value, abs=1e-6), name
    assert 0 <= found["Expected_Calibration_Error"] <= 1


def test_the_calibration_error_by_hand() -> None:
    rows = pd.DataFrame(
        {
            "category": ["a", "a", "b", "b"],
            "Scored Labels": ["a", "b", "b", "b"],
            "confidence": [0.9, 0.9, 1.0, 0.55],
        }
    )
    bins = calibration(Scored(rows, ("a", "b"), np.zeros((4, 2))))
    assert bins["count"].sum() == 4
    # 0.9 twice with one right; 1.0 right; 0.55 right: (2 x 0.4 + 0 + 0.45) / 4.
    assert calibration_error(bins) == pytest.approx((2 * 0.4 + 0.45) / 4)


def test_a_thousand_classes(tmp_path: Path) -> None:
    classes = [f"class {index}" for index in range(1000)]
    actual: list[str | None] = [classes[(7 * index) % 1000] for index in range(3000)]
    table = Scored.read(scored(tmp_path / "a", classes, actual), "scored_dataset")
    assert 0 < measure(table)["Overall_Accuracy"] < 1
    assert confusion(table)["count"].sum() == 3000
    assert len(per_class(table)) == 1000


def test_classes_the_model_does_not_know_count_as_wrong(tmp_path: Path) -> None:
    table = Scored.read(scored(tmp_path / "a", ["a", "b"], ["a", "x", "x", "x"]), "scored_dataset")
    found = measure(table)
    assert found["Overall_Accuracy"] <= 0.25
    assert not [name for name in found if name.startswith("Top_")], "it knows two classes only"
    classes = per_class(table)
    assert list(classes["class"]) == ["a", "b", "x"]
    assert list(classes["support"]) == [1, 0, 3]
    assert np.isnan(classes["recall"][1])


def test_what_is_undefined_is_left_out(tmp_path: Path) -> None:
    only_one = Scored.read(scored(tmp_path / "a", ["a", "b"], ["a", "a"]), "scored_dataset")
    assert "ROC_AUC_OvR" not in measure(only_one)
    unknown = Scored.read(scored(tmp_path / "b", ["a", "b"], ["x", "x"]), "scored_dataset")
    assert not {"Log_Loss", "ROC_AUC_OvR"} & measure(unknown).keys()


def test_flipped_predictions_are_those_that_differ(tmp_path: Path) -> None:
    classes, actual = ["a", "b", "c"], ["a", "b", "c"] * 20
    first = Scored.read(scored(tmp_path / "1", classes, list(actual), 1), "scored_dataset")
    second = Scored.read(scored(tmp_path / "2", classes, list(actual), 2), "scored_dataset")
    table = flipped(first, second)
    differ = (first.rows["Scored Labels"] != second.rows["Scored Labels"]).sum()
    assert len(table) == differ > 0
    assert (table["Scored Labels"] != table["Scored Labels compared"]).all()
    assert len(flipped(first, first)) == 0


def test_the_area_of_saturated_probabilities_is_that_of_the_margins(
    tmp_path: Path, sklearn_metrics: Any
) -> None:
    margins_N = np.linspace(-30, 60, 40)
    actual = ["yes" if number % 3 or number > 30 else "no" for number in range(40)]
    # As softmax gives it, in float32: beyond a margin of 17 every "yes" is 1.
    yes_N = (1 / (1 + np.exp(-margins_N))).astype(np.float32)
    no_N = (1 / (1 + np.exp(margins_N))).astype(np.float32)
    assert (yes_N == 1).sum() > 10
    columns = {"Scored Probabilities_yes": yes_N, "Scored Probabilities_no": no_N}
    rows = pd.DataFrame({"path": "x", "category": actual, "Scored Labels": "yes", **columns})
    rows["confidence"] = np.maximum(yes_N, no_N)
    table = Scored.read(ScoredImages.write(tmp_path, rows), "scored_dataset")
    expected = sklearn_metrics.roc_auc_score([name == "yes" for name in actual], margins_N)
    assert measure(table)["ROC_AUC_OvR"] == pytest.approx(expected, abs=1e-12)


TINY = float(np.finfo(np.float32).tiny)
"""The smallest probability whose float32 has all its digits."""


@pytest.mark.parametrize(
    ("probability", "own", "loss"),
    [
        pytest.param(0.5, 0.693147, 0.693147, id="agrees"),
        pytest.param(0.5, 3.0, 0.693147, id="contradicts"),
        pytest.param(TINY, 1.0, 87.336544, id="contradicts the smallest"),
        pytest.param(TINY / 2, 90.0, 90.0, id="below the smallest"),
        pytest.param(0.0, 120.0, 120.0, id="confident mistake"),
        pytest.param(0.0, np.nan, 36.043653, id="unknown"),
    ],
)
def test_the_loss_of_the_table_counts_unless_its_probability_contradicts_it(
    tmp_path: Path, probability: float, own: float, loss: float
) -> None:
    columns = {"Scored Probabilities_a": [probability], "Scored Probabilities_b": [1 - probability]}
    rows = pd.DataFrame({"path": ["x"], "category": ["a"], "Scored Labels": ["b"], **columns})
    rows["confidence"], rows["loss"] = 1 - probability, own
    table = Scored.read(ScoredImages.write(tmp_path, rows), "scored_dataset")
    assert measure(table)["Log_Loss"] == pytest.approx(loss, rel=1e-6)


@pytest.mark.parametrize(
    ("right", "num_images", "interval"),
    [(12, 13, (0.67, 0.99)), (0, 5, (0.0, 0.43)), (5, 5, (0.57, 1.0)), (50, 100, (0.40, 0.60))],
)
def test_an_accuracy_of_few_images_is_uncertain(
    right: int, num_images: int, interval: tuple[float, float]
) -> None:
    assert accuracy_interval(right, num_images) == pytest.approx(interval, abs=0.005)
