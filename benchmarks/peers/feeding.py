"""What feeds a GPU: folders of JPEGs in, augmented and normalised batches on the device out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benchmarks.peers.telling import measuring_seconds, tell, versions_of

SECONDS = measuring_seconds(3.0)


def measure(
    epoch: Callable[[], Iterable[Any]],
    mean: Sequence[float],
    std: Sequence[float],
    *packages: str,
) -> None:
    """Print the images/s of going through epochs of batches; the first one does not count.

    It shows what the batches hold: they were normalised by ``mean`` and ``std``.
    """
    levels = levels_of(epoch(), mean, std)
    tell({"rate": images_per_second(epoch), **levels, "versions": versions_of(*packages)})


def levels_of(
    batches: Iterable[Any], mean: Sequence[float], std: Sequence[float]
) -> dict[str, float]:
    """Mean and standard deviation of all pixels of an epoch, as levels from 0 to 255."""
    import torch

    num, sums_C, squares_C = 0, torch.zeros(3), torch.zeros(3)
    scale_C = torch.tensor(std).view(3, 1, 1)
    for batch_NCHW in batches:
        pixels_NCHW = batch_NCHW.float().cpu() * scale_C + torch.tensor(mean).view(3, 1, 1)
        num += len(pixels_NCHW)
        sums_C += len(pixels_NCHW) * pixels_NCHW.mean(dim=(0, 2, 3))
        squares_C += len(pixels_NCHW) * pixels_NCHW.square().mean(dim=(0, 2, 3))
    level = float(sums_C.mean()) / num
    contrast = (float(squares_C.mean()) / num - level**2) ** 0.5
    return {"level": 255 * level, "contrast": 255 * contrast}


def images_per_second(epoch: Callable[[], Iterable[Any]]) -> float:
    """The rate of an epoch's batches (N, C, H, W), whole epochs until the time is over."""
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        for batch in epoch():
            done += len(batch)
        _wait_for(batch)
    return done / (time.perf_counter() - started)


def _wait_for(batch: Any) -> None:
    batch[-1, 0, 0, 0].item()
