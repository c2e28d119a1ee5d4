"""Convolutions without taps that only meet padding give what torch gives, and no garbage."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from typing import Any

import pytest
import torch
from torch import nn

from modules.compute.gemm_convolution import autotune_convolutions
from modules.compute.im2col import reach
from modules.compute.precision import Precision
from modules.compute.reached_taps import leaves_taps_unwritten, skip_unreached_taps
from tests.modules.compute.unwritten_taps import GARBAGE, unwritten_taps

LAYERS: dict[str, tuple[dict[str, Any], tuple[int, int]]] = {
    "one pixel": ({"kernel_size": 3, "padding": 1}, (1, 1)),
    "one pixel, stride 2": ({"kernel_size": 3, "padding": 1, "stride": 2}, (1, 1)),
    "two pixels, stride 2": ({"kernel_size": 3, "padding": 1, "stride": 2}, (2, 2)),
    "one row": ({"kernel_size": 3, "padding": 1}, (1, 4)),
    "a wide kernel": ({"kernel_size": 7, "padding": 3, "stride": 2}, (3, 2)),
    "each channel alone": ({"kernel_size": 5, "padding": 2, "groups": 4}, (2, 1)),
    "dilated": ({"kernel_size": 3, "padding": 2, "dilation": 2}, (2, 2)),
    "same": ({"kernel_size": 3, "padding": "same"}, (1, 1)),
    "same, even": ({"kernel_size": 4, "padding": "same"}, (1, 2)),
    "long": ({"kernel_size": (1, 7), "padding": (0, 3)}, (2, 2)),
    "more padding than kernel": ({"kernel_size": 3, "padding": 4, "stride": 3}, (1, 1)),
    "all reached": ({"kernel_size": 3, "padding": 1}, (3, 4)),
    "circular": ({"kernel_size": 3, "padding": 1, "padding_mode": "circular"}, (1, 1)),
}


@pytest.mark.parametrize(
    ("precision", "is_affected"),
    [(("bf16", "cpu"), True), (("fp32", "cpu"), False), (("bf16", "cuda"), False)],
    ids=str,
)
@pytest.mark.parametrize("channels_last", [True, False])
def test_only_bf16_on_processors_leaves_taps_unwritten(
    precision: tuple[str, str], is_affected: bool, channels_last: bool
) -> None:
    assert leaves_taps_unwritten(Precision(*precision, channels_last)) is is_affected


@pytest.mark.parametrize(
    ("axis", "is_affected"),
    [
        ((1, 3, 1, 1), True),
        ((1, 3, 2, 1), True),
        ((2, 3, 2, 1), True),
        ((2, 3, 1, 1), False),
        ((3, 3, 2, 1), False),
        ((2, 5, 1, 2), True),
        ((3, 5, 1, 2), False),
        ((1, 1, 2, 0), False),
        ((2, 3, 1, 0), False),
        ((2, 3, 1, 2, 2), True),
    ],
    ids=str,
)
def test_taps_that_only_meet_padding_are_found(axis: tuple[int, ...], is_affected: bool) -> None:
    assert reach(*axis).has_unreached_taps is is_affected


def _all_of(layer: nn.Conv2d, images_NCHW: torch.Tensor) -> list[torch.Tensor]:
    """Outputs, and the gradients of images and parameters."""
    images_NCHW = images_NCHW.clone().requires_grad_()
    outputs: torch.Tensor = layer(images_NCHW)
    weighted = outputs * torch.arange(outputs.numel(), dtype=outputs.dtype).view(outputs.shape)
    torch.autograd.backward([weighted.sum()])
    gradients = [each.grad for each in (images_NCHW, *layer.parameters())]
    assert all(each is not None for each in gradients)
    return [outputs.detach(), *(each for each in gradients if each is not None)]


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths:UserWarning")
@pytest.mark.parametrize("layout", [torch.channels_last, torch.contiguous_format], ids=str)
@pytest.mark.parametrize("name", LAYERS)
def test_results_are_torchs(name: str, layout: torch.memory_format) -> None:
    torch.manual_seed(0)
    arguments, size = LAYERS[name]
    usual = nn.Conv2d(4, 4, **arguments, dtype=torch.float64)
    usual = usual.to(memory_format=layout)
    other = copy.deepcopy(usual)
    skip_unreached_taps(other)
    images_NCHW = torch.randn(3, 4, *size, dtype=torch.float64).contiguous(memory_format=layout)
    expected, found = _all_of(usual, images_NCHW), _all_of(other, images_NCHW)
    for one, same in zip(expected, found, strict=True):
        torch.testing.assert_close(same, one)
    assert other.weight.grad is not None
    assert other.weight.grad.is_contiguous(memory_format=layout)


@pytest.mark.parametrize("name", [each for each in LAYERS if each not in ("all reached",)])
@pytest.mark.parametrize("is_autotuned", [False, True], ids=["torch's", "autotuned"])
def test_unwritten_taps_reach_no_gradient(name: str, is_autotuned: bool) -> None:
    arguments, size = LAYERS[name]
    layer = nn.Conv2d(4, 4, **arguments, bias=False).to(memory_format=torch.channels_last)
    skip_unreached_taps(layer)
    if is_autotuned:
        autotune_convolutions(layer)
    with unwritten_taps() as faults:
        for _ in range(10):  # both ways of an autotuner
            with torch.autocast("cpu", torch.bfloat16):
                outputs = layer(torch.randn(2, 4, *size))
            torch.autograd.backward([outputs.float().sum()])
    assert not faults
    assert layer.weight.grad is not None
    assert float(layer.weight.grad.abs().max()) < GARBAGE / 1e9


def test_without_it_unwritten_taps_reach_the_gradient() -> None:
    layer = nn.Conv2d(4, 4, 3, 2, 1)
    with unwritten_taps() as faults, torch.autocast("cpu", torch.bfloat16):
        torch.autograd.backward([layer(torch.randn(2, 4, 1, 1)).float().sum()])
    assert faults == [(4, 4, 3, 3)]
    assert layer.weight.grad is not None
    assert float(layer.weight.grad.abs().max()) > GARBAGE / 2


def test_images_smaller_than_the_kernel_are_refused_in_torchs_words() -> None:
    layer = nn.Conv2d(3, 4, 5)
    skip_unreached_taps(layer)
    with pytest.raises(RuntimeError, match="Kernel size can't be greater"):
        layer(torch.randn(2, 3, 4, 4))


@pytest.mark.skipif(sys.platform != "linux", reason="glibc fills memory with a pattern")
@pytest.mark.extended
def test_poisoned_memory_reaches_no_gradient() -> None:
    """On a processor with bf16 this finds taps that the library leaves unwritten."""
    command = [sys.executable, "-m", "tests.modules.compute.poisoned_memory"]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, check=True, text=True)
    counts = json.loads(done.stdout)
    assert counts["skipping"] == {}
    assert set(counts["usual"]) <= {"bf16"}, "fp32 is affected, too"
