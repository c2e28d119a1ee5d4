"""Artifacts that no module of the catalog writes by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules import ForeignModel, InvalidModelDirectoryError, TrainedModel


def test_a_foreign_model_says_what_its_files_are(tmp_path: Path) -> None:
    (tmp_path / "files" / "outputs").mkdir(parents=True)
    (tmp_path / "files" / "outputs" / "model.pt").write_bytes(b"weights")
    model = ForeignModel.write(tmp_path, main="outputs/model.pt", framework="pytorch")
    model.check()
    assert model.framework == "pytorch"
    assert model.main_path.read_bytes() == b"weights"
    assert [(each["path"], each["num_bytes"]) for each in model.description["files"]] == [
        ("outputs/model.pt", 7)
    ]


def test_a_foreign_model_is_no_trained_model(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    ForeignModel.write(tmp_path, main="model.pt", framework="pytorch")
    with pytest.raises(InvalidModelDirectoryError, match="Train PyTorch Model"):
        TrainedModel(tmp_path).check()
