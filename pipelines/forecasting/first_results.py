"""Trained models of runs, and the first result of a pipeline that a later run improves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.artifacts import ImageDirectory, TrainedModel
from modules.errors import ModuleError
from modules.json_model import JsonModel
from pipelines.document.document import PipelineDocument, parse_document
from pipelines.forecasting.recipes import TrainingImages
from pipelines.forecasting.training_parts import (
    IMAGES_PORT,
    MODEL_PORT,
    VALIDATION_PORT,
    TrainingParts,
    training_parts,
)
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.problems import PipelineError
from pipelines.runs.headline import Headline
from pipelines.runs.history import RunHistory
from pipelines.runs.results import headline_in
from pipelines.runs.run_service import RunService
from pipelines.store.database.history import RunFilter

HEAD_ONLY = "all but the head"
ACCURACY = "Top-1 validation accuracy"
MAX_EARLIER = 50
"""Number of earlier runs that are searched for a first result."""


class FirstResult(JsonModel):
    """Earlier run with frozen layers, and the same metric of both runs."""

    run_id: str
    name: str
    label: str
    before: str
    now: str
    is_better: bool | None


@dataclass(frozen=True)
class Trained:
    """A model of a run that started from pretrained weights, and its images."""

    document: PipelineDocument
    parts: TrainingParts
    accuracy: float
    """Share of the validation images that are right, 0-1."""
    num_validation: int
    images: TrainingImages

    @property
    def is_frozen(self) -> bool:
        return bool(self.parts.chosen.freeze == HEAD_ONLY)

    @property
    def num_wrong(self) -> int:
        return round((1 - self.accuracy) * self.num_validation)


def trained_in(runs: RunService, run_id: str) -> Trained | None:
    """Return the model of a completed run; None if it has none or several, or it is gone."""
    document = _document(runs, run_id)
    if document is None or runs.store.state(run_id).status != "completed":
        return None
    parts = [part for part in training_parts(document, runs.catalog) if _is_pretrained(part)]
    if len(parts) != 1:
        return None
    outputs = RunOutputs(runs, run_id)
    [training] = parts
    model = outputs.output(training.train, MODEL_PORT)
    images = outputs.input(training.train, IMAGES_PORT)
    validation = outputs.input(training.train, VALIDATION_PORT)
    if model is None or images is None or validation is None:
        return None
    try:
        accuracy = float(TrainedModel(model.folder).description["metrics"][ACCURACY])
        num_validation = len(ImageDirectory(validation.folder).images)
        facts = _images(images.folder)
    except (ModuleError, OSError, ValueError, KeyError, TypeError):  # a damaged output
        return None
    return Trained(document, training, accuracy, num_validation, facts)


def first_result(runs: RunService, run_id: str) -> FirstResult | None:
    """Return the latest earlier result of the same pipeline whose layers were frozen.

    If those of this run are frozen, too, one of another network.
    """
    history = RunHistory(runs)
    now = history.row(run_id)
    if now.pipeline_id is None:
        candidates = [now.from_run] if now.from_run else []
    else:
        criteria = RunFilter(pipeline_id=now.pipeline_id, status=("completed",), until=now.created)
        page = history.index.search(criteria, limit=MAX_EARLIER)
        candidates = [row.id for row in page.rows]
    others = (None, _frozen_network(runs, run_id))
    earlier = next((run for run in candidates if _frozen_network(runs, run) not in others), None)
    if earlier is None:
        return None
    row = history.row(earlier)
    before, after = headline_in(row), headline_in(now)
    if before is None or after is None or before.metric != after.metric:
        return None
    return FirstResult(
        run_id=earlier,
        name=row.name,
        label=after.label,
        before=before.text,
        now=after.text,
        is_better=_is_better(before, after),
    )


def _is_better(before: Headline, after: Headline) -> bool | None:
    if after.higher_is_better is None or after.value == before.value:
        return None
    return (after.value > before.value) == after.higher_is_better


def _frozen_network(runs: RunService, run_id: str) -> str | None:
    """Return the name of the pretrained network whose layers were frozen; None without one."""
    document = _document(runs, run_id)
    parts = training_parts(document, runs.catalog) if document else ()
    return next(
        (
            str(getattr(part.chosen, "model_name", type(part.chosen).__name__))
            for part in parts
            if _is_pretrained(part) and part.chosen.freeze == HEAD_ONLY
        ),
        None,
    )


def _is_pretrained(parts: TrainingParts) -> bool:
    chosen: Any = parts.chosen
    return bool(chosen.pretrained or chosen.weights_path)


def _document(runs: RunService, run_id: str) -> PipelineDocument | None:
    record = runs.store.record(run_id)
    try:
        return None if record is None else parse_document(record.document)
    except PipelineError:  # of a newer version of the program
        return None


def _images(folder: Path) -> TrainingImages:
    rows = ImageDirectory(folder).images
    edges = rows[["width", "height"]].min(axis=1)
    return TrainingImages(len(rows), int(edges.median()))
