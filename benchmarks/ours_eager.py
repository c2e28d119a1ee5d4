"""Eager torch with a trained model in fp32: the arithmetic of Score, one image at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.peers.classifying import Classify, measure
from modules.artifacts import TrainedModel
from modules.export.network import load_network
from modules.export.preparation import Preparation


def open_model(path: Path, size: tuple[int, int]) -> Classify:  # noqa: ARG001 - accepts any size
    import torch

    model = TrainedModel(path)
    network, normalisation = load_network(model), Preparation.of(model).normalisation

    def classify(pixels_HWC: Any) -> Any:
        with torch.inference_mode():
            images_NCHW = normalisation(torch.from_numpy(pixels_HWC)[None], channels_last=False)
            return network(images_NCHW).softmax(dim=1)[0].numpy()

    return classify


if __name__ == "__main__":
    measure(open_model, "torch")
