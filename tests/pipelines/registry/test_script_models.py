"""Models as scripts wrote them: kept under a name, looked at, and taken away as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from modules.errors import InvalidModelDirectoryError
from modules.foreign_model import ForeignModel
from pipelines.document.document import PipelineDocument
from pipelines.errors import RefusedError
from pipelines.inspection.worker import answer
from pipelines.registry.model_export import export
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import node, wired

SAVE = """
import torch
torch.manual_seed(0)
torch.save(torch.nn.Linear(4, 2).state_dict(), "outputs/model.pt")
"""
WHOLE = SAVE.replace(".state_dict()", "")
OTHER = "open('outputs/model.onnx', 'wb').write(b'onnx')\n"


def script(name: str, text: str, model_file: str | None = "outputs/model.pt") -> dict[str, Any]:
    chosen: dict[str, Any] = {"typed_script": text, "model_file": model_file}
    settings = {"launcher": "none"}
    return node(name, "run_training_script", run_settings=settings, **chosen)


@pytest.fixture
def run_id(runs: RunService) -> str:
    """A run whose scripts wrote a state dict, a whole model, another file, and nothing."""
    document: PipelineDocument = wired(
        [
            script("weights", SAVE),
            script("whole", WHOLE),
            script("other", OTHER, "outputs/model.onnx"),
            script("nothing", "print()", None),
        ]
    )
    runs.checks.allow_code_of(document)
    done, state = run(runs, document)
    assert state.status == "completed", state.problem
    return done


@pytest.mark.extended
def test_a_scripts_model_is_registered_looked_at_and_exported(
    runs: RunService, run_id: str, tmp_path: Path
) -> None:
    registry = ModelRegistry(runs.database, runs.artifacts)
    assert sorted(item[0] for item in registry.written_by(run_id)) == ["other", "weights", "whole"]
    assert registry.trained_by(run_id) == []

    refused = designer(runs, "models", "register", "own", run_id)
    assert refused.exit_code == 1
    assert "--node" in refused.output
    options = ("--node", "weights", "--port", "model")
    output = designer(runs, "models", "register", "own", run_id, *options).output
    assert "own@1" in output
    [listed] = json.loads(designer(runs, "models", "list", "--json").output)["models"]
    assert [version["type"] for version in listed["versions"]] == ["ForeignModel"]
    assert [version["module"] for version in listed["versions"]] == [None]
    shown = json.loads(designer(runs, "models", "show", "own", "--json").output)
    assert (shown["lineage"]["framework"], shown["lineage"]["file"]) == ("pytorch", "model.pt")
    assert "model.pt" in designer(runs, "models", "show", "own").output

    place = registry.find("own")
    assert isinstance(place.artifact, ForeignModel)
    exported = designer(runs, "models", "export", "own", tmp_path / "own.pt")
    assert exported.exit_code == 0, exported.output
    assert (tmp_path / "own.pt").read_bytes() == place.artifact.main_path.read_bytes()
    assert export(place, tmp_path / "own.safetensors") == "safetensors"
    weights = torch.load(tmp_path / "own.pt", weights_only=True)
    same = load_file(tmp_path / "own.safetensors")
    assert all(torch.equal(same[name], weights[name]) for name in weights)
    assert export(place, tmp_path / "own") == "folder"
    assert (tmp_path / "own" / "files" / "model.pt").is_file()
    assert export(place, tmp_path / "own.zip") == "zip"
    with pytest.raises(RefusedError, match=r"cannot be exported as \.onnx"):
        export(place, tmp_path / "own.onnx")

    reply = answer({"question": "tensors", "file": str(place.artifact.main_path)})
    assert "error" not in reply
    value = reply["answer"]
    assert value["tensors"] == [("weight", [2, 4], "float32", 8), ("bias", [2], "float32", 2)]
    registered = wired([node("kept", "registered_model", model="own")])
    _, state = run(runs, registered)
    assert state.status == "failed"
    assert "files of a script" in str(state.problem or state.steps["kept"].problem)


@pytest.mark.extended
def test_whole_models_and_other_files_are_kept_as_they_are(
    runs: RunService, run_id: str, tmp_path: Path
) -> None:
    registry = ModelRegistry(runs.database, runs.artifacts)
    results = {item[0]: item[1:] for item in registry.written_by(run_id)}
    whole = registry.register(*results["whole"], "whole")
    assert export(whole, tmp_path / "whole.pt") == "file"
    with pytest.raises(InvalidModelDirectoryError, match="contains a whole torch"):
        export(whole, tmp_path / "whole.safetensors")
    assert not list(tmp_path.glob(".*")), "something half-written is left"
    assert isinstance(whole.artifact, ForeignModel)
    asked = answer({"question": "tensors", "file": str(whole.artifact.main_path)})
    assert "model.pt contains no readable tensors" in json.dumps(asked)

    other = registry.register(*results["other"], "other")
    assert export(other, tmp_path / "other.onnx") == "file"
    assert (tmp_path / "other.onnx").read_bytes() == b"onnx"
    with pytest.raises(RefusedError, match=r"cannot be exported as \.pt"):
        export(other, tmp_path / "other.pt")
    refused = designer(runs, "models", "export", "other", tmp_path / "other.pt")
    assert "ends in .onnx, .zip, or a name without" in " ".join(refused.output.split())

    step = runs.store.state(run_id).steps["nothing"]
    with pytest.raises(RefusedError, match="did not write a model"):
        registry.register(str(step.artifact_id), "model", "nothing")
    with pytest.raises(RefusedError, match="Table"):
        registry.register(str(step.artifact_id), "metrics", "nothing")
