"""A class that a script learnt is the class that its model scores, in whatever order they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.artifacts import ImageDirectory, TrainedModel
from modules.foreign_model import ForeignModel
from modules.scoring.score_image_model import score_image_model
from modules.scripts.execute_python_script import (
    ExecutePythonScriptParameters,
    execute_python_script,
)
from modules.scripts.make_trained_model import MakeTrainedModelParameters, make_trained_model
from tests.modules.conftest import Workplace
from tests.modules.scripts.conftest import ScriptStep
from tests.modules.training.noise import noise_squares, untrained

NETWORK = "shufflenet_v2_x0_5"
ONE_ANSWER = f"""
import torch, torchvision

def always(index):
    network = torchvision.models.{NETWORK}(num_classes=3)
    torch.nn.init.zeros_(network.fc.weight)
    with torch.no_grad():
        network.fc.bias.copy_(10 * torch.eye(3)[index])
    return network
"""
SCRIPT = (
    ONE_ANSWER
    + """
import sys
folders = torchvision.datasets.ImageFolder(sys.argv[1]).class_to_idx
torch.save(always(folders["N_A"]).state_dict(), "outputs/model.pt")
"""
)
CODE = (
    ONE_ANSWER
    + """
def designer_main(images1, model):
    return {"model": model or always(images1.classes.index("N/A"))}
"""
)


@pytest.fixture
def images(tmp_path: Path) -> ImageDirectory:
    """Three classes that neither the alphabet nor their folders have in this order."""
    operations = [{"operation": "resize", "size": 32}]
    classes = ["N/A", "NORMAL", "ILL"]
    return noise_squares(tmp_path / "store/images/out", classes, 2, operations=operations)


def by_run_training_script(images: ImageDirectory, step: ScriptStep) -> ForeignModel:
    outputs = step.run(
        SCRIPT,
        inputs={"images": images},
        arguments=["{{inputs.images}}"],
        model_file="outputs/model.pt",
    )
    return outputs.model


def by_execute_python_script(
    images: ImageDirectory, workplace: Workplace, model: ForeignModel | None = None
) -> ForeignModel:
    parameters = ExecutePythonScriptParameters(code=CODE)
    context = workplace.context()
    made = execute_python_script(parameters, context, images1=images, model=model).model
    assert isinstance(made, ForeignModel)
    return made


@pytest.mark.parametrize(
    "script",
    [
        "both",
        pytest.param("Run Training Script", marks=pytest.mark.extended),
        pytest.param("Execute Python Script", marks=pytest.mark.extended),
    ],
)
def test_what_a_script_calls_a_class_is_scored_as_that_class(
    script: str, images: ImageDirectory, step: ScriptStep, workplace: Workplace, tmp_path: Path
) -> None:
    model = None
    if script != "Execute Python Script":
        model = by_run_training_script(images, step)
    if script != "Run Training Script":
        model = by_execute_python_script(images, workplace, model)
    assert model is not None
    trained = make_trained_model(
        untrained(tmp_path / "network", NETWORK),
        model,
        images,
        MakeTrainedModelParameters(),
        workplace.context(),
    ).trained_model
    assert isinstance(trained, TrainedModel)
    scored = score_image_model(trained, images, workplace.context()).scored_dataset
    assert set(scored.rows["Scored Labels"]) == {"N/A"}
