"""What is told of an evaluation agrees with the images that were scored."""

from __future__ import annotations

import itertools
from pathlib import Path

import pandas as pd
import pytest

from designer_app.viewers.evaluation_charts import headline_figures
from modules.artifacts import ScoredImages
from modules.scoring.score_table import CATEGORY, LABEL
from pipelines.inspection import evaluation
from pipelines.inspection.run_outputs import RunOutputs


def folder_of(outputs: RunOutputs, node: str, port: str) -> Path:
    output = outputs.output(node, port)
    assert output is not None
    return output.folder


@pytest.mark.parametrize(("suffix", "scored"), [("", "score"), ("_compared", "score_grey")])
def test_hits_are_counted_in_all_cells(outputs: RunOutputs, suffix: str, scored: str) -> None:
    folder = folder_of(outputs, "evaluate", "evaluation_results")
    rows = ScoredImages(folder_of(outputs, scored, "scored_dataset")).rows
    right = int((rows[CATEGORY] == rows[LABEL]).sum())
    assert evaluation.num_right(folder, suffix) == (right, len(rows))
    figures = headline_figures(folder, suffix)
    assert figures["Correct"] == f"{right} of {len(rows)}"
    assert figures["Accuracy"] == f"{100 * right / len(rows):.1f} %"


def test_a_class_has_all_its_cells_however_many_there_are(tmp_path: Path) -> None:
    """What is drawn of a large matrix is cut; what is counted is not."""
    classes = [f"class {place:03}" for place in range(150)]
    pairs = pd.DataFrame(itertools.product(classes, classes), columns=["actual", "predicted"])
    pairs.assign(count=1).to_parquet(tmp_path / "confusion.parquet")
    pd.DataFrame({"class": classes}).to_parquet(tmp_path / "per_class.parquet")
    cells = evaluation.confusion(tmp_path)
    assert set(cells.groupby("predicted")["count"].sum()) == {150}
    assert set(cells.groupby("actual")["rate"].sum().round(6)) == {1.0}
