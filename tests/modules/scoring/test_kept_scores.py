"""Scores that are kept in shards: a scoring that was killed continues, and scores none twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modules.artifacts import ImageDirectory, OnnxModel, TrainedModel
from modules.context import Context
from modules.export.export_model import ExportParameters, export_model
from modules.export.onnx_classifier import OnnxClassifier
from modules.scoring import inference, kept_scores
from modules.scoring.inference import Scorer
from modules.scoring.score_image_model import score_image_model
from tests.modules.export.pictures import lively_model, soft_directory


class KilledError(RuntimeError):
    """The process is killed."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel:
    return lively_model(tmp_path_factory.mktemp("store") / "m/model", "resnet18", 32)


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> ImageDirectory:
    return soft_directory(tmp_path_factory.mktemp("store") / "a/out", 40)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "LARGEST_BATCH", 4)
    monkeypatch.setattr(inference, "SMALLEST_BATCH", 4)
    monkeypatch.setattr(kept_scores, "SAVE_SECONDS", -1.0)


def _score(folder: Path, model: Any, images: ImageDirectory) -> Any:
    checkpoint = folder / "node/checkpoint"
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    context = Context(folder / "staging", threads=1, checkpoint_dir=checkpoint)
    return score_image_model(model, images, context)[0].rows


def _killed_after(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, calls: int) -> list[int]:
    """Make a method fail from a call on; the number of images of each call."""
    counted: list[int] = []
    original = getattr(owner, name)

    def counting(self: Any, pixels: Any, *rest: Any, **more: Any) -> Any:
        if len(counted) == calls:
            raise KilledError
        counted.append(len(pixels))
        return original(self, pixels, *rest, **more)

    monkeypatch.setattr(owner, name, counting)
    return counted


@pytest.mark.usefixtures("small_batches")
def test_a_killed_scoring_continues(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _score(tmp_path / "whole", model, images)
    with monkeypatch.context() as patched:
        _killed_after(patched, Scorer, "_score_batch", 6)
        with pytest.raises(KilledError):
            _score(tmp_path / "killed", model, images)
    shards = list((tmp_path / "killed/node/checkpoint").iterdir())
    assert len(shards) == 6
    with monkeypatch.context() as patched:
        counted = _killed_after(patched, Scorer, "_score_batch", 99)
        rows = _score(tmp_path / "killed", model, images)
    assert counted == [4] * 4
    assert list(rows.columns) == list(whole.columns)
    assert list(rows["Scored Labels"]) == list(whole["Scored Labels"])
    for column in ("confidence", "loss"):
        assert np.abs(rows[column].to_numpy(float) - whole[column].to_numpy(float)).max() < 1e-5


@pytest.mark.usefixtures("small_batches")
def test_damaged_shards_and_those_of_other_images_are_not_used(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _score(tmp_path / "first", model, images)
    folder = tmp_path / "first/node/checkpoint"
    names = sorted(folder.iterdir())
    names[2].write_bytes(b"PK\x03\x04 damaged")
    np.savez(names[3], probabilities=np.zeros((4, 2), np.float32), losses=np.zeros(4, np.float32))
    with monkeypatch.context() as patched:
        counted = _killed_after(patched, Scorer, "_score_batch", 99)
        again = _score(tmp_path / "first", model, images)
    assert counted == [4] * 8
    assert list(again["Scored Labels"]) == list(whole["Scored Labels"])
    with monkeypatch.context() as patched:
        counted = _killed_after(patched, Scorer, "_score_batch", 99)
        other = soft_directory(tmp_path / "store/b/out", 39)
        assert len(_score(tmp_path / "first", model, other)) == 39
    assert sum(counted) == 39


@pytest.mark.usefixtures("small_batches")
def test_everything_was_scored_before(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory
) -> None:
    whole = _score(tmp_path / "first", model, images)
    again = _score(tmp_path / "first", model, images)
    assert again.equals(whole)


@pytest.mark.extended
@pytest.mark.usefixtures("small_batches")
def test_onnx_files_continue_too(
    tmp_path: Path, model: TrainedModel, images: ImageDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ExportParameters(format="onnx")
    exported = export_model(model, chosen, Context(tmp_path / "made", threads=1), images)[0]
    assert isinstance(exported, OnnxModel)
    whole = _score(tmp_path / "whole", exported, images)
    with monkeypatch.context() as patched:
        _killed_after(patched, OnnxClassifier, "probabilities", 10)
        with pytest.raises(KilledError):
            _score(tmp_path / "killed", exported, images)
    with monkeypatch.context() as patched:
        counted = _killed_after(patched, OnnxClassifier, "probabilities", 99)
        rows = _score(tmp_path / "killed", exported, images)
    assert 30 <= len(counted) < 40
    assert rows.equals(whole)
