"""What a training goes on from after it was cut short: a state of its own, and none of another."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from modules.artifacts import ImageDirectory, TrainedModel, UntrainedModel
from modules.compute.precision import Precision
from modules.compute.throughput import RATE
from modules.context import Report, StepPausedError
from modules.models.build import seeded_network
from modules.models.recipe import Recipe
from modules.training import setup
from tests.modules.training.noise import noise_squares, untrained
from tests.modules.training.trainings import Interrupted, InterruptedAt, train

ARCHITECTURE = "squeezenet1_1"
FIRST_LAYER = "features.0.weight"
EPOCHS = 3


@pytest.fixture
def images(tmp_path: Path) -> ImageDirectory:
    return noise_squares(tmp_path / "store/images/out")


def weights(path: Path, seed: int) -> torch.Tensor:
    """Write other weights into a file; those of the first layer."""
    recipe = Recipe(family="", architecture=ARCHITECTURE)
    written: dict[str, torch.Tensor] = seeded_network(recipe, 3, seed).state_dict()
    save_file({name: each.contiguous() for name, each in written.items()}, path)
    return written[FIRST_LAYER]


@pytest.fixture
def from_file(tmp_path: Path) -> UntrainedModel:
    """A network that only its head is trained of, from a file that is yet to be written."""
    path = str(tmp_path / "weights.safetensors")
    frozen = {"weights_path": path, "freeze": "all but the head"}
    return untrained(tmp_path / "recipe", ARCHITECTURE, **frozen)


def first_layer(trained: TrainedModel) -> torch.Tensor:
    return load_file(trained.weights_path)[FIRST_LAYER]


def interrupted(folder: Path, images: ImageDirectory, model: UntrainedModel, epoch: int) -> None:
    events: Any = InterruptedAt(epoch)
    with pytest.raises(Interrupted):
        train(folder, images, images, model, events, epochs=EPOCHS)


def first_epoch(events: list[Report]) -> int:
    return min(int(event["step"]) for event in events if event["kind"] == "metric")


@pytest.mark.parametrize(("seed", "first"), [(1, 3), (2, 1)], ids=["the same", "others"])
def test_a_training_goes_on_with_the_same_weights_in_the_file_and_begins_anew_with_others(
    tmp_path: Path, images: ImageDirectory, from_file: UntrainedModel, seed: int, first: int
) -> None:
    path = tmp_path / "weights.safetensors"
    weights(path, seed=1)
    interrupted(tmp_path / "training", images, from_file, epoch=3)
    now = weights(path, seed=seed)
    events: list[Report] = []
    trained = train(tmp_path / "training", images, images, from_file, events, epochs=EPOCHS)
    assert first_epoch(events) == first
    assert torch.equal(first_layer(trained), now)


def test_a_training_of_other_images_resumes_from_its_own_first_epochs(
    tmp_path: Path, images: ImageDirectory
) -> None:
    model = untrained(tmp_path / "recipe", ARCHITECTURE)
    interrupted(tmp_path / "training", images, model, epoch=3)
    others = noise_squares(tmp_path / "store/others/out", seed=3)
    interrupted(tmp_path / "training", others, model, epoch=2)
    events: list[Report] = []
    train(tmp_path / "training", others, others, model, events, epochs=EPOCHS)
    assert first_epoch(events) == 2


def test_a_training_that_resumes_after_its_last_epoch_reports_no_speed(
    tmp_path: Path, images: ImageDirectory
) -> None:
    model = untrained(tmp_path / "recipe", ARCHITECTURE)
    train(tmp_path / "training", images, images, model, epochs=1)
    events: list[Report] = []
    train(tmp_path / "training", images, images, model, events, epochs=1)
    assert RATE not in {event.get("name") for event in events}
    assert [event["kind"] for event in events].count("summary") == 1


def test_a_paused_training_continues_to_the_same_weights(
    tmp_path: Path, images: ImageDirectory
) -> None:
    model = untrained(tmp_path / "recipe", ARCHITECTURE)
    options: dict[str, Any] = {"epochs": EPOCHS, "checkpoint_every": 9, "reproducible": "on"}
    whole = train(tmp_path / "whole", images, images, model, **options)
    paused, events = tmp_path / "paused", list[Report]()
    paused.mkdir()
    for epoch in (1, 2):
        (paused / "pause").write_text(str(epoch))
        with pytest.raises(StepPausedError) as caught:
            train(paused, images, images, model, events, **options)
        assert caught.value.epoch == epoch
    with pytest.raises(StepPausedError):  # asked again, as after the death of its runner
        train(paused, images, images, model, events, **options)
    (paused / "pause").unlink()
    continued = train(paused, images, images, model, events, **options)
    told = [e["step"] for e in events if e["kind"] == "metric" and e["name"] == "Valid loss"]
    assert told == [1, 2, 3]  # no epoch twice
    first, second = load_file(whole.weights_path), load_file(continued.weights_path)
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_a_training_in_fp16_continues_with_the_scale_of_its_losses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a GPU before Ampere: with the scale of its start, gradients would overflow again."""
    half = Precision("fp16", "cpu", channels_last=False)
    monkeypatch.setattr(setup, "choose_precision", lambda *_, **__: half)
    scaler = partial(torch.amp.GradScaler, "cpu", init_scale=2.0**18)
    monkeypatch.setattr(Precision, "scaler", lambda _: scaler())
    images = noise_squares(tmp_path / "store/few/out", per_class=2)
    model = untrained(tmp_path / "recipe", ARCHITECTURE)
    options: dict[str, Any] = {"epochs": 2, "batch_size": 2, "reproducible": "on"}
    options["learning_rate"] = 0.001
    whole = train(tmp_path / "whole", images, images, model, **options)
    paused = tmp_path / "paused"
    paused.mkdir()
    (paused / "pause").write_text("1")
    with pytest.raises(StepPausedError):
        train(paused, images, images, model, **options)
    (paused / "pause").unlink()
    continued = train(paused, images, images, model, **options)
    speed = "Train images per second"
    assert continued.history.drop(columns=speed).equals(whole.history.drop(columns=speed))
