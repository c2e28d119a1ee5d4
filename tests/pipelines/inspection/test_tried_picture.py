"""One picture that belongs to no run, tried on a model: as Score itself would have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.artifacts import ScoredImages
from pipelines.errors import InspectionError
from pipelines.inspection.client import Inspector
from pipelines.inspection.images import files_of
from pipelines.inspection.questions import TRY_PICTURE
from pipelines.inspection.run_outputs import RunOutput, RunOutputs


def model_of(outputs: RunOutputs) -> RunOutput:
    found = outputs.input("score", "trained_model")
    assert found is not None
    return found


def test_a_picture_gets_the_probabilities_that_score_gave_it(
    outputs: RunOutputs, inspector: Inspector, tmp_path: Path
) -> None:
    scored = next(each for each in outputs.all if each.node == "score")
    dataset = outputs.dataset_of(scored)
    assert dataset is not None
    rows = ScoredImages(scored.folder).rows
    for place in (0, len(rows) - 1):
        picture = tmp_path / f"mine{place}.png"
        picture.write_bytes(files_of(dataset.folder)[place].read_bytes())
        found = inspector.ask(
            TRY_PICTURE, model=str(model_of(outputs).folder), picture=str(picture)
        )
        row = rows.iloc[place]
        assert found["category"] == row["Scored Labels"]
        for each in found["classes"]:
            given = row[f"Scored Probabilities_{each['name']}"]
            assert each["probability"] == pytest.approx(float(given), abs=0.02)
        shares = [each["probability"] for each in found["classes"]]
        assert shares == sorted(shares, reverse=True)
        assert found["seen"] != found["overlay"]


def test_what_is_no_picture_is_said_so(
    outputs: RunOutputs, inspector: Inspector, tmp_path: Path
) -> None:
    text = tmp_path / "text.png"
    text.write_text("no picture")
    with pytest.raises(InspectionError, match=r"text\.png"):
        inspector.ask(TRY_PICTURE, model=str(model_of(outputs).folder), picture=str(text))
