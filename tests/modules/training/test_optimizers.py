"""What steps the weights."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import nn

from modules.training.optimizers import Optimizers
from modules.training.parameters import TrainParameters


def _network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(16, 2))


def _step(model: nn.Module, optimizers: Optimizers) -> None:
    images_NCHW = torch.ones(2, 3, 4, 4, requires_grad=True)
    model(images_NCHW * torch.tensor([1.0, 2.0])[:, None, None, None]).square().sum().backward()
    optimizers.step()


@pytest.mark.parametrize("name", ["sgd", "adamw", "muon"])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_every_weight_moves_and_gradients_are_forgotten(
    name: str, layout: torch.memory_format
) -> None:
    model = _network()
    model.to(memory_format=layout)
    before = {key: each.clone() for key, each in model.state_dict().items()}
    optimizers = Optimizers(model, TrainParameters.model_validate({"optimizer": name}))
    optimizers.set_rate(0.01)
    _step(model, optimizers)
    moved = {key for key, each in model.state_dict().items() if not each.equal(before[key])}
    assert {"0.weight", "3.weight", "3.bias"} <= moved
    assert all(each.grad is None for each in model.parameters())


def test_sgd_steps_as_torch_does_with_decay_on_kernels_only() -> None:
    ours, theirs = _network(), _network()
    optimizers = Optimizers(ours, TrainParameters(weight_decay=0.1))
    kernels = [each for each in theirs.parameters() if each.ndim >= 2]
    vectors = [each for each in theirs.parameters() if each.ndim < 2]
    groups: list[dict[str, Any]] = [
        {"params": kernels, "weight_decay": 0.1},
        {"params": vectors},
    ]
    reference = torch.optim.SGD(
        groups,
        lr=0.01,
        momentum=0.9,
        nesterov=True,
    )
    for _ in range(3):
        optimizers.set_rate(0.01)
        _step(ours, optimizers)
        images_NCHW = torch.ones(2, 3, 4, 4) * torch.tensor([1.0, 2.0])[:, None, None, None]
        reference.zero_grad()
        theirs(images_NCHW).square().sum().backward()
        reference.step()
    for our, their in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert torch.allclose(our, their, atol=1e-6)
    assert optimizers.state_dict()[0]["param_groups"][0]["nesterov"]


@pytest.mark.parametrize("name", ["sgd", "adamw", "muon"])
def test_a_step_whose_fp16_gradients_overflow_leaves_no_trace(name: str) -> None:
    settings = TrainParameters.model_validate({"optimizer": name, "learning_rate": 0.01})
    models = _network(), _network()
    for model, begins_with_overflow in zip(models, (True, False), strict=True):
        optimizers = Optimizers(model, settings, scaled=True)
        scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
        before = {key: each.clone() for key, each in model.named_parameters()}
        if begins_with_overflow:
            for each in model.parameters():
                each.grad = torch.full_like(each, torch.inf)
            scaler.scale(torch.zeros(()))  # as a step begins
            optimizers.step(scaler)
            assert scaler.get_scale() == 2.0
            assert all(each.equal(before[key]) for key, each in model.named_parameters())
        for _ in range(2):
            loss = model(torch.ones(2, 3, 4, 4)).square().sum()
            scaler.scale(loss).backward()
            optimizers.step(scaler)
    for one, other in zip(*(model.parameters() for model in models), strict=True):
        assert torch.allclose(one, other)


def test_frozen_weights_are_left_alone() -> None:
    model = _network()
    model[0].requires_grad_(False)  # type: ignore[index]
    before = model[0].weight.clone()  # type: ignore[index]
    optimizers = Optimizers(model, TrainParameters(weight_decay=0.5))
    _step(model, optimizers)
    assert model[0].weight.equal(before)  # type: ignore[index]


def _convolution(layout: torch.memory_format) -> nn.Module:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(16, 2))
    model.to(memory_format=layout)
    return model


def _steps(model: nn.Module, optimizers: Optimizers, num_steps: int) -> list[dict[str, Any]]:
    """Steps on the same random images; gives a copy of what the optimizers remember then."""
    images_NCHW = torch.randn(8, 3, 4, 4, generator=torch.Generator().manual_seed(0))
    optimizers.set_rate(0.01)
    for _ in range(num_steps):
        model(images_NCHW).square().sum().backward()
        optimizers.step()
    return copy.deepcopy(optimizers.state_dict())


@pytest.mark.parametrize("name", ["sgd", "adamw", "muon"])
def test_a_training_goes_on_where_the_layout_is_another_one(name: str) -> None:
    """Neither steps nor what is remembered depend on how the weights lie in memory."""
    settings = TrainParameters.model_validate({"optimizer": name})
    first, last = _convolution(torch.contiguous_format), _convolution(torch.channels_last)
    remembered = _steps(last, Optimizers(last, settings), 2)
    whole = Optimizers(first, settings)
    _steps(first, whole, 2)
    for one, other in zip(first.parameters(), last.parameters(), strict=True):
        torch.testing.assert_close(other, one, rtol=1e-3, atol=1e-5)
    resumed = _convolution(torch.contiguous_format)
    resumed.load_state_dict(last.state_dict())
    going_on = Optimizers(resumed, settings)
    going_on.load_state_dict(remembered)
    for model, optimizers in ((first, whole), (resumed, going_on)):
        _steps(model, optimizers, 2)
    for one, other in zip(first.parameters(), resumed.parameters(), strict=True):
        torch.testing.assert_close(other, one, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("name", ["sgd", "adamw", "muon"])
@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_a_training_goes_on_as_if_nothing_had_happened(
    name: str, layout: torch.memory_format
) -> None:
    settings = TrainParameters.model_validate({"optimizer": name})
    model, resumed = _convolution(layout), _convolution(layout)
    optimizers, going_on = Optimizers(model, settings), Optimizers(resumed, settings)
    going_on.load_state_dict(_steps(model, optimizers, 2))
    resumed.load_state_dict(model.state_dict())
    _steps(model, optimizers, 2)
    _steps(resumed, going_on, 2)
    for one, other in zip(model.parameters(), resumed.parameters(), strict=True):
        assert one.equal(other)
