"""What a pipeline refers to and the workspace lacks is said before the run, at its node."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from modules.datasets.registered import register_dataset
from modules.downloads.offline import OFFLINE_VARIABLE
from modules.models.pretrained_weights import PUBLISHED
from pipelines.document.document import PipelineDocument
from pipelines.problems import PipelineError
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import build

TRANSFER = build(
    {}, {"net": {"module": "resnet", "model_name": "resnet18", "freeze": "all but the head"}}
)


def importing(source: str, **more: object) -> PipelineDocument:
    return build({}, {"images": {"module": "import_images", "source": source, **more}})


def test_a_dataset_that_is_gone_is_a_problem_at_its_node(runs: RunService, tmp_path: Path) -> None:
    document = importing("dataset:birds@2")
    [problem] = runs.checks.problems(document)
    assert (problem.code, problem.node, problem.parameter) == ("3017", "images", "source")
    assert "birds@2" in problem.message
    assert problem.remedy is None
    with pytest.raises(PipelineError, match="birds@2"):
        runs.submit(RunRequest(document))
    (tmp_path / "wren").mkdir()
    Image.new("RGB", (8, 8)).save(tmp_path / "wren" / "1.png")
    register_dataset(tmp_path, "birds", runs.workspace.datasets_dir)
    [problem] = runs.checks.problems(document)
    assert problem.remedy == {"set": {"source": "dataset:birds@1"}}
    assert runs.checks.problems(importing("dataset:birds@1")) == []


def test_other_sources_and_disabled_nodes_lack_no_dataset(runs: RunService) -> None:
    assert runs.checks.problems(importing("sample:digits")) == []
    codes = [
        problem.code for problem in runs.checks.problems(importing("dataset:birds", disabled=True))
    ]
    assert codes == ["3027"]  # there is no node to run
    assert "3017" not in [
        problem.code for problem in runs.checks.problems(importing("dataset:../etc"))
    ]


def test_weights_to_be_downloaded_are_a_warning_that_says_how_much(
    runs: RunService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OFFLINE_VARIABLE, "0")
    [problem] = runs.checks.problems(TRANSFER)
    name, megabytes = PUBLISHED["resnet18"]
    assert (problem.code, problem.severity, problem.parameter) == ("3033", "warning", "pretrained")
    assert name in problem.message
    assert f"about {megabytes} MB" in problem.message
    assert str(runs.workspace.weights_dir) in problem.message
    assert problem.remedy is not None
    network = problem.remedy["use_network"]
    chosen = {"module": network["module"], "freeze": "all but the head", **network["parameters"]}
    assert runs.checks.problems(build({}, {"net": chosen})) == []
    monkeypatch.setenv(OFFLINE_VARIABLE, "1")
    [offline] = runs.checks.problems(TRANSFER)
    assert (offline.code, offline.remedy) == (problem.code, problem.remedy)
    assert "this machine is offline" in offline.message
    (runs.workspace.weights_dir / name).touch()
    assert runs.checks.problems(TRANSFER) == []
