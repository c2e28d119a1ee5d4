"""The network of a trained model as an ONNX file, with the facts that a plain server needs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from benchmarks.peers.telling import tell
from modules.artifacts import TrainedModel
from modules.models.serialization import load_trained
from modules.scoring.backends import exported


def main() -> None:
    """Write ``network.onnx`` for one image, and ``facts.json``."""
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    asked = parser.parse_args()
    model = TrainedModel(asked.model)
    size = model.description["input_size"]
    example = torch.zeros(1, 3, size["height"], size["width"])
    (asked.folder / "network.onnx").write_bytes(exported(load_trained(model), example))
    facts = {"classes": model.classes, **model.description["normalisation"]}
    (asked.folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")
    tell({})


if __name__ == "__main__":
    main()
