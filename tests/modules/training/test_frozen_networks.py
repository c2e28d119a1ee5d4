"""Heads that learn behind frozen networks, on features that are kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.image_loading.cache_limits import DECODED_SUFFIX
from modules.image_loading.feature_segments import HEADER_BYTES, segment_bytes
from modules.scoring.score_image_model import score_image_model
from tests.modules.training.noise import ROUNDING, untrained
from tests.modules.training.trainings import METRICS, NOTHING, stored_files, train

NUM_FEATURES = 1024
"""Of shufflenet_v2_x0_5."""


def test_a_frozen_backbone_stays_as_it_was(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    from safetensors.torch import load_file

    from modules.models.build import build_model
    from modules.models.recipe import recipe_of

    model = untrained(tmp_path / "recipe", freeze="all but the head")
    trained = train(tmp_path, *squares, model, batch_size=1, precision="fp32")
    start = build_model(recipe_of(model), 3, weights_dir=None, seed=1).state_dict()
    end = load_file(trained.weights_path)
    changed = {name for name in end if not end[name].equal(start[name])}
    assert changed == {"fc.weight", "fc.bias"}
    # Trained and validated on features, the model does on images what was logged.
    scored = score_image_model(trained, squares[1], Context(tmp_path / "scored", threads=1))
    loss = float(scored.scored_dataset.rows["loss"].mean())
    assert trained.description["metrics"]["Valid loss"] == pytest.approx(loss, rel=ROUNDING)


@pytest.mark.extended
def test_features_of_a_reproducible_training_are_its_own_to_the_bit(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:

    def losses(**parameters: Any) -> list[float]:
        # Without its checkpoints a training begins anew.
        shutil.rmtree(tmp_path / "checkpoints", ignore_errors=True)
        trained = train(tmp_path, *squares, model, reproducible="on", **parameters)
        return list(trained.history["Valid loss"])

    model = untrained(tmp_path / "recipe", "shufflenet_v2_x0_5", freeze="all but the head")
    first = losses()
    stored = stored_files(tmp_path / "cache")
    assert len(stored) == 2
    assert losses(learning_rate=0.01) != first
    assert stored_files(tmp_path / "cache") == stored, "the other head learnt from the same files"
    assert losses(batch_size=4) != first
    assert len(stored_files(tmp_path / "cache")) == 4, "in other batches the last bits differ"
    for path in stored:
        damage_row(path, 5)
    assert losses() == first
    assert len(stored_files(tmp_path / "cache")) == 6, "the damaged ones were computed again"


def damage_row(path: Path, row: int) -> None:
    content = bytearray(path.read_bytes())
    content[HEADER_BYTES + row * NUM_FEATURES * 4 + 17] ^= 1
    path.write_bytes(content)


def test_heads_of_other_splits_and_scorings_share_the_features_of_each_image(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache, swapped = tmp_path / "cache", (squares[1], squares[0])
    frozen = {"pretrained": True, "freeze": "all but the head"}
    model = untrained(tmp_path / "recipe", "efficientnet_lite0", **frozen)
    first = train(tmp_path, *squares, model, precision="fp32")
    stored = stored_files(cache)
    assert len(stored) == 2
    for decoded in cache.glob(f"*{DECODED_SUFFIX}"):
        decoded.unlink()
    monkeypatch.setattr("modules.image_loading.lazy_images.LazyImages._opened", NOTHING)
    other = train(tmp_path, *swapped, model, precision="fp32", batch_size=6, epochs=1)
    context = Context(tmp_path / "scored", cache_dir=cache, threads=1)
    scored = score_image_model(first, squares[1], context).scored_dataset.rows
    assert stored_files(cache) == stored, "nothing was computed, and no image opened"
    assert len(other.history) == 1
    monkeypatch.undo()
    whole = score_image_model(first, squares[1], Context(tmp_path / "whole", threads=1))
    difference = (scored["loss"] - whole.scored_dataset.rows["loss"]).abs()
    assert difference.max() < ROUNDING


@pytest.mark.parametrize("damage", ["a row", "cut off", "no header"])
def test_damaged_features_are_computed_again(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory], damage: str
) -> None:
    def loss() -> float:
        shutil.rmtree(tmp_path / "checkpoints", ignore_errors=True)
        trained = train(tmp_path, *squares, model, precision="fp32", epochs=1)
        return float(trained.history["Valid loss"].iloc[0])

    model = untrained(tmp_path / "recipe", "shufflenet_v2_x0_5", freeze="all but the head")
    first = loss()
    for path in stored_files(tmp_path / "cache"):
        content = path.read_bytes()
        if damage == "a row":
            damage_row(path, 3)
        else:
            path.write_bytes(content[:-1] if damage == "cut off" else b"x" + content[1:])
    assert loss() == pytest.approx(first, rel=ROUNDING)
    sizes = [path.stat().st_size for path in stored_files(tmp_path / "cache")]
    expected = [1, 1] if damage == "a row" else [48, 12]
    for num_rows in expected:
        assert segment_bytes([NUM_FEATURES], num_rows) in sizes


def test_a_head_learns_on_features_what_it_learns_behind_its_frozen_network(
    tmp_path: Path,
    squares: tuple[ImageDirectory, ImageDirectory],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from safetensors.torch import load_file

    chosen: dict[str, Any] = {"epochs": 3, "precision": "fp32", "learning_rate": 0.5}
    ways = {}
    for way, limits in {
        "on disk": {},
        "resident": {"DESIGNER_FEATURES_GIB": "0"},
        "whole network": {"DESIGNER_FEATURES_GIB": "0", "MAX_RESIDENT_BYTES": "0"},
    }.items():
        monkeypatch.setenv("DESIGNER_FEATURES_GIB", limits.get("DESIGNER_FEATURES_GIB", "1"))
        if "MAX_RESIDENT_BYTES" in limits:
            monkeypatch.setattr("modules.training.frozen_features.MAX_RESIDENT_BYTES", 0)
        folder = tmp_path / way
        model = untrained(folder / "recipe", "shufflenet_v2_x0_5", freeze="all but the head")
        trained = train(folder, *squares, model, **chosen)
        ways[way] = (load_file(trained.weights_path), trained.history)
        assert ("recomputed in each epoch" in capsys.readouterr().out) == (way[0] == "w")
    weights, history = ways["whole network"]
    for others, other_history in ways.values():
        for name, tensor in weights.items():
            assert others[name].allclose(tensor, rtol=1e-3, atol=1e-5), name
        columns = [name for name in METRICS if name != "Train images per second"]
        difference = (other_history[columns] - history[columns]).abs()
        assert difference.to_numpy().max() < ROUNDING
    assert len(history) == 3
    assert history["Train loss"].iloc[-1] < history["Train loss"].iloc[0], "it learnt"
