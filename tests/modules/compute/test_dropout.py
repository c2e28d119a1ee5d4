"""Dropout that draws 16 bits for each element."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from modules.compute.dropout import draw_dropout_by_bits


def layers(p: float) -> nn.Sequential:
    model = nn.Sequential(nn.Identity(), nn.Dropout(p, inplace=True))
    draw_dropout_by_bits(model)
    return model.train()


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_a_share_of_elements_is_dropped_and_the_mean_kept(p: float) -> None:
    torch.manual_seed(1)
    outputs = layers(p)(torch.ones(1000, 999))
    is_dropped = outputs == 0
    deviation = (p * (1 - p) / outputs.numel()) ** 0.5
    assert abs(float(is_dropped.float().mean()) - p) < 5 * deviation
    assert float(outputs.mean()) == pytest.approx(1, abs=0.01)
    torch.testing.assert_close(
        outputs[~is_dropped],
        torch.full((), 1 / (1 - p)).expand(int((~is_dropped).sum())),
        rtol=1e-4,
        atol=0,
    )
    # Neighbours come out of one number: they must not depend on each other.
    pairs = is_dropped.flatten()[:-1] & is_dropped.flatten()[1:]
    assert float(pairs.float().mean()) == pytest.approx(p * p, abs=0.005)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_nothing_and_everything(p: float) -> None:
    assert layers(p)(torch.ones(3, 5)).tolist() == [[1.0 - p] * 5] * 3


def test_inference_and_inputs_are_unchanged() -> None:
    inputs = torch.ones(2, 7)
    model = layers(0.5)
    assert not torch.equal(model(inputs), inputs)
    assert torch.equal(inputs, torch.ones(2, 7))
    assert torch.equal(model.eval()(inputs), inputs)


def test_seeds_repeat_it_and_gradients_meet_the_kept_elements() -> None:
    inputs = torch.ones(4, 33, dtype=torch.bfloat16, requires_grad=True)
    model = layers(0.3)
    torch.manual_seed(7)
    first = model(inputs)
    first.sum().backward()
    torch.manual_seed(7)
    assert torch.equal(model(inputs), first)
    assert inputs.grad is not None
    assert torch.equal(inputs.grad, first)
    assert first.dtype == torch.bfloat16


def test_layers_of_other_kinds_keep_their_arithmetic() -> None:
    model = nn.Sequential(nn.Dropout2d(0.5), nn.AlphaDropout(0.5))
    draw_dropout_by_bits(model)
    assert all("forward" not in vars(part) for part in model)
