"""Random draws from a generator, as Python numbers or tensors with one number per image."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def uniform(num: int, low: float, high: float, generator: torch.Generator) -> torch.Tensor:
    """Draw ``num`` numbers between ``low`` and ``high``, shape (num,)."""
    import torch

    return torch.rand(num, generator=generator).mul_(high - low).add_(low)


def uniform_number(low: float, high: float, generator: torch.Generator) -> float:
    return float(uniform(1, low, high, generator))


def integer(low: int, high: int, generator: torch.Generator) -> int:
    """Draw a whole number from ``low`` to ``high``, both included."""
    import torch

    return int(torch.randint(low, high + 1, (1,), generator=generator))


def chosen(num: int, p: float, generator: torch.Generator) -> torch.Tensor:
    """Choose each of ``num`` images with probability ``p``; return a mask of shape (num,)."""
    import torch

    return torch.rand(num, generator=generator) < p


def chosen_places(
    num: int, p: float, generator: torch.Generator, device: torch.device
) -> torch.Tensor:
    """Return the indices of chosen images, without waiting for the device to index on it."""
    from modules.compute.device_transfer import to_device

    return to_device(chosen(num, p, generator).nonzero().squeeze(1), device)
