"""What Train, Score and Evaluate say of the same loss, in a run of a model that errs surely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from modules.artifacts import EvaluationResults, ScoredImages, TrainedModel
from modules.scoring.score_table import CATEGORY, LOSS, Scored
from pipelines.document.document import PipelineDocument
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import node, wired
from tests.pipelines.execution.small_trainings import pictures

pytestmark = pytest.mark.extended

FLOAT32_CAP = 15.942385
"""The negative logarithm of what float32 can tell from 0 beside 1."""
SKLEARN_CAP = 36.0
"""The same of float64."""


def overconfident(training: str, validation: str) -> PipelineDocument:
    """A network taught much too fast on noise, scored on other noise."""
    nodes = [
        node("resnet", "resnet", model_name="resnet18", pretrained=False),
        node(
            "train",
            "train_pytorch_model",
            epochs=4,
            batch_size=4,
            learning_rate=1.0,
            precision="fp32",
            reproducible="on",
        ),
        node("score", "score_image_model"),
        node("evaluate", "evaluate_model"),
    ]
    links = [
        "resnet.untrained_model -> train.untrained_model",
        "train.trained_model -> score.trained_model",
        "convert-validation.output_image_directory -> score.dataset",
        "score.scored_dataset -> evaluate.scored_dataset",
    ]
    for name, source in (("training", training), ("validation", validation)):
        nodes.append(node(f"import-{name}", "import_images", source=source))
        nodes.append(node(f"convert-{name}", "convert_to_image_directory"))
        links.append(f"import-{name}.dataset -> convert-{name}.input_dataset")
        links.append(f"convert-{name}.output_image_directory -> train.{name}_dataset")
    return wired(nodes, *links)


@pytest.mark.full  # each loss: tests/modules
def test_log_loss_is_the_loss_that_training_and_scoring_tell(
    shared_runs: RunService, tmp_path: Path
) -> None:
    from sklearn.metrics import log_loss

    sources = (pictures(tmp_path / name, "abc", 8) for name in ("training", "validation"))
    _, state = run(shared_runs, overconfident(*sources))
    assert state.status == "completed", state.problem
    folders = {name: shared_runs.artifacts.outputs(step) for name, step in state.steps.items()}
    metrics = EvaluationResults(Path(folders["evaluate"]["evaluation_results"])).metrics
    scored = Scored.read(ScoredImages(Path(folders["score"]["scored_dataset"])), "scored_dataset")
    model = TrainedModel(Path(folders["train"]["trained_model"]))
    losses = scored.rows[LOSS].to_numpy(dtype=np.float64)
    assert losses.max() > FLOAT32_CAP, "no image shows the cap"
    assert metrics["Log_Loss"] == pytest.approx(losses.mean(), rel=1e-6)
    best = model.history["Valid loss"].iloc[model.description["best_epoch"] - 1]
    assert metrics["Log_Loss"] == pytest.approx(best, rel=1e-3)
    is_reported = losses < SKLEARN_CAP
    actual = scored.rows[CATEGORY][is_reported]
    expected = log_loss(actual, scored.probabilities[is_reported], labels=list(scored.classes))
    assert losses[is_reported].mean() == pytest.approx(expected, rel=1e-5)
    assert losses[is_reported].max() > FLOAT32_CAP or losses.max() > SKLEARN_CAP
