"""What images that got a class really were, as the run has evaluated it."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.artifacts import ScoredImages
from modules.scoring.score_table import CATEGORY, LABEL
from pipelines.inspection.confusions import Confusions, confusions_of
from pipelines.inspection.run_outputs import RunOutputs


@pytest.mark.extended
def test_a_class_has_the_confusions_of_its_run(outputs: RunOutputs) -> None:
    model = outputs.input("score", "trained_model")
    scored = outputs.output("score", "scored_dataset")
    assert model
    assert scored
    rows = ScoredImages(scored.folder).rows
    for category in sorted(set(rows[CATEGORY])):
        confusions = confusions_of(outputs, model.folder, str(category))
        assert confusions is not None
        called = rows[rows[LABEL] == category]
        assert confusions.num_images == len(called)
        assert sum(count for _, count in confusions.others) == (called[CATEGORY] != category).sum()


@pytest.mark.extended
def test_a_model_of_no_evaluation_has_none(outputs: RunOutputs) -> None:
    assert confusions_of(outputs, Path("/nowhere"), "bee") is None


def test_they_are_said_in_a_sentence() -> None:
    others = (("ant", 3), ("wasp", 1))
    assert Confusions("bee", 38, others).text == (
        "In the evaluation, 4 of 38 images predicted as bee belong to another class: "
        "ant (3), wasp (1)."
    )
    one = Confusions("bee", 38, (("ant", 1),)).text
    assert one.endswith("1 of 38 images predicted as bee belongs to another class: ant (1).")
    assert "all correctly" in Confusions("bee", 38, ()).text
    assert "no image was predicted as bee" in Confusions("bee", 0, ()).text
