"""A script in a node trains, and what it made is scored and evaluated like any other model."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from PIL import Image

from modules.artifacts import EvaluationResults, TrainedModel
from pipelines.document.document import PipelineDocument
from pipelines.inspection.models import trained_facts
from pipelines.problems import CODE_NOT_ALLOWED, PipelineError
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from pipelines.validation.allowed_code import AllowedCode, shipped_code
from pipelines.workspace import Workspace
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import node, wired

TRAINING = """
import numpy as np
import torch
import torchvision
from PIL import Image


def designer_main(images1):
    pixels = np.stack([np.asarray(Image.open(path)) for path in images1.file_paths()])
    batch = torch.from_numpy(pixels).permute(0, 3, 1, 2) / 255
    labels = torch.tensor([images1.classes.index(name) for name in images1.labels])
    torch.manual_seed(0)
    model = torchvision.models.squeezenet1_1(num_classes=len(images1.classes))
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    for _ in range(20):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(batch), labels)
        loss.backward()
        optimizer.step()
    print("loss", loss.item())
    return model
"""


def pictures(folder: Path) -> str:
    """Two classes that differ in their colour."""
    for name, colour in (("blue", (20, 30, 200)), ("red", (200, 30, 20))):
        (folder / name).mkdir(parents=True)
        for number in range(6):
            shade = tuple(item + 5 * number for item in colour)
            Image.new("RGB", (32, 32), shade).save(folder / name / f"{number}.png")
    return f"file:{folder}"


def pipeline(source: str, code: str = TRAINING) -> PipelineDocument:
    return wired(
        [
            node("import", "import_images", source=source),
            node("convert", "convert_to_image_directory"),
            node("script", "execute_python_script", code=code),
            node("network", "image_model", model_name="squeezenet1_1", pretrained=False),
            node("make", "make_trained_model", normalisation="none"),
            node("score", "score_image_model"),
            node("evaluate", "evaluate_model"),
        ],
        "import.dataset -> convert.input_dataset",
        "convert.output_image_directory -> script.images1",
        "network.untrained_model -> make.untrained_model",
        "script.model -> make.model",
        "convert.output_image_directory -> make.images",
        "make.trained_model -> score.trained_model",
        "convert.output_image_directory -> score.dataset",
        "score.scored_dataset -> evaluate.scored_dataset",
    )


@pytest.mark.full  # each module: tests/modules/scripts
@pytest.mark.extended
def test_from_a_script_to_an_evaluated_and_registered_model(
    runs: RunService, tmp_path: Path
) -> None:
    document = pipeline(pictures(tmp_path / "pictures"))
    runs.checks.allow_code_of(document)
    run_id, state = run(runs, document)
    assert state.status == "completed", state.problem

    outputs = runs.artifacts.outputs(state.steps["evaluate"])["evaluation_results"]
    assert EvaluationResults(Path(outputs)).metrics["Overall_Accuracy"] == 1.0
    made = TrainedModel(Path(runs.artifacts.outputs(state.steps["make"])["trained_model"]))
    assert trained_facts(made.path).best_epoch is None
    registry = ModelRegistry(runs.database, runs.artifacts)
    [(at, artifact_id, port)] = registry.trained_by(run_id)
    assert at == "make"
    assert registry.register(artifact_id, port, "own").reference == "own@1"


@pytest.mark.extended
def test_code_from_elsewhere_starts_nothing_until_it_is_allowed(
    runs: RunService, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    code = f"def designer_main():\n    open({str(ran)!r}, 'w').close()\n"
    document = wired([node("script", "execute_python_script", code=code)])
    with pytest.raises(PipelineError) as caught:
        run(runs, document)
    [problem] = caught.value.problems
    assert (problem.code, problem.node) == (CODE_NOT_ALLOWED.code, "script")
    assert problem.parameter == "code"
    assert not ran.exists()

    path = tmp_path / "brought.json"
    path.write_text(json.dumps(document.to_json()), encoding="utf-8")
    assert "--allow-code" in designer(runs, "run", path).output
    assert not ran.exists()
    assert designer(runs, "run", path, "--allow-code").exit_code == 0
    assert ran.exists()
    assert designer(runs, "validate", path).exit_code == 0
    kept = runs.workspace.allowed_code_path
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    changed = wired([node("script", "execute_python_script", code=f"{code}\n")])
    assert [item.code for item in runs.checks.problems(changed)] == [CODE_NOT_ALLOWED.code]


def test_a_modules_own_default_needs_no_allowance(runs: RunService) -> None:
    document = wired([node("script", "execute_python_script")])
    assert runs.checks.problems(document) == []


def test_allowances_add_up_and_damaged_ones_allow_nothing(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    AllowedCode(workspace).allow(["a" * 64])
    AllowedCode(workspace).allow(["b" * 64])
    allowed = AllowedCode(workspace)
    assert allowed.allows("a" * 64)
    assert allowed.allows("b" * 64)
    workspace.allowed_code_path.write_text('{"sha256": 5}', encoding="utf-8")
    assert not allowed.allows("a" * 64)
    assert all(allowed.allows(item) for item in shipped_code())


def test_the_plan_of_a_run_looks_again(runs: RunService) -> None:
    script = node("script", "execute_python_script", code="def designer_main(): pass\n")
    document = wired([script, node("init", "init_image_transformation")])
    run_id = runs.store.create(document.to_json(), ["script", "init"], name="1", experiment="e")
    runs.runner.ensure()
    runs.wait_for_end(run_id)
    state = runs.store.state(run_id)
    assert state.status == "failed"
    assert CODE_NOT_ALLOWED.code in str(runs.store.events_after(run_id, 0))
    beside = state.steps["init"].problem
    assert beside is not None
    assert "not started because of" in beside["message"], "it needs no output of the other node"
