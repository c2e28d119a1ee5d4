"""Heads that learn behind frozen networks, on features that are kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory
from modules.context import Context
from modules.scoring.score_image_model import score_image_model
from tests.modules.training.noise import ROUNDING, untrained
from tests.modules.training.trainings import METRICS, train

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
def test_features_of_a_frozen_backbone_are_kept_for_other_trainings(
    tmp_path: Path, squares: tuple[ImageDirectory, ImageDirectory]
) -> None:
    def features() -> dict[Path, int]:
        sizes = [num_images * NUM_FEATURES * 4 for num_images in (48, 12)]
        found = [(each, each.stat()) for each in (tmp_path / "cache").iterdir()]
        return {each: status.st_ino for each, status in found if status.st_size in sizes}

    def losses(**parameters: Any) -> list[float]:
        # Without its checkpoints a training begins anew.
        shutil.rmtree(tmp_path / "checkpoints", ignore_errors=True)
        trained = train(tmp_path, *squares, model, reproducible="on", **parameters)
        return list(trained.history["Valid loss"])

    model = untrained(tmp_path / "recipe", "shufflenet_v2_x0_5", freeze="all but the head")
    first = losses()
    kept = features()
    assert len(kept) == 2
    assert losses(learning_rate=0.01) != first
    assert features() == kept, "the other head learnt from the same files"
    damaged = min(kept)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    assert losses() == first
    assert features().keys() == kept.keys()
    assert features() != kept, "the damaged one was made anew"


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
        "resident": {"DESIGNER_DECODED_GIB": "0"},
        "whole network": {"DESIGNER_DECODED_GIB": "0", "MAX_RESIDENT_BYTES": "0"},
    }.items():
        monkeypatch.setenv("DESIGNER_DECODED_GIB", limits.get("DESIGNER_DECODED_GIB", "1"))
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
