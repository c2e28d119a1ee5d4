"""Real photographs of digits learnt by a plain script: scored, evaluated, reused, run anew."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from modules.artifacts import EvaluationResults, ScoredImages
from pipelines.document.document import PipelineDocument
from pipelines.events import RunState
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import run, statuses
from tests.pipelines.execution.refusals import node, wired

pytestmark = pytest.mark.extended

NETWORK = """
from torch import nn


def make(num_classes):
    layers = []
    for taken, given in ((3, 16), (16, 32), (32, 64)):
        convolution = nn.Conv2d(taken, given, 3, padding=1, bias=False)
        layers += [convolution, nn.BatchNorm2d(given), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(64 * 4 * 4, num_classes))
"""
SCRIPT = """
import argparse

import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from network import make

parser = argparse.ArgumentParser()
parser.add_argument("--data")
parser.add_argument("--epochs", type=int, default=6)
options = parser.parse_args()

torch.manual_seed(0)
picture = transforms.Compose([transforms.Resize(32), transforms.ToTensor()])
training = datasets.ImageFolder(options.data + "/train", picture)
validation = datasets.ImageFolder(options.data + "/val", picture)
model = make(len(training.classes))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
loss_of = torch.nn.CrossEntropyLoss()


def accuracy():
    model.eval()
    with torch.no_grad():
        right = sum(
            (model(images).argmax(1) == labels).sum().item()
            for images, labels in DataLoader(validation, 64)
        )
    return right / len(validation)


for epoch in range(options.epochs):
    model.train()
    for images, labels in DataLoader(training, 32, shuffle=True):
        optimizer.zero_grad()
        loss = loss_of(model(images), labels)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}, accuracy {accuracy():.6f}", flush=True)
torch.save(model.state_dict(), "outputs/model.pt")
"""
CLASSES, PER_CLASS = 4, 60


@pytest.fixture
def pictures(tmp_path: Path, shared_data: Path) -> Path:
    """A few hundred photographs of hands that sign digits, a folder for each."""
    for label in map(str, range(CLASSES)):
        files = sorted((shared_data / "sign-language-digits" / label).glob("*.JPG"))
        (tmp_path / "signs" / label).mkdir(parents=True)
        for file in files[:PER_CLASS]:
            shutil.copy(file, tmp_path / "signs" / label)
    return tmp_path / "signs"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "network.py").write_text(NETWORK, encoding="utf-8")
    (folder / "train.py").write_text(SCRIPT, encoding="utf-8")
    return folder


def pipeline(pictures: Path, source: Path) -> PipelineDocument:
    size = {"class_count": CLASSES, "image_width": 32, "image_height": 32}
    network = {"source": "a file", "file": str(source / "network.py"), "network": "make", **size}
    script = {"source_folder": str(source), "arguments": ["--data", "{{inputs.images}}"]}
    settings = {"launcher": "none", "variables": {"OMP_NUM_THREADS": "1"}}
    return wired(
        [
            node("import", "import_images", source=f"file:{pictures}"),
            node("convert", "convert_to_image_directory"),
            node("resize", "init_image_transformation", size=32, crop_size=32),
            node("apply", "apply_image_transformation"),
            node("split", "split_image_directory", random_seed=1),
            node("script", "run_training_script", run_settings=settings, **script),
            node("network", "create_python_model", **network),
            node("make", "make_trained_model", normalisation="none"),
            node("score", "score_image_model"),
            node("evaluate", "evaluate_model"),
        ],
        "import.dataset -> convert.input_dataset",
        "resize.output_image_transformation -> apply.input_image_transformation",
        "convert.output_image_directory -> apply.input_image_directory",
        "apply.output_image_directory -> split.input_image_directory",
        "split.output_image_directory1 -> script.images",
        "split.output_image_directory2 -> script.more_images",
        "network.untrained_model -> make.untrained_model",
        "script.model -> make.model",
        "split.output_image_directory1 -> make.images",
        "make.trained_model -> score.trained_model",
        "split.output_image_directory2 -> score.dataset",
        "score.scored_dataset -> evaluate.scored_dataset",
    )


@pytest.mark.full  # test_training_scripts
def test_the_digits_learnt_by_a_plain_script_score_as_the_script_said(
    runs: RunService, pictures: Path, source: Path
) -> None:
    assert len(SCRIPT.strip().splitlines()) <= 41
    document = pipeline(pictures, source)
    wanted = {(problem.node, problem.parameter) for problem in runs.checks.problems(document)}
    assert ("network", "file") in wanted, "a file that is run is looked at first"
    runs.checks.allow_code_of(document)
    run_id, state = run(runs, document)
    assert state.status == "completed", state.problem
    accuracy = accuracy_of(runs, state)
    assert accuracy > 0.7
    assert accuracy == pytest.approx(reported_accuracy(runs, run_id), abs=0.05)

    _, again = run(runs, document)
    assert set(statuses(again).values()) == {"reused"}


@pytest.mark.full  # the same run twice; a changed script: test_training_scripts
def test_another_script_is_run_anew(runs: RunService, pictures: Path, source: Path) -> None:
    document = pipeline(pictures, source)
    runs.checks.allow_code_of(document)
    run(runs, document)
    changed = SCRIPT.replace("default=6", "default=7")
    (source / "train.py").write_text(changed, encoding="utf-8")
    run_id, state = run(runs, document)
    assert state.status == "completed", state.problem
    ran = {name for name, status in statuses(state).items() if status == "completed"}
    assert ran == {"script", "make", "score", "evaluate"}
    assert accuracy_of(runs, state) == pytest.approx(reported_accuracy(runs, run_id), abs=0.05)


def accuracy_of(runs: RunService, state: RunState) -> float:
    """As Evaluate Model has it, which is as the scored table has it."""
    scored = ScoredImages(Path(runs.artifacts.outputs(state.steps["score"])["scored_dataset"])).rows
    results = runs.artifacts.outputs(state.steps["evaluate"])["evaluation_results"]
    accuracy = EvaluationResults(Path(results)).metrics["Overall_Accuracy"]
    assert accuracy == pytest.approx((scored["Scored Labels"] == scored["category"]).mean())
    return float(accuracy)


def reported_accuracy(runs: RunService, run_id: str) -> float:
    """The accuracy that the script printed last."""
    log = runs.workspace.node_dir(run_id, "script") / "70_driver_log_0.txt"
    return float(re.findall(r"accuracy ([0-9.]+)", log.read_text(encoding="utf-8"))[-1])
