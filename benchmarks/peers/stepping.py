"""Training steps on one batch that is there already: what a network costs without its pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.peers.telling import measuring_seconds, tell, versions_of
from benchmarks.peers.training import Work, optimizer_and_schedule

SECONDS = 2.0
STEPS_AT_ONCE = 3
"""Between two waits for the device."""


def measure(network: Any, work: Work, package: str, *, channels_last: bool) -> None:
    """Print the images/s of forward, backward and optimizer, in bf16 on a GPU."""
    import torch
    from torch import nn

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    layout = torch.channels_last if channels_last else torch.contiguous_format
    network = network.to(device, memory_format=layout).train()
    images_NCHW = torch.randn(work.batch_size, 3, work.size, work.size, device=device)
    images_NCHW = images_NCHW.contiguous(memory_format=layout)
    labels_N = torch.zeros(work.batch_size, dtype=torch.long, device=device)
    optimizer, _ = optimizer_and_schedule(network.parameters(), 1)
    loss = nn.CrossEntropyLoss()

    def step() -> Any:
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.bfloat16, enabled=device.type == "cuda"):
            value = loss(network(images_NCHW), labels_N)
        value.backward()
        optimizer.step()
        return value.detach()

    first = float(step())
    rate = calls_per_second(step, measuring_seconds(SECONDS)) * work.batch_size
    losses = {"first loss": first, "last loss": float(step())}
    tell({"rate": rate, **losses, "versions": versions_of(package)})


def calls_per_second(call: Callable[[], Any], seconds: float) -> float:
    """Of a function whose result is there when its numbers can be read."""
    for _ in range(STEPS_AT_ONCE):
        last = call()
    last.sum().item()
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        for _ in range(STEPS_AT_ONCE):
            last = call()
        last.sum().item()
        done += STEPS_AT_ONCE
    return done / (time.perf_counter() - started)
