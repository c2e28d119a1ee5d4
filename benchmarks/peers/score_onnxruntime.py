"""ONNX Runtime on the CPU, as it comes."""

from __future__ import annotations

from typing import Any

from benchmarks.peers.exporting import exported
from benchmarks.peers.scoring import Run, measure


def prepare(network: Any, images_NCHW: Any) -> Run:
    import onnxruntime
    import torch

    session = onnxruntime.InferenceSession(
        exported(network, images_NCHW), providers=["CPUExecutionProvider"]
    )
    [given] = session.get_inputs()
    return lambda images: torch.from_numpy(session.run(None, {given.name: images.numpy()})[0])


if __name__ == "__main__":
    measure(prepare, "onnxruntime")
