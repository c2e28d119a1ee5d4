"""What feeds a GPU: folders of JPEGs in, augmented and normalised batches on the device out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.peers.telling import measuring_seconds, tell

SECONDS = measuring_seconds(3.0)


def measure(epoch: Callable[[], Iterable[Any]], package_version: str) -> None:
    """Print the images/s of going through epochs of batches; the first one does not count."""
    tell({"rate": images_per_second(epoch), "version": package_version})


def images_per_second(epoch: Callable[[], Iterable[Any]]) -> float:
    """The rate of an epoch's batches (N, C, H, W), whole epochs until the time is over."""
    for batch in epoch():
        _wait_for(batch)
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        for batch in epoch():
            done += len(batch)
        _wait_for(batch)
    return done / (time.perf_counter() - started)


def _wait_for(batch: Any) -> None:
    batch[-1, 0, 0, 0].item()
