"""ONNX Runtime with an exported file, as its README calls it."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers.classifying import Classify, measure


def open_model(path: Path, size: tuple[int, int]) -> Classify:  # noqa: ARG001 - accepts any size
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return lambda pixels: session.run(["probabilities"], {"pixels": pixels})[0]


if __name__ == "__main__":
    measure(open_model, "onnxruntime")
