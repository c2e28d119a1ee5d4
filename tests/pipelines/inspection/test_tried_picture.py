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
    artifact = outputs.input("score", "trained_model")
    assert artifact is not None
    return artifact


def test_a_picture_gets_the_probabilities_that_score_gave_it(
    outputs: RunOutputs, inspector: Inspector, tmp_path: Path
) -> None:
    scored = next(entry for entry in outputs.all if entry.node == "score")
    dataset = outputs.dataset_of(scored)
    assert dataset is not None
    rows = ScoredImages(scored.folder).rows
    for place in (0, len(rows) - 1):
        picture = tmp_path / f"mine{place}.png"
        picture.write_bytes(files_of(dataset.folder)[place].read_bytes())
        answer = inspector.ask(
            TRY_PICTURE, model=str(model_of(outputs).folder), picture=str(picture)
        )
        row = rows.iloc[place]
        assert answer["category"] == row["Scored Labels"]
        for item in answer["classes"]:
            value = row[f"Scored Probabilities_{item['name']}"]
            assert item["probability"] == pytest.approx(float(value), abs=0.02)
        shares = [entry["probability"] for entry in answer["classes"]]
        assert shares == sorted(shares, reverse=True)
        assert answer["seen"] != answer["overlay"]


def test_what_is_no_picture_is_said_so(
    outputs: RunOutputs, inspector: Inspector, tmp_path: Path
) -> None:
    text = tmp_path / "text.png"
    text.write_text("no picture")
    with pytest.raises(InspectionError, match="This file cannot be used") as caught:
        inspector.ask(TRY_PICTURE, model=str(model_of(outputs).folder), picture=str(text))
    assert caught.value.cure == "Choose a JPEG or PNG image."  # nothing about Convert's parameters
