"""Sentences about one image on its way through a run."""

from __future__ import annotations

from pathlib import Path

from designer_app.viewers.image_trace import cell_words, prediction_words
from pipelines.inspection.image_trace import InEvaluation, InScores
from pipelines.inspection.run_outputs import RunOutput

OUTPUT = RunOutput("score", "scored_dataset", Path("nowhere"), "ScoredImages")


def test_shares_are_written_as_everywhere_and_name_the_class() -> None:
    cell = InEvaluation(OUTPUT, actual="5", predicted="9", count=2, rate=2 / 37, compared=False)
    assert cell_words(cell) == (
        "In the confusion matrix: actual **5**, predicted **9**. 2 images share this cell, "
        "5.4 % of the images of class 5."
    )
    scored = InScores(OUTPUT, OUTPUT, 0, None, "9", "5", 0.9712, None, {"9": 0.9712})
    assert prediction_words(scored) == "Predicted **9** with 97.1 %, labelled 5. Incorrect."
