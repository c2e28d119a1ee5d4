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
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from modules.artifacts import ImageDirectory, ImageTransformation, TrainedModel
from modules.context import Context
from modules.errors import ModuleError
from modules.operating_system.limits import be_nice
from modules.operating_system.spawning import connection_to_parent
from pipelines.errors import InspectionError
from pipelines.inspection.questions import (
    AUGMENTED,
    EXPLANATION,
    EXPORT,
    GOLDEN,
    LAYERS,
    LEARNING_CURVE,
    SAMPLES,
    SIMILAR,
    TENSORS,
    TRY_PICTURE,
    VARIED,
    DrawnImage,
    ExportAnswer,
    GoldenAnswer,
    LearningCurveAnswer,
    SimilarAnswer,
    TensorsAnswer,
    Thumbnails,
    TriedPicture,
    WorkerReply,
)
from pipelines.problems import error_to_json
from pipelines.sentences import places

IDLE_TIMEOUT_SECONDS = 300.0
SHOWN_CLASSES = 5
NICENESS = 5
"""Runs have priority, but a user waits: at 10 a busy machine leaves two hundredths of a core."""

Request = Mapping[str, Any]
"""Name of a question and its arguments."""


def _layers(request: Request) -> Mapping[str, object]:
    from modules.explain.layers import network_facts

    return network_facts(
        request["recipe"], request["num_classes"], request["height"], request["width"]
    )


def _samples(request: Request) -> DrawnImage:
    from modules.explain.samples import as_png, drawn, for_inference

    dataset, index = ImageDirectory(Path(request["dataset"])), request["index"]
    operations = _operations(request, dataset)
    before = for_inference(dataset, index, ())
    after = drawn(dataset, index, operations, request["seed"], request["count"])
    return {"before": _text(as_png(before)), "after": [_text(as_png(image)) for image in after]}


def _augmented(request: Request) -> Thumbnails:
    """Return thumbnails of some augmented images, as JPEG."""
    from modules.explain.samples import as_jpeg, drawn

    dataset, edge = ImageDirectory(Path(request["dataset"])), request["edge"]
    operations = _operations(request, dataset)
    shown = [
        drawn(dataset, index, operations, request["seed"] + index, 1)[0]
        for index in request["indices"]
    ]
    return {"pictures": [b64encode(as_jpeg(image, edge)).decode() for image in shown]}


def _varied(request: Request) -> DrawnImage:
    """Return an image and its version after given operations, as JPEG."""
    from modules.explain.samples import as_jpeg, drawn, for_inference

    dataset = ImageDirectory(Path(request["dataset"]))
    index, edge = request["index"], request["edge"]
    before = for_inference(dataset, index, ())
    after = drawn(dataset, index, request["operations"], request["seed"], request["count"])
    return {
        "before": _text(as_jpeg(before, edge)),
        "after": [_text(as_jpeg(image, edge)) for image in after],
    }


def _operations(request: Request, dataset: ImageDirectory) -> Any:
    """Return a transformation's operations, or the attached ones that are not random."""
    from modules.transforms.operations import select

    if request.get("transformation"):
        return ImageTransformation(Path(request["transformation"])).operations
    attached = dataset.transformation
    return select(attached.operations, attached.mode) if attached else ()


def _explanation(request: Request) -> Mapping[str, object]:
    from modules.explain.grad_cam import explain
    from modules.explain.samples import as_png

    explanation = explain(
        TrainedModel(Path(request["model"])),
        ImageDirectory(Path(request["dataset"])),
        request["index"],
        request.get("class_name"),
    )
    return {
        "seen": _text(as_png(explanation.seen)),
        "size": list(explanation.seen.shape[:2]),
        "tensor": explanation.tensor,
        "probabilities": explanation.probabilities,
        "explained": explanation.explained,
        "layer": explanation.layer,
        "overlay": None if explanation.overlay is None else _text(as_png(explanation.overlay)),
    }


def _tried(request: Request) -> TriedPicture:
    from modules.explain.samples import as_png
    from pipelines.inspection.tried_picture import try_picture

    likely, accepted, explanation = try_picture(Path(request["model"]), Path(request["picture"]))
    overlay = explanation.overlay
    return {
        "category": likely[0]["name"],
        "accepted": accepted,
        "classes": likely[:SHOWN_CLASSES],
        "names": [row["name"] for row in likely],
        "seen": _text(as_png(explanation.seen)),
        "overlay": None if overlay is None else _text(as_png(overlay)),
    }


def _export(request: Request) -> ExportAnswer:
    """Write a model to a file in the cache, unless an earlier export is there."""
    from pipelines.registry.format_export import RunImages, export_format

    images = RunImages(*(_images(request[name]) for name in ("training", "validation")))
    model, target = TrainedModel(Path(request["model"])), Path(request["target"])
    card = export_format(model, request["name"], target, request["format"], images, replace=True)
    return {"agreement": card.get("agreement")}


def _images(folder: str | None) -> ImageDirectory | None:
    return None if folder is None else ImageDirectory(Path(folder))


def _similar(request: Request) -> SimilarAnswer:
    """Return the training images most similar to a picture, or to a row of a directory."""
    from modules.scoring.similar_images import similar_images
    from pipelines.inspection.tried_picture import dataset_of

    with TemporaryDirectory(prefix="designer-similar-") as scratch:
        root = Path(scratch)
        if request.get("picture"):
            dataset, index = dataset_of(Path(request["picture"]), root), 0
        else:
            dataset, index = ImageDirectory(Path(request["dataset"])), request["index"]
        validation = request.get("validation")
        similar = similar_images(
            TrainedModel(Path(request["model"])),
            ImageDirectory(Path(request["training"])),
            ImageDirectory(Path(validation)) if validation else None,
            dataset,
            index,
            Context(root / "staging", cache_dir=Path(request["cache"])),
        )
    return {
        "neighbors": [
            {"index": neighbor.index, "distance": neighbor.distance}
            for neighbor in similar.neighbors
        ],
        "limit": similar.limit,
        "unlike": similar.is_unlike,
    }


def _learning_curve(request: Request) -> LearningCurveAnswer:
    """Return the learning curve of the images of a model's training, and estimates."""
    from modules.scoring.learning_curve import learning_curve

    with TemporaryDirectory(prefix="designer-learning-") as scratch:
        curve = learning_curve(
            TrainedModel(Path(request["model"])),
            [ImageDirectory(Path(folder)) for folder in request["datasets"]],
            Context(Path(scratch), cache_dir=Path(request["cache"])),
        )
    return {
        "measured": [(point.per_class, point.accuracy) for point in curve.points],
        "estimated": [(count, curve.accuracy_at(count)) for count in request["counts"]],
    }


def _golden(request: Request) -> GoldenAnswer:
    """Return the correct predictions of two models on golden images."""
    from pipelines.inspection.alias_moves import compare_here

    current = request["current"]
    folders = Path(request["model"]), Path(current) if current else None
    return compare_here(*folders, Path(request["golden"]))


def _tensors(request: Request) -> TensorsAnswer:
    """Return the tensors of a script's file by name, without running its code."""
    from modules.models.weights import read_weights
    from modules.sentences import own_python

    path = Path(request["file"])
    weights = read_weights(path, own_python.UNUSABLE_STATE_DICT, "state_dict", path.name)
    return {
        "tensors": [
            (name, list(tensor.shape), str(tensor.dtype).removeprefix("torch."), tensor.numel())
            for name, tensor in weights.items()
        ]
    }


def _text(content: bytes) -> str:
    return b64encode(content).decode()


ANSWERS: Mapping[str, Callable[[Request], object]] = {
    LAYERS.name: _layers,
    SAMPLES.name: _samples,
    AUGMENTED.name: _augmented,
    EXPLANATION.name: _explanation,
    LEARNING_CURVE.name: _learning_curve,
    SIMILAR.name: _similar,
    TENSORS.name: _tensors,
    EXPORT.name: _export,
    GOLDEN.name: _golden,
    TRY_PICTURE.name: _tried,
    VARIED.name: _varied,
}


def answer(request: Request) -> WorkerReply:
    """Return the answer, or the error of the question."""
    try:
        return {"answer": ANSWERS[request["question"]](request)}
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

    line.settimeout(IDLE_TIMEOUT_SECONDS)
    with line.makefile("r", encoding="utf-8") as questions, suppress(OSError):
        while text := questions.readline():
            line.sendall(json.dumps(answer(json.loads(text))).encode() + b"\n")


if __name__ == "__main__":
    main()
