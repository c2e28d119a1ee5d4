"""The numbers in the cells of a confusion matrix can be read on every shade, in light and dark."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from designer_app.viewers import confusion
from tests.designer_app.http import Server

LIGHT, DARK = "#ffffff", "#1a1f28"
LEAST = 4.5


def channels(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def luminance(rgb: list[float]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [each / 255 for each in rgb]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(
    ("page", "colours", "letters", "strong"),
    [
        (LIGHT, confusion.ON_LIGHT, confusion.LETTERS, confusion.STRONG_ON_LIGHT),
        (DARK, confusion.ON_DARK, confusion.LETTERS[::-1], confusion.STRONG_ON_DARK),
    ],
)
@pytest.mark.parametrize("part", [step / 50 for step in range(51)])
def test_letters_can_be_read_on_every_cell(
    page: str,
    colours: tuple[str, str],
    letters: tuple[str, str],
    strong: tuple[float, float],
    part: float,
) -> None:
    opacity = confusion.PALEST + (1 - confusion.PALEST) * math.sqrt(part)
    for colour, threshold in zip(colours, strong, strict=True):
        letter = luminance(channels(letters[0] if part > threshold else letters[1]))
        both = zip(channels(page), channels(colour), strict=True)
        shade = [below + opacity * (above - below) for below, above in both]
        assert contrast(luminance(shade), letter) >= LEAST


def test_a_matrix_draws_its_fullest_cells_and_says_so(
    quiet: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer_app.application._current", quiet.application)
    cells = {"actual": ["ant", "ant", "bee"], "predicted": ["ant", "bee", "bee"]}
    pd.DataFrame({**cells, "count": [3, 1, 2]}).to_parquet(tmp_path / "confusion.parquet")
    pd.DataFrame({"class": ["ant", "bee"]}).to_parquet(tmp_path / "per_class.parquet")
    page = AppTest.from_function(drawn, default_timeout=120, args=(str(tmp_path),)).run()
    assert not page.exception
    assert not [each for each in page.caption if "fullest" in each.value]
    monkeypatch.setattr(confusion, "MAX_PAIRS", 2)
    assert "The 2 largest cells." in [each.value for each in page.run().caption]


def drawn(folder: str) -> None:
    from pathlib import Path

    from designer_app.viewers.confusion import show_confusion
    from designer_app.viewers.viewed_output import ViewedOutput
    from pipelines.inspection.artifact_info import ArtifactFacts
    from pipelines.workspace import Workspace

    kind, run_id = "EvaluationResults", "20260101-000000-abcd"
    facts = ArtifactFacts(Path(folder), kind, run_id, "evaluate", "evaluate_model")
    show_confusion(ViewedOutput(Workspace.at(Path(folder)), facts, "look", run_id), "")
