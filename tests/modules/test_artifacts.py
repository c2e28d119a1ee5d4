"""Artifacts that no module of the catalog writes by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modules import AnyDirectory, ForeignModel, InvalidModelDirectoryError, TrainedModel
from modules.catalog import builtin_catalog

CASES = Path(__file__).parents[1] / "cases" / "type_words.json"


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


def test_types_are_named_in_words() -> None:
    """As the editor names them, under the same cases."""
    types = {kind.__name__: kind for kind in builtin_catalog().port_types.values()}
    for name, words in json.loads(CASES.read_text(encoding="utf-8")).items():
        assert types[name].in_words() == words

    class Halves(AnyDirectory):
        """A type of a user's own has its own name."""

    assert Halves.in_words() == "halves"
