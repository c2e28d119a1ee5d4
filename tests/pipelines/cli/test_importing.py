"""``designer import``: a file of another tool becomes a pipeline document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.document.document import load_document

CONFIGURATION = """
from azureml.core import ScriptRunConfig
from azureml.core.runconfig import PyTorchConfiguration
config = ScriptRunConfig(
    source_directory='.',
    script='train.py',
    arguments=['--epochs', 30],
    environment=unknown,
    distributed_job_config=PyTorchConfiguration(process_count=4, node_count=2),
)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a file that starts a training in Azure."""
    (tmp_path / "start.py").write_text(CONFIGURATION)
    (tmp_path / "train.py").write_text("print('trains')\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def designer(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--workspace", "ws"])


def test_a_file_becomes_a_document_that_is_valid(folder: Path) -> None:
    result = designer("import", "start.py")
    assert result.exit_code == 0, result.output
    assert "Wrote start.json. Run it with: designer run start.json" in result.stdout
    assert "The environment unknown is not defined in the file." in result.stderr
    [node] = load_document(folder / "start.json").nodes
    assert node.parameters["arguments"] == ["--epochs", "30"]
    answer = json.loads(designer("validate", "start.json", "--json").stdout)
    assert {problem["code"] for problem in answer["problems"]} <= {"3011", "3070"}, (
        "this machine has one node"
    )


def test_a_file_is_not_replaced_unasked(folder: Path) -> None:
    (folder / "start.json").write_text("mine")
    assert designer("import", "start.py").exit_code == 1
    assert (folder / "start.json").read_text() == "mine"
    answer = designer("import", "start.py", "--overwrite", "--json")
    assert json.loads(answer.stdout)["file"] == "start.json"
    assert designer("import", "start.py", "--out", "other.json").exit_code == 0


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("many", "contains 2,101 files"),
        ("other", "Script train.py was not found"),
        ("none", "missing was not found"),
    ],
)
def test_validate_reports_what_is_wrong_with_the_source_folder(
    folder: Path, made: str, message: str
) -> None:
    source = folder / "source"
    if made == "many":
        source.mkdir()
        for number in range(2_101):
            (source / f"{number}.txt").touch()
    elif made == "other":
        source.mkdir()
        (source / "other.py").write_text("")
    parameters = {
        "source_folder": str(source if made != "none" else folder / "missing"),
        "script": "train.py",
    }
    node = {"id": "train", "module": "run_training_script", "parameters": parameters}
    document = {"format": "pipeline-designer/2", "id": "scripts", "nodes": [node]}
    (folder / "scripts.json").write_text(json.dumps(document))
    result = designer("validate", "scripts.json", "--json")
    assert result.exit_code == 1
    problems = {problem["code"]: problem for problem in json.loads(result.stdout)["problems"]}
    assert message in problems["3104"]["message"]
    assert (problems["3104"]["node"], problems["3104"]["severity"]) == ("train", "error")
