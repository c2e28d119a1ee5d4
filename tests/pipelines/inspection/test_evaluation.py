"""What is told of an evaluation agrees with the images that were scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from designer_app.viewers.evaluation_charts import headline_figures
from modules.artifacts import ScoredImages
from modules.scoring.score_table import CATEGORY, LABEL
from pipelines.inspection import evaluation
from pipelines.inspection.run_outputs import RunOutputs


def folder_of(outputs: RunOutputs, node: str, port: str) -> Path:
    found = outputs.output(node, port)
    assert found is not None
    return found.folder


@pytest.mark.parametrize(("suffix", "scored"), [("", "score"), ("_compared", "score_grey")])
def test_hits_are_counted_in_all_cells_also_in_those_that_are_not_drawn(
    outputs: RunOutputs, suffix: str, scored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "MAX_PAIRS", 1)
    folder = folder_of(outputs, "evaluate", "evaluation_results")
    rows = ScoredImages(folder_of(outputs, scored, "scored_dataset")).rows
    right = int((rows[CATEGORY] == rows[LABEL]).sum())
    assert len(evaluation.confusion(folder, suffix)) == 1
    assert evaluation.num_right(folder, suffix) == (right, len(rows))
    told = headline_figures(folder, suffix)
    assert told["Right"] == f"{right} of {len(rows)}"
    assert told["Accuracy"] == f"{100 * right / len(rows):.1f} %"
