"""Module Confidence Threshold: let a model abstain from answers that are too often wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import ScoredImages, TrainedModel, write_json
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidDatasetError, NotLabeledDatasetError
from modules.forecast import ArtifactForecast, StepForecast
from modules.formatting import percent
from modules.models.abstention import ABSTENTION
from modules.parameters import Parameters
from modules.scoring.abstention import Threshold, fit_threshold
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, Scored
from modules.sentences import scoring as say
from modules.spec import PortDoc

SHARES = {"1 %": 0.01, "2 %": 0.02, "5 %": 0.05}
FEW_IMAGES = 100
"""With fewer images the threshold is uncertain, which a warning says."""


class ThresholdParameters(Parameters):
    wrong_answers: Literal["1 %", "2 %", "5 %"] = Field(
        "2 %",
        description="Largest share of wrong answers among those that the model gives. For the "
        'other images it answers "I do not know".',
    )


class ThresholdOutputs(NamedTuple):
    trained_model: Annotated[TrainedModel, PortDoc("The same model with its threshold.")]


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: object,  # noqa: ARG001 - every forecast is given the same three
    context: Context,  # noqa: ARG001 - every forecast is given the same three
) -> StepForecast:
    return StepForecast({"trained_model": inputs.get("trained_model", ArtifactForecast())})


@module(
    title="Confidence Threshold",
    category="Model Scoring & Evaluation",
    summary='Let a model answer "I do not know" for images that it would often get wrong.',
    icon="scale",
    keywords=("abstain", "reject", "uncertain", "selective", "coverage", "unknown"),
    libraries=("pandas",),
    forecast=_forecast,
)
def confidence_threshold(
    trained_model: Annotated[TrainedModel, PortDoc("The model that scored the images.")],
    scored_dataset: Annotated[
        ScoredImages, PortDoc("Validation images scored by this model, with labels.")
    ],
    parameters: ThresholdParameters,
    context: Context,
) -> ThresholdOutputs:
    """Store the confidence below which the model abstains.

    The threshold is the lowest one at which at most *Wrong answers* of the accepted answers are
    wrong on the scored images. Use validation images: on training images models are too confident.
    The summary shows the share of images that is answered, and a bound for the share of wrong
    answers on new images of the same kind (95 % confidence).

    Score Image Model then adds the column `accepted`, *Try an image* answers "I do not know", and
    exported ONNX files have the output `accepted`.
    """
    trained_model.check()
    scored = Scored.read(scored_dataset, "scored_dataset")
    if scored.classes != trained_model.classes:
        raise InvalidDatasetError(say.SCORED_BY_ANOTHER_MODEL, port="scored_dataset")
    fitted = _fitted(scored, parameters.wrong_answers)
    folder = context.new_folder()
    _copy(trained_model.path, folder)
    described = {**trained_model.description, ABSTENTION: asdict(fitted)}
    write_json(folder / "model.json", described)
    if fitted.num_images < FEW_IMAGES:
        context.warn(say.FEW_IMAGES_FOR_THRESHOLD, images=fitted.num_images)
    context.summary(
        say.THRESHOLD_FITTED,
        answered=percent(fitted.answered),
        wrong=percent(fitted.wrong),
        bound=percent(fitted.wrong_at_most),
    )
    return ThresholdOutputs(TrainedModel(folder))


def _fitted(scored: Scored, wrong_answers: str) -> Threshold:
    """Return the threshold for the labelled images; raise 0024 without labels, 0018 for none."""
    rows = scored.rows
    labeled = rows[rows[CATEGORY].notna()] if CATEGORY in rows.columns else rows[:0]
    if labeled.empty:
        raise NotLabeledDatasetError(say.NO_LABELS, port="scored_dataset")
    confidences = labeled[CONFIDENCE].to_numpy(dtype="float64")
    is_right = (labeled[CATEGORY] == labeled[LABEL]).to_numpy()
    fitted = fit_threshold(confidences, is_right, SHARES[wrong_answers])
    if fitted is None:
        raise InvalidDatasetError(
            say.NO_THRESHOLD_FITS, share=wrong_answers, parameter="wrong_answers"
        )
    return fitted


def _copy(source: Path, folder: Path) -> None:
    """Link or copy the files of a model except its description and manifest."""
    for path in sorted(source.iterdir()):
        if path.is_file() and path.name not in ("model.json", "manifest.json"):
            try:
                os.link(path, folder / path.name)
            except OSError:  # a file system without hard links
                shutil.copyfile(path, folder / path.name)
