"""Endpoints for previews of a node's outputs, small enough to be drawn on the canvas."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict
from typing import Any

from pydantic import ValidationError

from designer_app.api import sentences
from designer_app.api.endpoint import Call, Endpoint
from designer_app.api.runs import found_run, node_path
from designer_app.application import Application
from designer_app.errors import ApiError, not_found
from designer_app.schemas.previews import (
    NetworkSketch,
    NodePreviewsAnswer,
    Variation,
    VariedImageAnswer,
)
from modules.models.recipe import OWN
from pipelines.inspection.augmented import augmented_previews
from pipelines.inspection.networks import input_of, parts_of, recipe_of, untrained_model
from pipelines.inspection.node_previews import NodePreviews, cell_preview, node_previews
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.inspection.varied import images_to_transform, varied_image


def _previews(application: Application, call: Call) -> dict[str, Any]:
    return _answer(node_previews(_outputs(application, call), node_path(call)))


def _cell(application: Application, call: Call) -> dict[str, Any]:
    pair = call.query.get("actual"), call.query.get("predicted")
    if pair[0] is None or pair[1] is None:
        raise ApiError(400, "invalid_request", sentences.CELL_NEEDS_BOTH)
    return _answer(cell_preview(_outputs(application, call), node_path(call), pair[0], pair[1]))


def _augmented(application: Application, call: Call) -> dict[str, Any]:
    outputs = _outputs(application, call)
    return _answer(augmented_previews(outputs, application.inspector, node_path(call)))


def _network(application: Application, call: Call) -> dict[str, Any]:
    outputs, node = _outputs(application, call), node_path(call)
    output = untrained_model(outputs, node)
    if output is None:
        raise not_found(sentences.NO_UNTRAINED_MODEL)
    recipe, images = recipe_of(output.folder), asdict(input_of(outputs, node))
    facts = application.inspector.ask("layers", recipe=recipe, **images)
    counts = ("num_parameters", "num_trainable", "flops_per_image")
    return {
        "architecture": str(recipe.get("architecture", "")).removeprefix(OWN),
        **images,
        **{name: facts[name] for name in counts},
        "parts": [asdict(part) for part in parts_of(facts["layers"])],
    }


def _varied(application: Application, call: Call) -> dict[str, Any]:
    wanted: Variation = call.body
    images = images_to_transform(_outputs(application, call), node_path(call))
    if images is None:
        raise not_found(sentences.NO_IMAGES_TO_VARY)
    try:
        made = varied_image(images, application.inspector, wanted.parameters, wanted.seed)
    except ValidationError:
        raise ApiError(422, "invalid_request", sentences.NO_SUCH_VARIATION) from None
    return asdict(made)


def _outputs(application: Application, call: Call) -> RunOutputs:
    return RunOutputs(application.session.runs, found_run(application, call).id)


def _answer(made: NodePreviews) -> dict[str, Any]:
    return {
        "previews": [preview.model_dump() for preview in made.previews],
        "pictures": {name: b64encode(picture).decode() for name, picture in made.pictures.items()},
        "is_transformed": made.is_transformed,
    }


NODE = "/api/runs/{run_id}/nodes/{node}"
ENDPOINTS = (
    Endpoint(
        "GET",
        f"{NODE}/previews",
        "Contents of the outputs of a finished node, with small previews.",
        _previews,
        gives=NodePreviewsAnswer,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        f"{NODE}/cell",
        "The most confident images of a cell of a confusion matrix.",
        _cell,
        gives=NodePreviewsAnswer,
        query={
            "actual": "True class.",
            "predicted": "Predicted class.",
        },
        errors=(400, 404),
    ),
    Endpoint(
        "GET",
        f"{NODE}/augmented",
        "Images of a node with its random augmentation applied. The first response waits for "
        "torch.",
        _augmented,
        gives=NodePreviewsAnswer,
        errors=(404, 503),
    ),
    Endpoint(
        "POST",
        f"{NODE}/varied",
        "Apply parameters of Init Image Transformation to an image of the run. The first "
        "response waits for torch.",
        _varied,
        takes=Variation,
        gives=VariedImageAnswer,
        errors=(404, 422, 503),
    ),
    Endpoint(
        "GET",
        f"{NODE}/network",
        "Summary of an untrained model, built for its training images. The first response waits "
        "for torch.",
        _network,
        gives=NetworkSketch,
        errors=(404, 503),
    ),
)
