"""torch as it comes, and compiled with bf16 where the processor multiplies it."""

from __future__ import annotations

import os
from typing import Any

from benchmarks.peers.scoring import Run, measure

IS_COMPILED = os.environ.get("COMPILED") == "1"


def prepare(network: Any, images_NCHW: Any) -> Run:  # noqa: ARG001 - compiled at its first call
    import torch

    if not IS_COMPILED:
        return network
    compiled = torch.compile(network.to(memory_format=torch.channels_last))

    def run(images: Any) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            return compiled(images.to(memory_format=torch.channels_last))

    return run


if __name__ == "__main__":
    measure(prepare, "torch")
