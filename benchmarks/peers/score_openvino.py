"""OpenVINO on the CPU in bf16."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.exporting import exported
from benchmarks.peers.scoring import Run, measure

SETTINGS = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "bf16"}


def prepare(network: Any, images_NCHW: Any) -> Run:
    import openvino
    import torch

    core = openvino.Core()
    model = core.compile_model(core.read_model(exported(network, images_NCHW)), "CPU", SETTINGS)
    return lambda images: torch.from_numpy(model(images.numpy())[0])


if __name__ == "__main__":
    measure(prepare, "openvino")
