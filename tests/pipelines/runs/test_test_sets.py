"""What is said where a model meets other classes, and two models other images, by real runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from modules.artifacts import EvaluationResults, ScoredImages
from pipelines.document.document import PipelineDocument
from pipelines.runs.comparison import compare
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import Node, node, wired
from tests.pipelines.execution.small_trainings import pictures


def evaluation(old: str, *new: str) -> PipelineDocument:
    """Train on one source, score one or two others, evaluate them together."""
    nodes: list[Node] = [
        node("resnet", "resnet", model_name="resnet18", pretrained=False),
        node("train", "train_pytorch_model", epochs=1, batch_size=4),
        node("evaluate", "evaluate_model"),
        node("import", "import_images", source=old),
        node("convert", "convert_to_image_directory"),
    ]
    links = [
        "import.dataset -> convert.input_dataset",
        "resnet.untrained_model -> train.untrained_model",
        "convert.output_image_directory -> train.training_dataset",
        "convert.output_image_directory -> train.validation_dataset",
    ]
    for number, source in enumerate(new):
        port = "scored_dataset_to_compare" if number else "scored_dataset"
        nodes.append(node(f"import{number}", "import_images", source=source))
        nodes.append(node(f"convert{number}", "convert_to_image_directory"))
        nodes.append(node(f"score{number}", "score_image_model"))
        links.append(f"import{number}.dataset -> convert{number}.input_dataset")
        links.append(f"convert{number}.output_image_directory -> score{number}.dataset")
        links.append(f"train.trained_model -> score{number}.trained_model")
        links.append(f"score{number}.scored_dataset -> evaluate.{port}")
    return wired(nodes, *links)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> str:
    return pictures(tmp_path_factory.mktemp("old"), "ab", 4)


def evaluated(runs: RunService, document: PipelineDocument) -> tuple[EvaluationResults, list[str]]:
    """The results and the warnings."""
    _, state = run(runs, document)
    assert state.status == "completed", state.problem
    step = state.steps["evaluate"]
    return EvaluationResults(
        Path(runs.artifacts.outputs(step)["evaluation_results"])
    ), step.warnings


@pytest.mark.extended
def test_images_of_unknown_classes_count_in_every_metric(
    shared_runs: RunService, tmp_path: Path
) -> None:
    known, new = (
        pictures(tmp_path / "known", "abcdef", 4),
        pictures(tmp_path / "new", "abcdefuvwxyz", 1),
    )
    results, warnings = evaluated(shared_runs, evaluation(known, new))
    metrics = results.metrics
    assert any(
        "6 of 12 images (50.0 %)" in warning and "u, v, w, x, y, z" in warning
        for warning in warnings
    )
    assert "Log_Loss" not in metrics
    assert metrics["Overall_Accuracy"] <= metrics["Top_5_Accuracy"] <= 0.5
    assert metrics["Micro_Recall"] == metrics["Overall_Accuracy"]
    assert pd.read_parquet(results.path / "confusion.parquet")["count"].sum() == 12
    assert pd.read_parquet(results.path / "calibration.parquet")["count"].sum() == 12


def test_equal_names_are_not_equal_images(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    one, other = (pictures(tmp_path / name, "ab", 3) for name in ("one", "other"))
    results, warnings = evaluated(shared_runs, evaluation(old, one, other))
    assert any("test sets differ" in warning and "share 0." in warning for warning in warnings)
    assert len(pd.read_parquet(results.path / "flipped.parquet")) == 0


@pytest.mark.full  # compared runs match by content too: below
@pytest.mark.extended
def test_equal_images_are_told_under_other_names(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    one = pictures(tmp_path / "one", "ab", 3)
    for letter in "ab":
        (tmp_path / "other" / letter).mkdir(parents=True)
        for number in range(3):
            source = tmp_path / "one" / letter / f"{number}.png"
            shutil.copy(source, tmp_path / "other" / letter / f"photo-{number}.png")
    _, warnings = evaluated(shared_runs, evaluation(old, one, f"file:{tmp_path / 'other'}"))
    assert warnings == []
    shutil.copy(tmp_path / "one/a/0.png", tmp_path / "other/a/twice.png")
    _, warnings = evaluated(shared_runs, evaluation(old, one, f"file:{tmp_path / 'other'}"))
    assert any("contain 6 and 7 images and share 6." in warning for warning in warnings)


def test_compared_runs_tell_pictures_by_content_when_their_images_are_gone(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    ids = []
    for name in ("one", "other"):
        run_id, state = run(shared_runs, evaluation(old, pictures(tmp_path / name, "ab", 3)))
        ids.append(run_id)
        folder = shared_runs.artifacts.outputs(state.steps["convert0"])["output_image_directory"]
        shutil.rmtree(Path(folder))
    [flip] = compare(shared_runs, ids).flips
    assert (flip.scored, flip.shared, flip.flipped) == ([6, 6], 0, 0)
    assert flip.same_files
    said = designer(shared_runs, "runs", "compare", *ids)
    assert "the test sets differ" in " ".join(said.stdout.split())


@pytest.mark.extended
def test_tables_of_earlier_versions_are_matched_by_path(
    old: str, shared_runs: RunService, tmp_path: Path
) -> None:
    ids = []
    for number, name in enumerate(("one", "other")):
        run_id, state = run(shared_runs, evaluation(old, pictures(tmp_path / name, "ab", 3)))
        ids.append(run_id)
        if number == 0:
            scored = ScoredImages(
                Path(shared_runs.artifacts.outputs(state.steps["score0"])["scored_dataset"])
            )
            ScoredImages.write(scored.path, scored.rows.drop(columns="sha256"))
            folder = shared_runs.artifacts.outputs(state.steps["convert0"])[
                "output_image_directory"
            ]
            shutil.rmtree(Path(folder))
    [flip] = compare(shared_runs, ids).flips
    assert (flip.shared, flip.same_files) == (6, False)
    said = json.loads(designer(shared_runs, "runs", "compare", *ids, "--json").stdout)
    assert said["flips"][0]["shared"] == 6
