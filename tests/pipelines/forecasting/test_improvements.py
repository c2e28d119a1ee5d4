"""Ways to improve a result of frozen layers: valid, timed, judged, and compared afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from modules.models.weights_source import weights_sources
from modules.training.parameters import TrainParameters
from modules.transforms.init_image_transformation import InitImageTransformationParameters
from pipelines.document.document import PipelineDocument
from pipelines.document.overrides import apply_overrides
from pipelines.errors import RefusedError
from pipelines.forecasting import recipes
from pipelines.forecasting.first_results import Trained, first_result, trained_in
from pipelines.forecasting.improvements import (
    CORRECTED,
    CORRECTED_BY_NETWORK,
    _expected,
    improved_document,
    improvements_of,
    with_changes,
)
from pipelines.forecasting.recipes import TrainingImages
from pipelines.forecasting.starter_pipeline import starter_pipeline
from pipelines.forecasting.training_parts import TrainingParts, training_parts
from pipelines.problems import errors_in
from pipelines.runs.run_request import RunRequest
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.forecasting.own_images import kept, pictures


def starter(session: WorkspaceSession, folder: Path) -> PipelineDocument:
    source, summary = kept(session, pictures(folder, "bee", "ant"))
    return starter_pipeline(session.runs, source, "Mine", summary).document


def parts_of(session: WorkspaceSession, document: PipelineDocument) -> TrainingParts:
    [parts] = training_parts(document, session.catalog)
    return parts


def test_the_parts_of_a_starter_pipeline_are_found(tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        document = starter(session, tmp_path / "mine")
        parts = parts_of(session, document)
        assert (parts.train, parts.network) == ("train", "image_model")
        assert (parts.apply, parts.transformation) == ("apply", "transformation")
        assert parts.chosen.freeze == "all but the head"


@pytest.mark.parametrize("way", ["fine tuning", "longer", "from scratch", "more epochs"])
def test_every_change_leaves_a_pipeline_without_problems(way: str, tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        document = starter(session, tmp_path / "mine")
        parts, images = parts_of(session, document), TrainingImages(1500, 300)
        changes = {
            "fine tuning": recipes.fine_tuning(parts, images),
            "longer": recipes.fine_tuning(parts, images, is_longer=True),
            "from scratch": recipes.from_scratch(parts, images),
            "more epochs": recipes.more_epochs(parts),
        }[way]
        # of 24 images a batch of 32 is an error of its own, which 1,500 would not have
        changes[parts.train]["batch_size"] = 4
        changed = with_changes(document, session.runs, changes)
        problems = session.checks.problems(changed)
        assert [problem.message for problem in problems] == []
        again = parts_of(session, changed)
        if way != "more epochs":
            assert again.chosen.freeze == "none"
            operations = again.operations
            assert operations is not None
            assert operations.random_size == operations.crop_size


def test_the_epochs_of_a_fine_tuning_suit_the_number_of_images() -> None:
    parts = TrainingParts("train", TrainParameters(), "net", None)

    def epochs(num_images: int) -> tuple[int, int]:
        values = recipes.fine_tuning(parts, TrainingImages(num_images, 300))["train"]
        return values["epochs"], values["batch_size"]

    assert epochs(400) == (12, 32)
    assert epochs(100_000) == (recipes.FEWEST_EPOCHS, 32)
    assert epochs(9) == (38, 2)
    assert epochs(2) == (recipes.MOST_EPOCHS, 2)


def test_small_images_are_not_enlarged() -> None:
    operations = InitImageTransformationParameters(size=256, crop_size=224)
    parts = TrainingParts("train", TrainParameters(), "net", None, "apply", "t", operations)
    small, large = TrainingImages(400, 100), TrainingImages(400, 500)
    assert recipes.fine_tuning(parts, small)["t"]["random_size"] == 128
    assert recipes.fine_tuning(parts, small)["t"]["size"] == 146
    assert recipes.fine_tuning(parts, large)["t"]["random_size"] == 224


@pytest.mark.parametrize(
    ("num_wrong", "num_images", "shares", "said"),
    [
        (0, 5, CORRECTED, "not known: on 5 validation images, 40 percentage points can be chance"),
        (1, 1, CORRECTED, "not known: on 1 validation image, 100 percentage points"),
        (8, 60, CORRECTED, "Expected: 80 to 100 %"),
        (8, 60, (0.0, CORRECTED_BY_NETWORK), "not known: on 60 validation images, 9 percentage"),
        (400, 2000, (0.0, CORRECTED_BY_NETWORK), "Expected: 78 to 88 %"),
    ],
)
def test_an_expected_gain_counts_chance(
    num_wrong: int, num_images: int, shares: tuple[float, float], said: str
) -> None:
    parts = TrainingParts("train", TrainParameters(), "net", None)
    accuracy = 1 - num_wrong / num_images
    document = PipelineDocument(id="toy")
    trained = Trained(document, parts, accuracy, num_images, TrainingImages(num_images, 64))
    assert said in _expected(trained, *shares).message


def test_a_run_that_does_not_exist_or_trained_nothing_has_no_ways(tmp_path: Path) -> None:
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        assert improvements_of(session.runs, "none").choices == []
        with pytest.raises(RefusedError):
            improved_document(session.runs, "none", "fine_tune")


@pytest.mark.full  # as by HTTP: tests/designer_app/api
@pytest.mark.extended
def test_the_first_result_is_judged_improved_and_compared(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    with WorkspaceSession(Workspace.at(tmp_path / "workspace")) as session:
        document = starter(session, folder)
        pipeline_id = session.pipelines.create(document).pipeline_id

        def run(changed: PipelineDocument) -> str:
            run_id = session.runs.submit(RunRequest(changed, pipeline_id=pipeline_id))
            session.runs.wait_for_end(run_id)
            assert session.runs.store.state(run_id).status == "completed"
            return run_id

        first = run(document)
        curves = session.runs.store.metrics(first)
        [accuracy] = [point.value for point in curves if point.name == "Overall_Accuracy"]
        assert accuracy == 1, "one colour a class"
        trained = trained_in(session.runs, first)
        assert trained is not None
        assert trained.is_frozen
        assert trained.images == TrainingImages(19, 60)
        ways = improvements_of(session.runs, first)
        kinds = [choice.kind for choice in ways.choices]
        assert kinds[:2] == ["fine_tune", "longer"]
        assert all(choice.seconds > 0 for choice in ways.choices)
        assert ways.choices[1].seconds > ways.choices[0].seconds
        assert "validation images are right" in ways.verdict
        assert not any(choice.recommended for choice in ways.choices), "nothing is wrong"
        assert ways.first is None

        better = improved_document(session.runs, first, "fine_tune")
        assert errors_in(session.checks.problems(better)) == ()
        short = apply_overrides(better, ["train.epochs=1"], session.catalog)
        second = improvements_of(session.runs, run(short))
        assert second.first is not None
        assert second.first.run_id == first
        assert second.first.label == "Accuracy"
        assert [choice.kind for choice in second.choices] == ["more_epochs"]
        assert first_result(session.runs, first) is None
        larger = "efficientnet_lite1"
        if weights_sources((larger,), session.runs.workspace.weights_dir)[larger].sentence.key in (
            "source_included",
            "source_local",
        ):
            changed = [f"image_model.model_name={larger}"]
            other = run(apply_overrides(document, changed, session.catalog))
            compared = first_result(session.runs, other)
            assert compared is not None
            assert compared.run_id == first
            assert improvements_of(session.runs, other).first == compared
        with pytest.raises(RefusedError, match="fine_tune"):
            improved_document(session.runs, first, "by magic")
        session.runner.stop()


def test_pictures_have_the_size_that_the_tests_assume(tmp_path: Path) -> None:
    [first, *_] = sorted(pictures(tmp_path, "bee", "ant").glob("bee/*.png"))
    with Image.open(first) as image:
        assert min(image.size) == 60
