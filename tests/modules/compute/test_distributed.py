"""Two processes that train and score together."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest
import torch

from modules.artifacts import ImageDirectory, ScoredImages, TrainedModel, UntrainedModel
from modules.compute.distributed import process_group
from modules.compute.throughput import LIMIT
from modules.context import Context, Report
from modules.scoring.score_image_model import score_image_model
from modules.training.parameters import TrainParameters
from modules.training.train_pytorch_model import train_pytorch_model
from tests.modules.compute.ranks import run_ranks
from tests.modules.training.noise import ROUNDING, noise_squares, untrained

pytestmark = pytest.mark.extended

NUM_VALIDATION = 21


def _context(rank: int, world_size: int, folder: Path, events: list[Report]) -> Context:
    return Context(
        folder / "staging",
        cache_dir=folder / "cache",
        process_count_per_node=world_size,
        rank=rank,
        local_rank=rank,
        world_size=world_size,
        threads=1,
        emit=events.append,
    )


def train(rank: int, world_size: int, folder: Path) -> None:
    """What each process does; its events go to a file."""
    from modules.training import throughput_limit

    seconds = 20.0  # time enough on any machine
    throughput_limit.LEAST_SECONDS = throughput_limit.MOST_SECONDS = seconds
    events: list[Report] = []
    context = _context(rank, world_size, folder, events)
    training = ImageDirectory(folder / "store/training/out")
    validation = ImageDirectory(folder / "store/validation/out")
    settings = TrainParameters(
        epochs=2, batch_size=4, learning_rate=0.005, precision="fp32", print_frequency=2
    )
    recipe = UntrainedModel(folder / "recipe")
    train_pytorch_model(recipe, training, validation, settings, context)
    (folder / f"events-{rank}.json").write_text(json.dumps(events))


def score(rank: int, world_size: int, folder: Path) -> None:
    """What each process does with the trained model."""
    context = _context(rank, world_size, folder / "scored", [])
    model, images = TrainedModel(folder / "staging/0"), folder / "store/validation/out"
    scored = score_image_model(model, ImageDirectory(images), context).scored_dataset
    assert len(scored.rows) == NUM_VALIDATION


def test_two_processes_train_one_model_and_count_validation_once(tmp_path: Path) -> None:
    noise_squares(tmp_path / "store/training/out", per_class=9)
    validation = noise_squares(tmp_path / "store/validation/out", per_class=7, seed=5)
    untrained(tmp_path / "recipe")
    assert run_ranks(train, 2, tmp_path) == [0, 0]
    assert run_ranks(score, 2, tmp_path) == [0, 0]
    assert len(list((tmp_path / "cache").glob("*.slab"))) == 2
    model = TrainedModel(tmp_path / "staging/0")
    assert model.description["world_size"] == 2
    # Both score in fp32: every validation image counted once gives these very numbers.
    scored = ScoredImages(tmp_path / "scored/staging/0").rows
    assert list(scored["path"]) == list(validation.images["path"])
    best = model.description["metrics"]
    right = (scored["category"] == scored["Scored Labels"]).mean()
    assert best["Top-1 validation accuracy"] == pytest.approx(right)
    assert best["Valid loss"] == pytest.approx(float(scored["loss"].mean()), rel=ROUNDING)
    first, second = (json.loads((tmp_path / f"events-{k}.json").read_text()) for k in (0, 1))
    assert {event["kind"] for event in first} >= {"metric", "summary"}
    told = {event["name"]: event["value"] for event in first if event["kind"] == "metric"}
    assert told["Time communicating"] > 0
    assert 0 < told[LIMIT] <= 1
    assert {event["kind"] for event in second} == {"alive", "progress"}
    steps = [event for event in second if event.get("unit") == "iterations"]
    assert steps
    assert all(event["own_seconds"] > 0 and event["rank"] == 1 for event in steps)
    _equals_one_process(tmp_path, model, validation, scored)


def _equals_one_process(
    folder: Path, model: TrainedModel, validation: ImageDirectory, scored: pd.DataFrame
) -> None:
    alone = score_image_model(model, validation, Context(folder / "alone", threads=1))
    probabilities = [name for name in scored.columns if name.startswith("Scored Prob")]
    difference = alone.scored_dataset.rows[probabilities] - scored[probabilities]
    assert difference.abs().to_numpy().max() < ROUNDING


def test_numbers_near_nothing_count_as_nothing_while_a_step_computes(tmp_path: Path) -> None:
    """On every thread: processors are slow at them, and a model that is right makes many."""
    context = Context(tmp_path, threads=2)
    with ThreadPoolExecutor(1) as pool:
        assert _nearly_nothing() != 0
        with process_group(context):
            assert _nearly_nothing() == 0
            with ThreadPoolExecutor(1) as begun_inside:
                assert begun_inside.submit(_nearly_nothing).result() == 0
        assert pool.submit(_nearly_nothing).result() != 0
        assert _nearly_nothing() != 0


def _nearly_nothing() -> float:
    return float(torch.full((8,), 1e-30).mul(1e-10).sum())


def diverge(rank: int, world_size: int, folder: Path) -> None:
    """Every process must see a loss that is no number, and say so."""
    from modules.errors import TrainingDivergedError

    context = _context(rank, world_size, folder, [])
    dataset = ImageDirectory(folder / "store/training/out")
    settings = TrainParameters(epochs=2, batch_size=4, learning_rate=1e30, precision="fp32")
    with pytest.raises(TrainingDivergedError):
        train_pytorch_model(UntrainedModel(folder / "recipe"), dataset, dataset, settings, context)


def test_all_processes_end_when_the_loss_is_no_number(tmp_path: Path) -> None:
    noise_squares(tmp_path / "store/training/out")
    untrained(tmp_path / "recipe")
    assert run_ranks(diverge, 2, tmp_path) == [0, 0]
