"""A network of one's own learns the digits: trained, scored, evaluated and registered."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.artifacts import EvaluationResults, TrainedModel
from modules.scripts.create_python_model import DEFAULT
from pipelines.document.document import PipelineDocument
from pipelines.inspection.models import trained_facts
from pipelines.problems import CODE_NOT_ALLOWED, PipelineError
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run, statuses
from tests.pipelines.execution.refusals import node, wired

CODE = DEFAULT.replace("class Network", "class Digits")
SIZE = {"class_count": 10, "image_width": 16, "image_height": 16}


def pipeline(
    code: str = CODE, source: str = "sample:digits", **network: object
) -> PipelineDocument:
    return wired(
        [
            node("import", "import_images", source=source),
            node("convert", "convert_to_image_directory"),
            node("split", "split_image_directory"),
            node("network", "create_python_model", code=code, **{**SIZE, **network}),
            node("train", "train_pytorch_model", epochs=8, batch_size=32, learning_rate=0.1),
            node("score", "score_image_model"),
            node("evaluate", "evaluate_model"),
        ],
        "import.dataset -> convert.input_dataset",
        "convert.output_image_directory -> split.input_image_directory",
        "network.untrained_model -> train.untrained_model",
        "split.output_image_directory1 -> train.training_dataset",
        "split.output_image_directory2 -> train.validation_dataset",
        "train.trained_model -> score.trained_model",
        "split.output_image_directory2 -> score.dataset",
        "score.scored_dataset -> evaluate.scored_dataset",
    )


@pytest.mark.full  # as test_own_python; learning: tests/modules/scripts
@pytest.mark.extended
def test_from_typed_code_to_an_evaluated_and_registered_model(
    runs: RunService, tmp_path: Path
) -> None:
    document = pipeline()
    with pytest.raises(PipelineError) as caught:
        run(runs, document)
    assert [problem.code for problem in caught.value.problems] == [CODE_NOT_ALLOWED.code]

    runs.checks.allow_code_of(document)
    run_id, state = run(runs, document)
    assert state.status == "completed", state.problem
    results = runs.artifacts.outputs(state.steps["evaluate"])["evaluation_results"]
    accuracy = EvaluationResults(Path(results)).metrics["Overall_Accuracy"]
    assert accuracy > 0.8
    trained = TrainedModel(Path(runs.artifacts.outputs(state.steps["train"])["trained_model"]))
    assert trained_facts(trained.path).architecture == "Digits"

    registry = ModelRegistry(runs.database, runs.artifacts)
    [(_, artifact_id, port)] = registry.trained_by(run_id)
    registry.register(artifact_id, port, "own")
    again = wired(
        [
            node("import", "import_images", source="sample:digits"),
            node("convert", "convert_to_image_directory"),
            node("split", "split_image_directory"),
            node("model", "registered_model", model="own@1"),
            node("score", "score_image_model"),
            node("evaluate", "evaluate_model"),
        ],
        "import.dataset -> convert.input_dataset",
        "convert.output_image_directory -> split.input_image_directory",
        "model.trained_model -> score.trained_model",
        "split.output_image_directory2 -> score.dataset",
        "score.scored_dataset -> evaluate.scored_dataset",
    )
    _, state = run(runs, again)
    assert state.status == "completed", state.problem
    results = runs.artifacts.outputs(state.steps["evaluate"])["evaluation_results"]
    assert EvaluationResults(Path(results)).metrics["Overall_Accuracy"] == accuracy

    output = designer(runs, "models", "export", "own", tmp_path / "own.safetensors").output
    assert "does not contain the code of its network" in output
    assert designer(runs, "models", "export", "own", tmp_path / "folder").exit_code == 0
    assert '"code"' in (tmp_path / "folder" / "model.json").read_text(encoding="utf-8")


@pytest.mark.extended
def test_a_network_that_gives_no_score_per_class_ends_the_run_where_it_is_made(
    runs: RunService,
) -> None:
    few = "sample:shapes?classes=4&images=40&size=16"
    document = pipeline(CODE.replace("nn.Linear(64, num_classes)", "nn.Linear(64, 7)"), few)
    runs.checks.allow_code_of(document)
    _, state = run(runs, document)
    assert statuses(state)["network"] == "failed"
    assert "train" not in state.steps or state.steps["train"].status != "completed"
    assert "one score for each of 10 classes" in str(state.steps["network"].problem)
