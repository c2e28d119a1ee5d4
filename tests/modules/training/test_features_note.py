"""Forecasts say whether the frozen layers run once per image or in every epoch."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.context import Context
from modules.forecast import ArtifactForecast
from modules.training.forecast import forecast_training
from modules.training.parameters import TrainParameters

SIZES = ({"operation": "resize", "size": 256}, {"operation": "center_crop", "size": 224})
FLIP = {"operation": "random_horizontal_flip", "p": 0.5}


@pytest.mark.parametrize(
    ("freeze", "operations", "expected"),
    [
        ("all but the head", SIZES, ["The frozen layers run once per image"]),
        (
            "all but the head",
            (SIZES[0], FLIP, SIZES[1]),
            ["every epoch, because random operations change the images (random horizontal flip)"],
        ),
        ("none", (FLIP,), []),
    ],
)
def test_a_forecast_explains_stored_features(
    tmp_path: Path, freeze: str, operations: tuple[dict[str, object], ...], expected: list[str]
) -> None:
    inputs = {
        "untrained_model": ArtifactForecast(recipe={"architecture": "a", "freeze": freeze}),
        "training_dataset": ArtifactForecast(transformation=operations),
    }
    notes = forecast_training(inputs, TrainParameters(), Context(tmp_path)).notes
    assert len(notes) == len(expected)
    for note, part in zip(notes, expected, strict=True):
        assert part in note.message
