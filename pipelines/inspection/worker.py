"""The process that answers questions which need torch: one JSON line in, one out.

The app must not load torch; this process is started by ``pipelines.inspection.client`` at the first
question and ends when it is idle or its parent ends.
"""

from __future__ import annotations

import json
import os
import selectors
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from modules.artifacts import ImageDirectory, ImageTransformation, TrainedModel
from modules.errors import ModuleError
from modules.operating_system.limits import be_nice

IDLE_SECONDS = 300.0
NICENESS = 5
"""Runs come first; but somebody waits: at 10 a busy machine leaves two hundredths of a core."""

Question = Mapping[str, Any]


def _layers(asked: Question) -> dict[str, Any]:
    from modules.explain.layers import network_facts

    facts = network_facts(asked["recipe"], asked["num_classes"], asked["height"], asked["width"])
    return asdict(facts)


def _samples(asked: Question) -> dict[str, Any]:
    from modules.explain.samples import as_png, drawn, for_inference

    dataset, index = ImageDirectory(Path(asked["dataset"])), asked["index"]
    operations = _operations(asked, dataset)
    before = for_inference(dataset, index, ())
    after = drawn(dataset, index, operations, asked["seed"], asked["count"])
    return {"before": _png(as_png(before)), "after": [_png(as_png(each)) for each in after]}


def _operations(asked: Question, dataset: ImageDirectory) -> Any:
    """A transformation's, else those attached to the images: for inference without the random."""
    from modules.transforms.operations import select

    if asked.get("transformation"):
        return ImageTransformation(Path(asked["transformation"])).operations
    attached = dataset.transformation
    return select(attached.operations, attached.mode) if attached else ()


def _explanation(asked: Question) -> dict[str, Any]:
    from modules.explain.grad_cam import explain
    from modules.explain.samples import as_png

    found = explain(
        TrainedModel(Path(asked["model"])),
        ImageDirectory(Path(asked["dataset"])),
        asked["index"],
        asked.get("class_name"),
    )
    return {
        "seen": _png(as_png(found.seen)),
        "size": list(found.seen.shape[:2]),
        "tensor": [asdict(each) for each in found.tensor],
        "probabilities": found.probabilities,
        "explained": found.explained,
        "layer": found.layer,
        "overlay": None if found.overlay is None else _png(as_png(found.overlay)),
    }


def _png(content: bytes) -> str:
    return b64encode(content).decode()


ANSWERS: Mapping[str, Callable[[Question], dict[str, Any]]] = {
    "layers": _layers,
    "samples": _samples,
    "explanation": _explanation,
}


def answer(asked: Question) -> dict[str, Any]:
    """``{"answer": ...}``, or ``{"error": {"message", "cure"}}`` where there is none."""
    try:
        return {"answer": ANSWERS[asked["question"]](asked)}
    except ModuleError as error:
        return {"error": {"message": error.message, "cure": error.cure}}
    except Exception as error:  # whatever a damaged file does, the process goes on
        return {
            "error": {
                "message": f"This cannot be shown: {type(error).__name__}: {error}"[:500] + ".",
                "cure": "Run the node again, then look again.",
            }
        }


def main() -> None:
    """Answer until the questions end or none comes for a while."""
    be_nice(NICENESS)
    # Libraries print what they like: the answers go out by a channel of their own.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        _serve(sys.stdin, answers)


def _serve(questions: TextIO, answers: TextIO) -> None:
    import torch  # noqa: F401 - seconds, while nobody may have asked yet

    selector = selectors.DefaultSelector()
    selector.register(questions, selectors.EVENT_READ)
    while selector.select(IDLE_SECONDS):
        line = questions.readline()
        if not line:
            return
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
