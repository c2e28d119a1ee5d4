"""OpenVINO with an exported ONNX file in fp32, compiled for the size of the images."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers.classifying import Classify, measure

SETTINGS = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}


def open_model(path: Path, size: tuple[int, int]) -> Classify:
    import openvino

    core = openvino.Core()
    model = core.read_model(str(path))
    model.reshape([*size, 3])
    compiled = core.compile_model(model, "CPU", SETTINGS)
    probabilities = compiled.output("probabilities")
    return lambda pixels: compiled(pixels)[probabilities]


if __name__ == "__main__":
    measure(open_model, "openvino")
