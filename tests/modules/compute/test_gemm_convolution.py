"""Convolutions as products of matrices are those of torch, and stay where they are slower."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional

from modules.compute.autotune import Autotuner
from modules.compute.gemm_convolution import MOST_PIXELS, Convolution, autotune_convolutions

Geometry = tuple[tuple[int, int], int, int, int]
"""Height and width, kernel, stride, padding."""

GEOMETRIES: list[Geometry] = [
    ((1, 1), 3, 1, 1),
    ((2, 2), 3, 2, 1),
    ((2, 2), 3, 1, 1),
    ((4, 3), 3, 1, 1),
    ((7, 8), 3, 2, 1),
    ((8, 7), 1, 2, 0),
    ((8, 8), 1, 1, 0),
    ((5, 6), 3, 3, 0),
    ((6, 5), 5, 1, 2),
    ((3, 1), 7, 2, 3),
    ((2, 3), 3, 1, 3),
    ((9, 9), 2, 4, 0),
]


def _raced(module: nn.Conv2d, *, as_product: bool = True) -> nn.Conv2d:
    """The convolution when its three races are over."""
    autotune_convolutions(module)
    way = module.forward
    assert isinstance(way, Convolution)
    for race in (way.outputs, way.images_gradient, way.weights_gradient):
        race.prefers_other = as_product
    return module


def _same_twice(make: Callable[[], nn.Conv2d]) -> tuple[nn.Conv2d, nn.Conv2d]:
    usual, other = make(), make()
    other.load_state_dict(usual.state_dict())
    return usual, _raced(other)


def _all_of(
    module: nn.Module, images_NCHW: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Outputs, and the gradients of images and weights, of a loss with a random direction."""
    images_NCHW = images_NCHW.clone().requires_grad_()
    outputs = module(images_NCHW)
    generator = torch.Generator().manual_seed(1)
    direction = torch.randn(outputs.shape, generator=generator, dtype=torch.float64)
    (outputs.double() * direction).sum().backward()
    weights = next(module.parameters())
    assert images_NCHW.grad is not None
    assert weights.grad is not None
    return outputs.detach(), images_NCHW.grad, weights.grad


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=str)
def test_a_product_gives_what_torch_gives(geometry: Geometry) -> None:
    (height, width), kernel, stride, padding = geometry
    torch.manual_seed(0)

    def make() -> nn.Conv2d:
        module = nn.Conv2d(6, 4, kernel, stride, padding, bias=False, dtype=torch.float64)
        return module.to(memory_format=torch.channels_last)

    usual, other = _same_twice(make)
    images_NCHW = torch.randn(3, height, width, 6, dtype=torch.float64).permute(0, 3, 1, 2)
    for expected, found in zip(
        _all_of(usual, images_NCHW), _all_of(other, images_NCHW), strict=True
    ):
        torch.testing.assert_close(found, expected)
        assert found.stride() == found.contiguous(memory_format=torch.channels_last).stride()


def test_autograd_agrees_with_differences() -> None:
    module = _raced(nn.Conv2d(2, 3, 3, 2, 1, bias=False, dtype=torch.float64))
    images_NCHW = torch.randn(2, 2, 3, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(module, (images_NCHW,))


def test_autocast_multiplies_in_its_format() -> None:
    torch.manual_seed(0)
    usual, other = _same_twice(lambda: nn.Conv2d(8, 8, 3, padding=1, bias=False))
    images_NCHW = torch.randn(2, 8, 4, 4)
    with torch.autocast("cpu", torch.bfloat16):
        outputs, gradient, of_weights = _all_of(other, images_NCHW)
    assert outputs.dtype == torch.bfloat16
    assert gradient.dtype == of_weights.dtype == torch.float32
    for found, exact in zip(
        (outputs, gradient, of_weights), _all_of(usual, images_NCHW), strict=True
    ):
        torch.testing.assert_close(found.float(), exact, rtol=0.02, atol=0.05 * float(exact.std()))


def test_images_that_need_no_gradient_get_none() -> None:
    module = _raced(nn.Conv2d(3, 4, 3, padding=1, bias=False))
    module(torch.randn(2, 3, 4, 4)).sum().backward()
    assert module.weight.grad is not None
    with torch.no_grad():
        assert not module(torch.randn(2, 3, 4, 4)).requires_grad


def test_what_is_large_or_has_lost_is_torchs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[tuple[int, ...]] = []
    torchs = nn.Conv2d.forward

    def forward(self: nn.Conv2d, images_NCHW: torch.Tensor) -> torch.Tensor:
        taken.append(tuple(images_NCHW.shape[-2:]))
        return torchs(self, images_NCHW)

    monkeypatch.setattr(nn.Conv2d, "forward", forward)
    module = _raced(nn.Conv2d(3, 4, 3, padding=1, bias=False))
    edge = int(MOST_PIXELS**0.5)
    module(torch.randn(2, 3, edge, edge))
    assert taken == []
    module(torch.randn(2, 3, edge + 1, edge))
    assert taken == [(edge + 1, edge)]
    lost = _raced(nn.Conv2d(3, 4, 3, padding=1, bias=False), as_product=False)
    lost(torch.randn(2, 3, 4, 4))
    assert taken[1:] == [(4, 4)]


def test_images_smaller_than_the_kernel_are_refused_in_torchs_words() -> None:
    module = _raced(nn.Conv2d(3, 4, 5, bias=False))
    with pytest.raises(RuntimeError, match="Kernel size can't be greater"):
        module(torch.randn(2, 3, 4, 4))


@pytest.mark.parametrize(
    "module",
    [
        nn.Conv2d(4, 4, 3, padding=1),
        nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False),
        nn.Conv2d(4, 4, 3, dilation=2, bias=False),
        nn.Conv2d(4, 4, 3, padding="same", bias=False),
        nn.Conv2d(4, 4, 3, padding=1, padding_mode="circular", bias=False),
    ],
    ids=["bias", "groups", "dilation", "same", "circular"],
)
def test_other_kinds_of_convolutions_are_left_alone(module: nn.Conv2d) -> None:
    autotune_convolutions(module)
    assert not isinstance(module.forward, Convolution)


def test_a_network_keeps_its_weights_and_their_names() -> None:
    from torchvision.models import resnet18

    torch.manual_seed(0)
    usual, other = resnet18(num_classes=3), resnet18(num_classes=3)
    other.load_state_dict(usual.state_dict())
    autotune_convolutions(other)
    assert list(other.state_dict()) == list(usual.state_dict())
    assert sum(isinstance(each.forward, Convolution) for each in other.modules()) == 20
    images_NCHW = torch.randn(4, 3, 32, 32)
    labels_N = torch.tensor([0, 1, 2, 0])
    for model in (usual, other):
        model.to(memory_format=torch.channels_last)
        loss: torch.Tensor = functional.cross_entropy(model(images_NCHW), labels_N)
        torch.autograd.backward([loss])
    for expected, found in zip(usual.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(found.grad, expected.grad, rtol=1e-3, atol=1e-4)


class Clock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def passing(self, seconds: list[float], name: str) -> Callable[[], str]:
        """Something that takes so long, time after time; it gives its name."""

        def run() -> str:
            self.now += seconds.pop(0) if len(seconds) > 1 else seconds[0]
            return name

        return run


@pytest.mark.parametrize(
    ("usual", "other", "winner"),
    [
        ([1.0], [0.5], "other"),
        ([1.0], [2.0], "usual"),
        ([1.0], [0.95], "usual"),
        ([1.0], [9.0, 0.5], "other"),
        ([9.0, 9.0, 0.5, 9.0], [1.0], "usual"),
    ],
    ids=["faster", "slower", "hardly faster", "slow at first", "disturbed"],
)
def test_the_faster_way_wins_after_both_ran_by_turns(
    usual: list[float], other: list[float], winner: str
) -> None:
    clock = Clock()
    race = Autotuner(clock)
    ways = clock.passing(usual, "usual"), clock.passing(other, "other")
    assert [race.run(*ways) for _ in range(8)] == ["usual", "other"] * 4
    assert {race.run(*ways) for _ in range(3)} == {winner}
