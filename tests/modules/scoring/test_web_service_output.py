"""Web Service Output: the same rows as Parquet and CSV, also with classes named like columns."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from modules.artifacts import ScoredImages, Table
from modules.context import Context
from modules.scoring.score_table import scored_table
from modules.scoring.web_service_output import CSV_NAME, web_service_output


def test_rows_are_the_same_in_both_files(tmp_path: Path) -> None:
    classes = ("label", "file", 'comma, "quote"')
    probabilities = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]], np.float32)
    paths = ["a/1.png", "ü, 2.png"]
    losses = np.zeros(2, np.float32)
    (tmp_path / "scored").mkdir()
    table = scored_table(paths, [None, "label"], classes, probabilities, losses)
    scored = ScoredImages.write(tmp_path / "scored", table)
    predictions = web_service_output(scored, Context(tmp_path / "out"))[0]
    assert isinstance(predictions, Table)
    rows = predictions.rows
    names = ["file", "label", "confidence", *(f"probability {name}" for name in classes)]
    assert list(rows.columns) == names
    assert list(rows["label"]) == ["label", 'comma, "quote"']
    with (predictions.path / CSV_NAME).open(newline="", encoding="utf-8") as file:
        texts = list(csv.DictReader(file))
    assert [row["file"] for row in texts] == paths
    written = np.array([row["confidence"] for row in texts], np.float32)
    assert np.array_equal(written, rows["confidence"].to_numpy(np.float32))
