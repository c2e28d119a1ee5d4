"""Process that answers questions which need torch: one line of JSON in, one out.

The app does not import torch. ``pipelines.inspection.client`` starts this process at the first
question; it exits when it is idle or its parent has exited.
"""

from __future__ import annotations

import json
import socket
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from modules.artifacts import ImageDirectory, ImageTransformation, TrainedModel
from modules.errors import ModuleError
from modules.operating_system.limits import be_nice
from modules.operating_system.spawning import connection_to_parent
from pipelines.errors import InspectionError
from pipelines.problems import error_to_json
from pipelines.sentences import places

IDLE_SECONDS = 300.0
NICENESS = 5
"""Runs have priority, but a user waits: at 10 a busy machine leaves two hundredths of a core."""

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
    return {"before": _text(as_png(before)), "after": [_text(as_png(each)) for each in after]}


def _augmented(asked: Question) -> dict[str, Any]:
    """Return thumbnails of some augmented images, as JPEG."""
    from modules.explain.samples import as_jpeg, drawn

    dataset, edge = ImageDirectory(Path(asked["dataset"])), asked["edge"]
    operations = _operations(asked, dataset)
    shown = [
        drawn(dataset, index, operations, asked["seed"] + index, 1)[0] for index in asked["indices"]
    ]
    return {"pictures": [b64encode(as_jpeg(each, edge)).decode() for each in shown]}


def _varied(asked: Question) -> dict[str, Any]:
    """Return an image and its version after given operations, as JPEG."""
    from modules.explain.samples import as_jpeg, drawn, for_inference

    dataset, index, edge = ImageDirectory(Path(asked["dataset"])), asked["index"], asked["edge"]
    before = for_inference(dataset, index, ())
    after = drawn(dataset, index, asked["operations"], asked["seed"], asked["count"])
    return {
        "before": _text(as_jpeg(before, edge)),
        "after": [_text(as_jpeg(each, edge)) for each in after],
    }


def _operations(asked: Question, dataset: ImageDirectory) -> Any:
    """Return the operations of a transformation, or those attached to the images without random
    ones.
    """
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
        "seen": _text(as_png(found.seen)),
        "size": list(found.seen.shape[:2]),
        "tensor": [asdict(each) for each in found.tensor],
        "probabilities": found.probabilities,
        "explained": found.explained,
        "layer": found.layer,
        "overlay": None if found.overlay is None else _text(as_png(found.overlay)),
    }


def _tried(asked: Question) -> dict[str, Any]:
    from modules.explain.samples import as_png
    from pipelines.inspection.tried_picture import try_picture

    found = try_picture(Path(asked["model"]), Path(asked["picture"]))
    overlay = found["overlay"]
    return {
        **found,
        "seen": _text(as_png(found["seen"])),
        "overlay": None if overlay is None else _text(as_png(overlay)),
    }


def _tensors(asked: Question) -> dict[str, Any]:
    """Return the tensors of a script's file by name, without running its code."""
    from modules.models.weights import read_weights
    from modules.sentences import own_python

    path = Path(asked["file"])
    weights = read_weights(path, own_python.UNUSABLE_STATE_DICT, "state_dict", path.name)
    return {
        "tensors": [
            [name, list(each.shape), str(each.dtype).removeprefix("torch."), each.numel()]
            for name, each in weights.items()
        ]
    }


def _text(content: bytes) -> str:
    return b64encode(content).decode()


ANSWERS: Mapping[str, Callable[[Question], dict[str, Any]]] = {
    "layers": _layers,
    "samples": _samples,
    "augmented": _augmented,
    "explanation": _explanation,
    "tensors": _tensors,
    "tried": _tried,
    "varied": _varied,
}


def answer(asked: Question) -> dict[str, Any]:
    """Return ``{"answer": ...}``, or ``{"error": ...}``, see ``error_to_json``."""
    try:
        return {"answer": ANSWERS[asked["question"]](asked)}
    except ModuleError as error:
        return error_to_json(error.code, error)
    except Exception as error:  # whatever a damaged file causes, the process continues
        raised = f"{type(error).__name__}: {error}"[:470]
        return error_to_json(InspectionError.code, InspectionError(places.NOT_SHOWN, error=raised))


def main() -> None:
    """Answer until stdin closes or no question arrives for a while."""
    be_nice(NICENESS)
    with connection_to_parent(sys.argv[1]) as line:
        _serve(line)


def _serve(line: socket.socket) -> None:
    import torch  # noqa: F401 - seconds, while nobody may have asked yet

    line.settimeout(IDLE_SECONDS)
    with line.makefile("r", encoding="utf-8") as questions, suppress(OSError):
        while text := questions.readline():
            line.sendall(json.dumps(answer(json.loads(text))).encode() + b"\n")


if __name__ == "__main__":
    main()
