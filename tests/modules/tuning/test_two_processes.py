"""Two processes that search together: both train each trial, the first one decides and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import ImageDirectory, Table, TrainedModel
from modules.context import Report
from tests.modules.compute.ranks import run_ranks
from tests.modules.training.noise import noise_squares, untrained
from tests.modules.tuning.tunings import ARCHITECTURE, tune, tuning_context

pytestmark = pytest.mark.extended

LINES = ["learning_rate = 0.002,1e30,0.0005,1e-12"]


def search(rank: int, world_size: int, folder: Path) -> None:
    """What each process does; its events go to a file."""
    events: list[Report] = []
    context = tuning_context(
        folder,
        events,
        process_count_per_node=world_size,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
    )
    training = ImageDirectory(folder / "store/training/out")
    validation = ImageDirectory(folder / "store/validation/out")
    options: dict[str, Any] = {
        "strategy": "grid",
        "metric": "loss",
        "precision": "fp32",
        "batch_size": 4,
    }
    options |= {"stop_early": "bandit", "slack": 1e-9, "first_compared_epoch": 2, "epochs": 3}
    tune(folder, training, validation, LINES, context=context, **options)
    (folder / f"events-{rank}.json").write_text(json.dumps(events))


def halve(rank: int, world_size: int, folder: Path) -> None:
    """A search by successive halving; its time ends after the last rung is decided, or never."""
    context = tuning_context(
        folder,
        [],
        process_count_per_node=world_size,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
    )
    training = ImageDirectory(folder / "store/training/out")
    validation = ImageDirectory(folder / "store/validation/out")
    options: dict[str, Any] = {"strategy": "grid", "metric": "loss", "precision": "fp32"}
    options |= {"batch_size": 4, "stop_early": "halving", "epochs": 3, "search_time_limit": 30.0}
    tune(folder, training, validation, LINES, context=context, **options)


@pytest.mark.full  # as they search; halving: test_halving
def test_two_processes_halve_together(tmp_path: Path) -> None:
    noise_squares(tmp_path / "store/training/out", per_class=16)
    noise_squares(tmp_path / "store/validation/out", per_class=4, seed=9)
    untrained(tmp_path / "recipe", ARCHITECTURE)
    assert run_ranks(halve, 2, tmp_path) == [0, 0]
    table = Table(tmp_path / "staging/1").rows
    assert table["state"][1] == "failed"
    assert sorted(table["state"]) == ["completed", "failed", "stopped", "stopped"]
    model = TrainedModel(tmp_path / "staging/0")
    model.check()
    best = list(table["rank"]).index(1)
    rate = table["learning_rate"][best]
    assert model.description["training_parameters"]["learning_rate"] == rate


def test_two_processes_search_together(tmp_path: Path) -> None:
    noise_squares(tmp_path / "store/training/out", per_class=16)
    noise_squares(tmp_path / "store/validation/out", per_class=4, seed=9)
    untrained(tmp_path / "recipe", ARCHITECTURE)
    assert run_ranks(search, 2, tmp_path) == [0, 0]
    table = Table(tmp_path / "staging/1").rows
    assert list(table["state"][:2]) == ["completed", "failed"]
    assert table["state"][3] == "stopped"
    model = TrainedModel(tmp_path / "staging/0")
    model.check()
    assert model.description["world_size"] == 2
    best = list(table["rank"]).index(1)
    rate = table["learning_rate"][best]
    assert model.description["training_parameters"]["learning_rate"] == rate
    second = json.loads((tmp_path / "events-1.json").read_text())
    assert {event["kind"] for event in second} <= {"alive", "progress"}
