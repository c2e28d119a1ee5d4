"""The step of torchvision's references with mixed precision."""

from __future__ import annotations

from benchmarks.peers.stepping import measure
from benchmarks.peers.training import new_network, read_work

if __name__ == "__main__":
    WORK = read_work()
    measure(new_network(WORK), WORK, "torchvision", channels_last=False)
