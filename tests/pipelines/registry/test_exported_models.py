"""Exported ONNX models in the registry: of a run, and of a file from another machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.errors import InvalidModelDirectoryError
from modules.foreign_model import ForeignModel
from pipelines.errors import NotFoundError, RefusedError
from pipelines.inspection.alias_moves import mover
from pipelines.registry.models import ModelRegistry
from pipelines.registry.written_files import register_onnx_file
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.conftest import run
from tests.pipelines.execution.refusals import node, wired
from tests.pipelines.registry.trained import CLASSES, trained_run


@pytest.fixture
def registry(runs: RunService) -> ModelRegistry:
    """A registry with the trained model ``shapes``."""
    registry = ModelRegistry(runs.database, runs.artifacts)
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs))
    registry.register(artifact_id, port, "shapes")
    return registry


def exporting_run(runs: RunService) -> str:
    """A run that exports ``shapes`` in two formats."""
    document = wired(
        [
            node("model", "registered_model", model="shapes@1"),
            node("export", "export_model"),
            node("program", "export_model", format="safetensors"),
        ],
        "model.trained_model -> export.trained_model",
        "model.trained_model -> program.trained_model",
    )
    run_id, state = run(runs, document)
    assert state.status == "completed", state.problem
    return run_id


@pytest.mark.full  # its parts: below and test_onnx_scoring
@pytest.mark.extended
def test_an_exported_model_is_registered_and_scores(
    runs: RunService, registry: ModelRegistry, tmp_path: Path
) -> None:
    run_id = exporting_run(runs)
    [(named, artifact_id, port)] = registry.exported_by(run_id)
    assert named == "export"
    made = designer(runs, "models", "register", "file", run_id, "--node", "export", "--json")
    assert json.loads(made.stdout)["type"] == "ForeignModel", made.output
    assert json.loads(made.stdout)["module"] == "onnx_model"
    version = registry.find("file")
    assert isinstance(version.artifact, ForeignModel)
    assert version.version.run_id == run_id
    assert version.version.metrics["Top-1 validation accuracy"] == 0.75
    assert registry.register(artifact_id, port, "file").version.artifact == version.version.artifact
    with pytest.raises(NotFoundError):
        registry.register("gone", port, "file")
    step = runs.store.state(run_id).steps["program"]
    with pytest.raises(RefusedError, match=r"exported \.safetensors file"):
        registry.register(str(step.artifact_id), "exported_model", "file")

    exported = designer(runs, "models", "export", "file@1", tmp_path / "elsewhere.onnx")
    assert exported.exit_code == 0, exported.output
    made = designer(runs, "models", "import", "moved", tmp_path / "elsewhere.onnx", "--alias", "a")
    assert made.exit_code == 0, made.output
    assert registry.find("moved@a").version.run_id is None
    assert "imported from a file" in designer(runs, "models", "show", "moved").output
    assert registry.artifacts.verify(registry.find("moved").version.artifact.split("/")[0]) == []
    document = wired([node("model", "onnx_model", source="the registry", model="moved@a")])
    _, state = run(runs, document)
    assert state.status == "completed", state.problem
    labels = Path(runs.artifacts.outputs(state.steps["model"])["onnx_model"]) / "labels.txt"
    assert labels.read_text().split() == list(CLASSES)


def test_other_files_are_not_imported(
    runs: RunService, registry: ModelRegistry, tmp_path: Path
) -> None:
    assert registry.find("shapes")
    for content in (b"", b"onnx", b"\x08\x07" * 1000):
        file = tmp_path / "other.onnx"
        file.write_bytes(content)
        with pytest.raises(InvalidModelDirectoryError, match=r"other\.onnx"):
            register_onnx_file(registry, file, "other", mover("cli"))
    for missing in (tmp_path, tmp_path / "gone.onnx"):
        refused = designer(runs, "models", "import", "other", missing)
        assert refused.exit_code == 1
        assert "Traceback" not in refused.output
    assert designer(runs, "models", "import", "a b", file).exit_code == 1
    assert [model.name for model in registry.all()] == ["shapes"]
    assert not list(runs.workspace.artifacts_dir.glob(".designer*"))
