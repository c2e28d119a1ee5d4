"""Endpoints for previews of a node's outputs, small enough to be drawn on the canvas."""

from __future__ import annotations

from base64 import b64encode
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from designer_app.api import sentences
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.runs import found_run, node_path
from designer_app.application import Application
from designer_app.errors import ApiError, not_found
from modules.json_model import JsonModel
from pipelines.inspection.augmented import augmented_previews
from pipelines.inspection.image_trace import image_facts
from pipelines.inspection.networks import NetworkSketch, network_sketch
from pipelines.inspection.node_previews import NodePreviews, cell_preview, node_previews
from pipelines.inspection.preview_models import Preview
from pipelines.inspection.questions import SIMILAR
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.inspection.similar_images import (
    SimilarPictures,
    images_of_model,
    similar_pictures,
)
from pipelines.inspection.varied import VariedImage, images_to_transform, varied_image

NODE = "/api/runs/{run_id}/nodes/{node}"


class Variation(JsonModel):
    """Parameters of Init Image Transformation to be tried."""

    parameters: dict[str, JsonValue]
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        0, description="Seed of the image choice and of random parameters."
    )


class NodePreviewsAnswer(JsonModel):
    """Previews of a node, in the format of a replay."""

    previews: list[Preview]
    pictures: dict[str, str] = Field(description="Name to JPEG in base64.")
    is_transformed: bool = Field(
        description="True if transformations are attached, which change the images of a training."
    )


@ApiEndpoint("GET", f"{NODE}/previews", errors=(404,))
def _previews(application: Application, call: Call) -> NodePreviewsAnswer:
    """Contents of the outputs of a finished node, with small previews."""
    return _answer(node_previews(_outputs(application, call), node_path(call)))


@ApiEndpoint(
    "GET",
    f"{NODE}/cell",
    query={
        "actual": "True class.",
        "predicted": "Predicted class.",
    },
    errors=(400, 404),
)
def _cell(application: Application, call: Call) -> NodePreviewsAnswer:
    """The most confident images of a cell of a confusion matrix."""
    pair = call.query.get("actual"), call.query.get("predicted")
    if pair[0] is None or pair[1] is None:
        raise ApiError(400, "invalid_request", sentences.CELL_NEEDS_BOTH)
    return _answer(cell_preview(_outputs(application, call), node_path(call), pair[0], pair[1]))


@ApiEndpoint("GET", f"{NODE}/augmented", errors=(404, 422, 503))
def _augmented(application: Application, call: Call) -> NodePreviewsAnswer:
    """Images of a node with its random augmentation applied. The first response waits for torch."""
    outputs = _outputs(application, call)
    return _answer(augmented_previews(outputs, application.inspector, node_path(call)))


@ApiEndpoint("GET", f"{NODE}/network", errors=(404, 422, 503))
def _network(application: Application, call: Call) -> NetworkSketch:
    """Summary of an untrained model, built for its training images. The first response waits for
    torch.
    """
    outputs = _outputs(application, call)
    sketch = network_sketch(outputs, node_path(call), application.inspector)
    if sketch is None:
        raise not_found(sentences.NO_UNTRAINED_MODEL)
    return sketch


@ApiEndpoint("POST", f"{NODE}/varied", takes=Variation, errors=(404, 422, 503))
def _varied(application: Application, call: Call) -> VariedImage:
    """Apply parameters of Init Image Transformation to an image of the run. The first response
    waits for torch.
    """
    wanted: Variation = call.body
    images = images_to_transform(_outputs(application, call), node_path(call))
    if images is None:
        raise not_found(sentences.NO_IMAGES_TO_VARY)
    try:
        return varied_image(images, application.inspector, wanted.parameters, wanted.seed)
    except ValidationError:
        raise ApiError(422, "invalid_request", sentences.NO_SUCH_VARIATION) from None


@ApiEndpoint(
    "GET",
    f"{NODE}/similar",
    query={
        "port": "An output of the node with images.",
        "index": "Row of the image in that output.",
    },
    errors=(400, 404, 422, 503),
)
def _similar(application: Application, call: Call) -> SimilarPictures:
    """The training images that are most similar to an image, by the features of the run's model.

    The first response waits for torch, and for features that are not stored.
    """
    outputs = _outputs(application, call)
    output = outputs.output(node_path(call), call.query.get("port", ""))
    images = images_of_model(outputs)
    if output is None or output.type != "ImageDirectory" or images is None:
        raise not_found(sentences.NO_IMAGES_TO_COMPARE)
    index = call.number("index", 0)
    image_facts(output.folder, index)  # raises if there is no such row
    facts = images.facts(application.settings.workspace.cache_dir)
    answer = application.inspector.ask(SIMILAR, dataset=str(output.folder), index=index, **facts)
    return similar_pictures(images.training, answer)


def _outputs(application: Application, call: Call) -> RunOutputs:
    return RunOutputs(application.session.runs, found_run(application, call).id)


def _answer(made: NodePreviews) -> NodePreviewsAnswer:
    return NodePreviewsAnswer(
        previews=list(made.previews),
        pictures={name: b64encode(picture).decode() for name, picture in made.pictures.items()},
        is_transformed=made.is_transformed,
    )


ENDPOINTS = (_previews, _cell, _augmented, _varied, _network, _similar)
