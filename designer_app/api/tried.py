"""Endpoints that apply a run's model to an image of the user, and keep the image on request."""

from __future__ import annotations

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from designer_app.api import sentences
from designer_app.api.datasets import file_name
from designer_app.api.endpoint import ApiEndpoint, Call
from designer_app.api.previews import NODE
from designer_app.api.runs import found_run, node_path
from designer_app.application import Application
from designer_app.errors import ApiError, not_found
from designer_app.responses import answer
from designer_app.security.guard import PICTURE_TYPES
from modules.json_model import JsonModel
from pipelines.inspection.evaluation import evaluated_model
from pipelines.inspection.questions import SIMILAR, TRY_PICTURE
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.inspection.similar_images import (
    SimilarPictures,
    images_of_model,
    similar_pictures,
)
from pipelines.inspection.trying import confusions_text, kept_picture_file, picture_file

FILE = "Name of the image's file."


class ClassProbability(JsonModel):
    name: str
    probability: float


class TriedAnswer(JsonModel):
    """Prediction of an image; nothing is stored."""

    category: str = Field(description="The most probable class.")
    accepted: bool = Field(description="False if the model is less sure than its threshold.")
    classes: list[ClassProbability] = Field(description="The five most probable classes.")
    names: list[str] = Field(description="All classes, the most probable first.")
    seen: str = Field(description="Image as the model sees it: PNG in base64.")
    overlay: str | None = Field(description="The same with a heat map; null if there is none.")
    confusions: str = Field(description="What the evaluation says about predictions of the class.")


class KeptAnswer(JsonModel):
    category: str
    source: str = Field(description="Value for the source of Import Images.")


@ApiEndpoint(
    "POST",
    f"{NODE}/try",
    gives=TriedAnswer,
    accepts=tuple(sorted(PICTURE_TYPES)),
    query={"file": FILE},
    errors=(404, 413, 422, 503),
)
async def _try(application: Application, call: Call, request: Request) -> Response:
    """Apply the model of a node, or the one that it evaluated, to an image (the body). The first
    response waits for torch.
    """
    content = await request.body()  # size was checked by the guard
    return answer(await run_in_threadpool(_tried, application, call, content))


@ApiEndpoint(
    "POST",
    f"{NODE}/try/keep",
    gives=KeptAnswer,
    status=201,
    accepts=tuple(sorted(PICTURE_TYPES)),
    query={"file": FILE, "category": "True class of the image."},
    errors=(400, 404, 413, 422),
)
async def _keep(application: Application, call: Call, request: Request) -> Response:
    """Add an image (the body) to the dataset of kept images."""
    content = await request.body()
    return answer(await run_in_threadpool(_kept, application, call, content), 201)


@ApiEndpoint(
    "POST",
    f"{NODE}/try/similar",
    gives=SimilarPictures,
    accepts=tuple(sorted(PICTURE_TYPES)),
    query={"file": FILE},
    errors=(404, 413, 422, 503),
)
async def _similar(application: Application, call: Call, request: Request) -> Response:
    """The training images that are most similar to an image (the body), by the model's features."""
    content = await request.body()
    return answer(await run_in_threadpool(_compared, application, call, content))


def _tried(application: Application, call: Call, content: bytes) -> TriedAnswer:
    outputs, model = _model(application, call)
    cache = application.settings.workspace.cache_dir
    with picture_file(cache, file_name(call.query.get("file", "")), content) as picture:
        facts = application.inspector.ask(
            TRY_PICTURE, model=str(model.folder), picture=str(picture)
        )
    confusions = confusions_text(outputs, model.folder, facts["category"])
    return TriedAnswer.model_validate({**facts, "confusions": confusions})


def _compared(application: Application, call: Call, content: bytes) -> SimilarPictures:
    outputs, model = _model(application, call)
    images = images_of_model(outputs, model.folder)
    if images is None:
        raise not_found(sentences.NO_IMAGES_TO_COMPARE)
    cache = application.settings.workspace.cache_dir
    with picture_file(cache, file_name(call.query.get("file", "")), content) as picture:
        similar = application.inspector.ask(SIMILAR, picture=str(picture), **images.facts(cache))
    return similar_pictures(images.training, similar)


def _kept(application: Application, call: Call, content: bytes) -> KeptAnswer:
    _model(application, call)
    category = call.query.get("category", "").strip()
    if not category:
        raise ApiError(400, "invalid_request", sentences.NO_TRUE_CLASS)
    name = file_name(call.query.get("file", ""))
    added = kept_picture_file(application.session.datasets, content, name, category)
    return KeptAnswer(category=category, source=added.source)


def _model(application: Application, call: Call) -> tuple[RunOutputs, RunOutput]:
    outputs = RunOutputs(application.session.runs, found_run(application, call).id)
    model = evaluated_model(outputs, node_path(call))
    if model is None:
        raise not_found(sentences.NO_MODEL_TO_TRY)
    return outputs, model


ENDPOINTS = (_try, _keep, _similar)
