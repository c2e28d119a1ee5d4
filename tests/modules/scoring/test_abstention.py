"""The threshold below which a model answers "I do not know"."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modules.artifacts import ScoredImages, TrainedModel
from modules.context import Context, Report
from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.models.abstention import ABSTENTION, threshold_of
from modules.models.serialization import load_trained
from modules.scoring.abstention import fit_threshold
from modules.scoring.confidence_threshold import ThresholdParameters, confidence_threshold
from modules.scoring.score_image_model import score_image_model
from modules.scoring.score_table import CATEGORY, LABEL, scored_table
from tests.modules.scoring.small import CLASSES, random_model
from tests.modules.training.noise import noise_squares

CASES = st.lists(
    st.tuples(st.sampled_from([0.2, 0.4, 0.5, 0.6, 0.75, 0.9, 0.99, 1.0]), st.booleans()),
    min_size=1,
    max_size=40,
)


@given(CASES, st.sampled_from([0.01, 0.02, 0.05, 0.3]))
def test_no_lower_threshold_keeps_to_the_share(
    cases: list[tuple[float, bool]], allowed: float
) -> None:
    confidences = np.array([confidence for confidence, _ in cases])
    is_right = np.array([right for _, right in cases])

    def wrong_share(threshold: float) -> float:
        accepted = confidences >= threshold
        return float((~is_right[accepted]).mean())

    fitted = fit_threshold(list(confidences), list(is_right), allowed)
    fitting = [value for value in set(confidences) if wrong_share(value) <= allowed]
    if fitted is None:
        assert fitting == []
        return
    accepted = confidences >= fitted.threshold
    assert set(confidences[accepted]) == {v for v in confidences if v >= min(fitting)}
    assert fitted.answered == pytest.approx(accepted.mean())
    assert fitted.wrong == pytest.approx(wrong_share(fitted.threshold))
    assert fitted.wrong <= allowed
    assert fitted.wrong <= fitted.wrong_at_most <= 1


def test_few_images_leave_a_wide_bound() -> None:
    few, many = (fit_threshold([0.9] * n, [True] * n, 0.02) for n in (20, 2000))
    assert few is not None
    assert many is not None
    assert few.wrong == many.wrong == 0
    assert few.wrong_at_most == pytest.approx(0.119, abs=0.002)
    assert many.wrong_at_most == pytest.approx(0.0014, abs=0.0002)


def _model(folder: Path) -> TrainedModel:
    return random_model(folder)


def _scored(folder: Path, confidences: list[float], rights: list[bool]) -> ScoredImages:
    """Images of the first class; wrong ones are taken for the second."""
    folder.mkdir(parents=True)
    rows = []
    for confidence, right in zip(confidences, rights, strict=True):
        rest = (1 - confidence) / 2
        rows.append([confidence, rest, rest] if right else [rest, confidence, rest])
    paths = [f"{number}.png" for number in range(len(rows))]
    probabilities = np.array(rows, np.float32)
    categories = [CLASSES[0]] * len(rows)
    losses = np.zeros(len(rows), np.float32)
    return ScoredImages.write(
        folder, scored_table(paths, categories, CLASSES, probabilities, losses)
    )


def test_a_model_with_a_threshold_abstains_in_scoring(tmp_path: Path) -> None:
    model = _model(tmp_path / "model")
    confidences = [0.95] * 60 + [0.6] * 40 + [0.55] * 20
    rights = [True] * 60 + [True] * 39 + [False] + [False] * 20
    events: list[Report] = []
    context = Context(tmp_path / "fit", emit=events.append)
    scored = _scored(tmp_path / "scored", confidences, rights)
    [fitted] = confidence_threshold(model, scored, ThresholdParameters(), context)
    assert threshold_of(model) is None
    assert threshold_of(fitted) == pytest.approx(0.575, abs=1e-4)
    stored = fitted.description[ABSTENTION]
    assert (stored["answered"], stored["wrong"]) == (pytest.approx(100 / 120), 0.01)
    [summary] = [event["text"] for event in events if event["kind"] == "summary"]
    assert "83.3 %" in summary
    load_trained(fitted)  # the weights came along
    dataset = noise_squares(tmp_path / "store/a/out")
    tables = [
        score_image_model(
            candidate, dataset, Context(tmp_path / name, cache_dir=tmp_path / "cache", threads=1)
        )[0].rows
        for name, candidate in (("plain", model), ("abstaining", fitted))
    ]
    assert "accepted" not in tables[0].columns
    wanted = tables[1]["confidence"] >= np.float32(threshold_of(fitted) or 0)
    assert list(tables[1]["accepted"]) == list(wanted)
    assert list(tables[1].drop(columns="accepted")[LABEL]) == list(tables[0][LABEL])


def test_what_cannot_be_fitted_is_refused(tmp_path: Path) -> None:
    model = _model(tmp_path / "model")
    events: list[Report] = []

    def fit(scored: ScoredImages) -> None:
        context = Context(tmp_path / f"fit-{len(list(tmp_path.iterdir()))}", emit=events.append)
        confidence_threshold(model, scored, ThresholdParameters(wrong_answers="1 %"), context)

    with pytest.raises(InvalidDatasetError, match="1 %"):
        fit(_scored(tmp_path / "wrong", [0.9] * 50, [False] * 50))
    rows = _scored(tmp_path / "right", [0.9] * 50, [True] * 50).rows
    fit(ScoredImages(tmp_path / "right"))
    assert any("50 images" in str(event.get("message")) for event in events)
    (tmp_path / "unlabeled").mkdir()
    unlabeled = ScoredImages.write(tmp_path / "unlabeled", rows.drop(columns=CATEGORY))
    with pytest.raises(NotLabeledDatasetError):
        fit(unlabeled)
    renamed = rows.rename(columns={f"Scored Probabilities_{CLASSES[0]}": "Scored Probabilities_x"})
    (tmp_path / "other").mkdir()
    with pytest.raises(InvalidDatasetError, match="classes"):
        fit(ScoredImages.write(tmp_path / "other", renamed))
