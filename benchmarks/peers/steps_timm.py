"""The step of timm's benchmark script with --amp --channels-last."""

from __future__ import annotations

import timm

from benchmarks.peers.stepping import measure
from benchmarks.peers.training import read_work

if __name__ == "__main__":
    WORK = read_work()
    NUM_CLASSES = sum(1 for each in WORK.train.iterdir() if each.is_dir())
    NETWORK = timm.create_model(WORK.network, num_classes=NUM_CLASSES)
    measure(NETWORK, WORK, "timm", channels_last=True)
