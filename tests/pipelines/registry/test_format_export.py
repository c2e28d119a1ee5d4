"""Registered models in formats for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules.errors import ModelNotExportedError, ModuleOutOfMemoryError
from modules.export import formats
from pipelines.errors import NameTakenError, RefusedError
from pipelines.registry.format_export import RunImages, export_format
from pipelines.registry.model_export import export
from pipelines.registry.models import ModelRegistry
from pipelines.runs.run_service import RunService
from tests.pipelines.cli.commands import designer
from tests.pipelines.registry.trained import CLASSES, trained_run
from tests.small_disks import small_disk_at

FORCED: tuple[tuple[str, ...], ...] = ((), (), ("--force",))


@pytest.mark.extended
def test_a_command_for_each_format(runs: RunService, tmp_path: Path) -> None:
    assert designer(runs, "models", "register", "shapes", trained_run(runs)).exit_code == 0
    made = designer(runs, "models", "export", "shapes@1", tmp_path / "a.onnx", "--json")
    answer = json.loads(made.stdout)
    assert answer["form"] == "onnx"
    assert answer["agreement"]["images_from"] == "generated images"
    folder = tmp_path / "folder"
    printed = designer(runs, "models", "export", "shapes@1", folder, "--format", "onnx")
    assert "labels agree with Score Image Model" in " ".join(printed.stdout.split())
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["README.md", "card.json", "labels.txt", "model.onnx"]
    assert (folder / "labels.txt").read_text().split() == list(CLASSES)
    assert "shapes@1" in (folder / "README.md").read_text()
    weights = ("models", "export", "shapes@1", tmp_path / "a.safetensors", "--format")
    codes = [designer(runs, *weights, "safetensors", *more).exit_code for more in FORCED]
    assert codes == [0, 1, 0]
    for wrong in (
        ("b.pt", "--format", "onnx"),
        ("b.onnx", "--format", "tflite"),
        ("b.onnx", "--format", "onnx-int8"),
        ("b.onnx", "--format", "page"),
    ):
        refused = designer(runs, "models", "export", "shapes@1", tmp_path / wrong[0], *wrong[1:])
        assert refused.exit_code != 0
    assert sorted(path.name for path in tmp_path.iterdir() if path.name[0] in "abf") == [
        "a.onnx",
        "a.safetensors",
        "folder",
    ]


def test_nothing_is_half_written(
    runs: RunService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = ModelRegistry(runs.database, runs.artifacts)
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs))
    model = registry.register(artifact_id, port, "m").artifact
    out = tmp_path / "out"
    out.mkdir()
    kept = out / "kept.onnx"
    kept.write_bytes(b"mine")
    with pytest.raises(NameTakenError):
        export_format(model, "m", kept, "onnx", RunImages())
    with pytest.raises(RefusedError, match="pt2"):
        export_format(model, "m", out / "m.onnx", "torch-export", RunImages())
    monkeypatch.setattr(formats, "find_spec", lambda _name: None)
    for target in (kept, out / "m.onnx", out / "folder"):
        with pytest.raises(ModelNotExportedError):
            export_format(model, "m", target, "onnx", RunImages(), replace=True)
    assert [path.name for path in out.iterdir()] == ["kept.onnx"]
    assert kept.read_bytes() == b"mine"


FORMS = {"m.onnx": "onnx", "m.pt2": "torch-export", "page.zip": "page"}
SLOW = [pytest.param(name, marks=pytest.mark.extended) for name in FORMS]


@pytest.mark.parametrize("name", [*SLOW, "m.safetensors", "m.pt", "m.zip", "m"])
def test_a_full_disk_is_said(runs: RunService, tmp_path: Path, name: str) -> None:
    registry = ModelRegistry(runs.database, runs.artifacts)
    ((_, artifact_id, port),) = registry.trained_by(trained_run(runs))
    registered = registry.register(artifact_id, port, "m")

    def write(target: Path) -> None:
        if name in FORMS:
            export_format(registered.artifact, "m", target, FORMS[name], RunImages())
        else:
            export(registered, target)

    with small_disk_at(tmp_path / "disk", 500_000) as disk:
        with pytest.raises(ModuleOutOfMemoryError, match="is full"):
            write(disk / name)
        assert not [path for path in disk.iterdir() if path.name[0] != "."]
