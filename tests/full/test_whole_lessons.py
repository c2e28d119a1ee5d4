"""What lessons teach, with all their pictures; that each of them runs is seen elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.artifacts import ImageDirectory
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import place, run, shared_runs
from tests.pipelines.lessons.lessons import evaluation, lesson, runs

__all__ = ["place", "runs", "shared_runs"]
pytestmark = pytest.mark.full


@pytest.mark.parametrize(
    ("name", "epochs", "accuracy"),
    [("01-digits", 1, 0.6), ("02-shapes-resnet", 4, 0.5), ("06-distributed", 2, 0.7)],
)
def test_part_of_its_epochs_teach_it_already(
    name: str, epochs: int, accuracy: float, runs: RunService
) -> None:
    _, state = run(runs, lesson(runs, name, f"train.epochs={epochs}"))
    assert state.status == "completed", state.problem
    assert evaluation(runs, state)["Overall_Accuracy"] > accuracy


def test_03_compares_two_models(runs: RunService) -> None:
    _, state = run(runs, lesson(runs, "03-two-models-compared"))
    metrics = evaluation(runs, state)
    assert min(metrics["Overall_Accuracy"], metrics["compared"]["Overall_Accuracy"]) > 0.8


def test_04_takes_a_folder_of_real_pictures(runs: RunService, shared_data: Path) -> None:
    source = f"import.source=file:{shared_data / 'sign-language-digits'}"
    smaller = [f"transformation.{name}=32" for name in ("size", "crop_size")]
    changes = (source, *smaller, "train.epochs=6")
    _, state = run(runs, lesson(runs, "04-your-own-folder", *changes))
    assert state.status == "completed", state.problem
    converted = ImageDirectory(
        Path(runs.artifacts.outputs(state.steps["convert"])["output_image_directory"])
    )
    assert len(converted.images) == 2062
    assert evaluation(runs, state)["Overall_Accuracy"] >= 0.90
