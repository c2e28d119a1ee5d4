"""Endpoints that use recordings: save a version, train with it, and try the model live."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from designer_app.api.datasets import DatasetCreated, DatasetPreview
from designer_app.api.endpoint import ApiEndpoint, Call, Reply
from designer_app.api.recordings import RECORDING
from designer_app.api.runs import found_run
from designer_app.application import Application
from designer_app.errors import not_found
from designer_app.responses import answer
from designer_app.security.guard import FRAME_TYPES
from modules.artifacts import EvaluationResults, TrainedModel
from modules.datasets.folder_summary import summary_of_version
from modules.json_model import JsonModel
from modules.scoring.metrics import accuracy_interval
from pipelines.document.document import parse_document
from pipelines.forecasting.recorded_pipeline import pipeline_of_recording
from pipelines.inspection.evaluation import num_right
from pipelines.inspection.live import LiveAnswer
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.registry.recording_versions import require_trainable, source_of
from pipelines.runs.run_request import RunRequest
from pipelines.sentences import recordings as say
from pipelines.store.database.run_options import root_texts

WORKING = frozenset({"preparing", "running", "finalising"})
ENDED = frozenset({"completed", "reused", "skipped"})


class TrainingStarted(JsonModel):
    """Run that trains with a recording."""

    source: str = Field(description="Version of the dataset that it reads.")
    version: int
    pipeline_id: str
    run_id: str


class TestAccuracy(JsonModel):
    """Accuracy on the test images and its 95 % interval, all 0 to 1."""

    __test__ = False  # no class of tests

    accuracy: float
    images: int
    low: float
    high: float


class TrainingProgress(JsonModel):
    """Progress and result of a training with a recording."""

    run_id: str
    status: str
    is_finished: bool
    num_done: int = Field(description="Number of finished steps.")
    num_steps: int
    current: str | None = Field(description="Title of the step that runs.")
    seconds: float | None
    result: TestAccuracy | None
    message: str | None = Field(description="Error message and fix if it failed.")


class ClassShare(JsonModel):
    """Class and its predicted probability."""

    name: str
    probability: float


class LivePrediction(JsonModel):
    """Prediction of a picture of the camera."""

    classes: list[ClassShare] = Field(description="In the order of the model.")
    overlay: str | None = Field(description="Heat map of the most probable class: JPEG in base64.")
    milliseconds: float = Field(description="Time of the prediction, without the request.")
    skipped: bool = Field(description="True if a newer picture arrived before its turn.")


@ApiEndpoint("POST", RECORDING + "/save", gives=DatasetCreated, status=201, errors=(404, 422, 507))
def _save(application: Application, call: Call) -> Reply:
    """Save the stored pictures as a version of the dataset of the same name.

    If nothing has changed since the last version, that one is returned.
    """
    name = call.path["recording"]
    versions = application.session.recording_versions
    last, version = versions.saved(name).version, versions.save(name).version
    summary = summary_of_version(application.session.datasets.location(name, version))
    made = DatasetCreated(
        name=name,
        version=version,
        source=source_of(name, version),
        was_known=version == last,
        preview=DatasetPreview.copied(summary),
    )
    return Reply(made, 201)


@ApiEndpoint(
    "POST", RECORDING + "/train", gives=TrainingStarted, status=201, errors=(404, 422, 503, 507)
)
def _train(application: Application, call: Call) -> Reply:
    """Save the recording, and run the starter pipeline with it.

    A further training uses the same pipeline, with all changes made to it.
    """
    session, name = application.session, call.path["recording"]
    require_trainable(session.recordings.get(name))
    saved = session.recording_versions.save(name)
    roots = application.settings.allowed_roots
    revision = pipeline_of_recording(
        session.runs, session.datasets, session.pipelines, name, saved, roots
    )
    document = application.prepared(parse_document(revision.document))
    request = RunRequest(
        document, pipeline_id=revision.pipeline_id, allowed_roots=root_texts(roots)
    )
    run_id = session.runs.submit(request)
    application.live.start()  # it loads torch while the run trains
    session.recording_versions.remember(name, revision.pipeline_id, run_id)
    started = TrainingStarted(
        source=source_of(name, saved.version),
        version=saved.version,
        pipeline_id=revision.pipeline_id,
        run_id=run_id,
    )
    return Reply(started, 201)


@ApiEndpoint("GET", "/api/runs/{run_id}/training", errors=(404,))
def _progress(application: Application, call: Call) -> TrainingProgress:
    """Progress of a run in steps, and the accuracy on its test images."""
    record = found_run(application, call)
    runs = application.session.runs
    runs.runner.refresh()
    state = runs.store.state(record.id)
    outputs = RunOutputs(runs, record.id)
    nodes = outputs.document.nodes if outputs.document else ()
    running = [node for node, step in state.steps.items() if step.status in WORKING]
    problem = state.problem
    return TrainingProgress(
        run_id=record.id,
        status=state.status,
        is_finished=state.is_finished,
        num_done=sum(step.status in ENDED for step in state.steps.values()),
        num_steps=len(nodes),
        current=outputs.title(running[-1]) if running else None,
        seconds=state.seconds,
        result=_accuracy(outputs) if state.status == "completed" else None,
        message=None if problem is None else f"{problem['message']} {problem['cure']}",
    )


def _accuracy(outputs: RunOutputs) -> TestAccuracy | None:
    """Return the accuracy of the last evaluation; None without one."""
    evaluated = [one for one in outputs.all if one.type == EvaluationResults.__name__]
    right, num_images = num_right(evaluated[-1].folder) if evaluated else (0, 0)
    if num_images == 0:
        return None
    low, high = accuracy_interval(right, num_images)
    return TestAccuracy(accuracy=right / num_images, images=num_images, low=low, high=high)


@ApiEndpoint(
    "POST",
    "/api/runs/{run_id}/live",
    gives=LivePrediction,
    accepts=tuple(sorted(FRAME_TYPES)),
    query={"heat": "1: also compute a heat map, which takes longer."},
    errors=(404, 413, 422, 503),
)
async def _live(application: Application, call: Call, request: Request) -> Response:
    """Predict a picture of a camera (the body) by the trained model of a run.

    Nothing is stored. If pictures arrive faster than they are predicted, only the newest counts.
    """
    frame = await request.body()
    heat = call.query.get("heat") == "1"
    made = await run_in_threadpool(_predicted, application, call, frame, heat=heat)
    return answer(LivePrediction.model_validate(made))


def _predicted(application: Application, call: Call, frame: bytes, *, heat: bool) -> LiveAnswer:
    run_id = call.path["run_id"]
    model = application.live.known_model(run_id, lambda: _model_folder(application, call))
    return application.live.predict(model, frame, heat=heat)


def _model_folder(application: Application, call: Call) -> Path:
    """Return the last trained model of a run; raises ``ApiError``."""
    record = found_run(application, call)
    outputs = RunOutputs(application.session.runs, record.id)
    models = [one.folder for one in outputs.all if one.type == TrainedModel.__name__]
    if not models:
        raise not_found(say.NO_LIVE_MODEL, run=record.id)
    return models[-1]


ENDPOINTS = (_save, _train, _progress, _live)
