"""Trainings on images so small that layers see maps of one pixel: what is kept is sound."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn.modules.module import register_module_forward_pre_hook

from modules.artifacts import ImageDirectory
from modules.compute.switches import MATRIX_CONVOLUTIONS, VARIABLE
from modules.errors import InvalidModelDirectoryError, TrainingDivergedError
from modules.models.implausible_weights import LARGEST_WEIGHT, learned_tensors
from modules.models.serialization import load_trained
from tests.modules.compute.unwritten_taps import unwritten_taps
from tests.modules.training.noise import noise_squares
from tests.modules.training.trainings import train

UNSEEN = "layer4.1.conv2"
"""A layer over maps of one pixel: only the middle tap of its kernel meets them."""
GARBAGE = 3e16


@pytest.fixture
def images(tmp_path: Path) -> ImageDirectory:
    return noise_squares(tmp_path / "store/images/out", size=(16, 16), per_class=4)


@pytest.mark.parametrize("switched_off", ["", MATRIX_CONVOLUTIONS])
def test_kept_weights_hold_nothing_of_unwritten_memory(
    tmp_path: Path, images: ImageDirectory, monkeypatch: pytest.MonkeyPatch, switched_off: str
) -> None:
    monkeypatch.setenv(VARIABLE, switched_off)
    with unwritten_taps() as faults:
        trained = train(tmp_path, images, images, precision="bf16", batch_size=6)
    weights = load_file(trained.weights_path)
    largest = {name: float(each.abs().max()) for name, each in weights.items()}
    assert max(largest.values()) < 1e4, max(largest, key=largest.__getitem__)
    assert not faults
    load_trained(trained)


class Spoiling(list[Any]):
    """Events of a training; after ``epoch`` epochs a tap that no image meets holds garbage."""

    def __init__(self, epoch: int, value: float) -> None:
        self.epoch, self.value = epoch, value
        self.hooks: list[Any] = []

    def append(self, event: Any) -> None:
        super().append(event)
        if event.get("name") == "Valid loss" and event["step"] == self.epoch:
            self.spoil()

    def spoil(self) -> None:
        self.hooks.append(register_module_forward_pre_hook(self._spoil))

    def _spoil(self, module: nn.Module, _: object) -> None:
        if type(module).__name__ == "ResNet":
            kernel = module.get_parameter(f"{UNSEEN}.weight")
            kernel.data[0, 0, 0, 0] = self.value


@pytest.fixture
def spoiling(request: pytest.FixtureRequest) -> Any:
    def made(epoch: int, value: float = GARBAGE) -> Spoiling:
        events = Spoiling(epoch, value)
        request.addfinalizer(lambda: [hook.remove() for hook in events.hooks])
        return events

    return made


@pytest.mark.parametrize("value", [GARBAGE, float("nan"), -float("inf")])
def test_garbage_that_the_loss_does_not_see_is_an_error_that_names_the_layer(
    tmp_path: Path, images: ImageDirectory, spoiling: Any, value: float
) -> None:
    events = spoiling(0, value)
    events.spoil()
    with pytest.raises(TrainingDivergedError, match=UNSEEN) as caught:
        train(tmp_path, images, images, events=events, precision="fp32", batch_size=6)
    assert "epoch 1" in caught.value.message
    assert caught.value.remedy == {"set": {"learning_rate": 0.002}}
    assert not list((tmp_path / "staging").rglob("model.safetensors"))


@pytest.mark.extended
def test_in_bf16_the_fix_is_fp32_and_the_best_weights_before_are_kept(
    tmp_path: Path, images: ImageDirectory, spoiling: Any
) -> None:
    with pytest.raises(TrainingDivergedError, match=UNSEEN) as caught:
        train(
            tmp_path,
            images,
            images,
            events=spoiling(1),
            precision="bf16",
            batch_size=6,
            epochs=8,
            patience=8,
        )
    assert caught.value.remedy == {"set": {"precision": "fp32"}}
    (kept,) = (tmp_path / "checkpoints").glob("best-epoch-000001.safetensors")
    assert str(kept) in caught.value.cure
    assert float(load_file(kept)[f"{UNSEEN}.weight"].abs().max()) < LARGEST_WEIGHT


def test_a_checkpoint_with_garbage_is_left_out(tmp_path: Path, images: ImageDirectory) -> None:
    """Earlier versions wrote them."""
    settings: dict[str, Any] = {"precision": "fp32", "batch_size": 6, "epochs": 1}
    train(tmp_path, images, images, **settings)
    (written,) = (tmp_path / "checkpoints").glob("epoch-*.pt")
    state = torch.load(written, weights_only=True)
    for name in ("model", "best_weights"):
        state[name][f"{UNSEEN}.weight"][0, 0, 0, 0] = GARBAGE
    written.unlink()
    _write_checkpoint(tmp_path / "checkpoints", state)
    shutil.rmtree(tmp_path / "recipe")  # a second attempt has a new folder for its output
    events: list[Any] = []
    trained = train(tmp_path, images, images, events=events, **settings)
    assert any(each.get("reason") == "checkpoint_damaged" for each in events), events
    assert float(load_file(trained.weights_path)[f"{UNSEEN}.weight"].abs().max()) < LARGEST_WEIGHT


def _write_checkpoint(folder: Path, state: dict[str, Any]) -> None:
    from modules.context import Context
    from modules.training.checkpoint import Checkpoints

    identity, epoch = state.pop("identity"), state.pop("epoch")
    with Checkpoints(folder, identity, Context(folder.parent)) as checkpoints:
        checkpoints.save(epoch, state)


def test_a_trained_model_with_garbage_is_refused_by_name_of_its_layer(
    tmp_path: Path, images: ImageDirectory
) -> None:
    from safetensors.torch import save_file

    trained = train(tmp_path, images, images, precision="fp32", batch_size=6, epochs=1)
    weights = load_file(trained.weights_path)
    weights[f"{UNSEEN}.weight"][0, 0, 0, 0] = GARBAGE
    save_file(weights, trained.weights_path)
    with pytest.raises(InvalidModelDirectoryError, match=UNSEEN) as caught:
        load_trained(trained)
    assert "Train the model again" in caught.value.cure


@pytest.mark.extended
def test_a_large_rate_leads_to_plausible_weights(tmp_path: Path, images: ImageDirectory) -> None:
    """No false alarm at a rate at which training still converges."""
    trained = train(tmp_path, images, images, precision="fp32", batch_size=6, learning_rate=0.1)
    model = load_trained(trained)
    names = learned_tensors(model)
    largest = max(float(e.abs().max()) for n, e in model.state_dict().items() if n in names)
    assert largest < LARGEST_WEIGHT / 10
