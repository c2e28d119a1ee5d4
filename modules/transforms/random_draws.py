"""Random draws from a given generator, as Python numbers or tensors of one number an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def uniform(num: int, low: float, high: float, generator: torch.Generator) -> torch.Tensor:
    """``num`` numbers between ``low`` and ``high``, shape (num,)."""
    import torch

    return torch.rand(num, generator=generator).mul_(high - low).add_(low)


def uniform_number(low: float, high: float, generator: torch.Generator) -> float:
    return float(uniform(1, low, high, generator))


def integer(low: int, high: int, generator: torch.Generator) -> int:
    """A whole number from ``low`` to ``high``, both possible."""
    import torch

    return int(torch.randint(low, high + 1, (1,), generator=generator))


def chosen(num: int, p: float, generator: torch.Generator) -> torch.Tensor:
    """For each of ``num`` images whether it is chosen, with probability ``p``; shape (num,)."""
    import torch

    return torch.rand(num, generator=generator) < p


def chosen_places(
    num: int, p: float, generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Which of ``num`` images are chosen, in order, for indexing on a device not waited for."""
    from modules.compute.device_transfer import to_device

    return to_device(chosen(num, p, generator).nonzero().squeeze(1), device)
