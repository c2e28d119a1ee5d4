"""Module Evaluate Model: metrics of scored labels, and comparison of two models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from modules.artifacts import EvaluationResults, ScoredImages, write_json
from modules.context import Context
from modules.declare import module
from modules.errors import NotLabeledDatasetError
from modules.forecast import ArtifactForecast, StepForecast
from modules.formatting import percent
from modules.scoring.score_table import CATEGORY, Scored
from modules.sentences import scoring as say
from modules.spec import PortDoc
from modules.training.training_images import noted_copies

if TYPE_CHECKING:
    import pandas as pd

ACCURACY = "Overall_Accuracy"
FEW_IMAGES = 20
"""With fewer test images the summary shows how uncertain their accuracy is."""


class EvaluateOutputs(NamedTuple):
    evaluation_results: Annotated[EvaluationResults, PortDoc("Metrics and the tables behind them.")]


def _forecast(
    inputs: Mapping[str, ArtifactForecast],
    parameters: object,  # noqa: ARG001 - every forecast is given the same three
    context: Context,  # noqa: ARG001
) -> StepForecast:
    counts = [
        forecast.num_images for forecast in inputs.values() if forecast.num_images is not None
    ]
    return StepForecast(images_processed=sum(counts) if counts else None)


@module(
    title="Evaluate Model",
    category="Model Scoring & Evaluation",
    summary="Measure the quality of scored labels and compare two models.",
    icon="gauge",
    keywords=("accuracy", "confusion matrix", "metrics", "compare", "test"),
    libraries=("pandas", "scikit-learn"),
    results_version=3,  # 2: Log_Loss was capped at 15.94 per image; 3: ties at 1 in ROC_AUC_OvR
    forecast=_forecast,
)
def evaluate_model(
    scored_dataset: Annotated[ScoredImages, PortDoc("From Score Image Model, with labels.")],
    context: Context,
    scored_dataset_to_compare: Annotated[
        ScoredImages | None, PortDoc("The same images scored by another model.")
    ] = None,
) -> EvaluateOutputs:
    """Compute metrics of scored images, and compare two models.

    Metrics: accuracy, precision, recall, F1, top-k accuracy, log loss, ROC AUC and calibration
    error. Every metric covers all labelled images. An image of a class that the model does not know
    counts as wrong. Its log loss would be infinite, so log loss is then omitted with a warning.
    Otherwise, log loss is the mean of the scored `loss`.

    Tables: confusion counts, metrics of each class, calibration, and the most confident mistakes
    with their images. With a second input, the same tables under `compared`, and the images whose
    prediction differs. Images are matched by content, not by path. A warning reports test sets that
    differ.
    """
    scored = _labeled(scored_dataset, "scored_dataset", context)
    _warn_of_copies(scored_dataset, scored, "", context)
    folder = context.new_folder()
    own = _evaluate(scored, scored_dataset.path, folder, "", context)
    metrics: dict[str, object] = dict(own)
    accuracy = percent(own[ACCURACY])
    if scored_dataset_to_compare is not None:
        other = _labeled(scored_dataset_to_compare, "scored_dataset_to_compare", context)
        _warn_of_copies(scored_dataset_to_compare, other, "compared ", context)
        compared = _evaluate(other, scored_dataset_to_compare.path, folder, "_compared", context)
        num_flipped = _compare(scored, other, folder, context)
        metrics["compared"] = compared
        other_accuracy = percent(compared[ACCURACY])
        context.summary(say.COMPARED, accuracy=accuracy, other=other_accuracy, differ=num_flipped)
    elif (num_images := len(scored.rows)) < FEW_IMAGES:
        from modules.scoring.metrics import accuracy_interval

        low, high = accuracy_interval(round(own[ACCURACY] * num_images), num_images)
        facts = {"low": percent(low), "high": percent(high)}
        context.summary(say.EVALUATED_ON_FEW, accuracy=accuracy, images=num_images, **facts)
    else:
        context.summary(say.EVALUATED, accuracy=accuracy)
    write_json(folder / "metrics.json", metrics)
    return EvaluateOutputs(EvaluationResults(folder))


def _labeled(artifact: ScoredImages, port: str, context: Context) -> Scored:
    """Return the scored images that have a category; raise 0024 if there are none."""
    scored = Scored.read(artifact, port)
    has_category = CATEGORY in scored.rows.columns
    known = scored.rows[CATEGORY].notna().to_numpy() if has_category else None
    if known is None or not known.any():
        raise NotLabeledDatasetError(say.NO_LABELS, port=port)
    num_left_out = int((~known).sum())
    if num_left_out:
        context.warn(say.SOME_NOT_LABELLED, left_out=num_left_out, images=len(known))
    return scored.only(known)


def _warn_of_copies(artifact: ScoredImages, scored: Scored, which: str, context: Context) -> None:
    """Warn of images that the model was trained on, as found by Score Image Model."""
    copies, first = noted_copies(artifact)
    if copies:
        count = max(copies, len(scored.rows))
        context.warn(say.TRAINING_COPIES, copies=copies, images=count, which=which, paths=first)


def _evaluate(
    scored: Scored, scored_dir: Path, folder: Path, suffix: str, context: Context
) -> dict[str, float]:
    """Write the tables of one scored dataset and return its metrics."""
    from modules.scoring.evaluation_tables import confusion, per_class
    from modules.scoring.metrics import calibration, class_indices, measure
    from modules.scoring.misclassified import most_confident_mistakes, with_pictures

    num_unknown = int((class_indices(scored) < 0).sum())
    if num_unknown:
        _tell_unknown(scored, num_unknown, "compared " if suffix else "", context)
    mistakes = with_pictures(most_confident_mistakes(scored.rows), scored_dir)
    tables: dict[str, pd.DataFrame] = {
        "confusion": confusion(scored),
        "per_class": per_class(scored),
        "calibration": calibration(scored),
        "mistakes": mistakes,
    }
    for name, table in tables.items():
        table.to_parquet(folder / f"{name}{suffix}.parquet", index=False)
    metrics = measure(scored)
    prefix = suffix.removeprefix("_") + " " if suffix else ""
    for name, value in metrics.items():
        context.metric(prefix + name, value)
    return metrics


def _tell_unknown(scored: Scored, num_unknown: int, which: str, context: Context) -> None:
    """Warn of images whose class the model does not know."""
    context.warn(
        say.IMAGES_OF_UNKNOWN_CLASSES,
        unknown=num_unknown,
        images=len(scored.rows),
        which=which,
        share=100 * num_unknown / len(scored.rows),
        classes=sorted(set(scored.rows[CATEGORY]) - set(scored.classes)),
    )


def _compare(scored: Scored, other: Scored, folder: Path, context: Context) -> int:
    """Write the images whose prediction differs and return their number."""
    from modules.scoring.evaluation_tables import flipped, shared

    num_shared = len(shared(scored, other))
    if num_shared < max(len(scored.rows), len(other.rows)):
        context.warn(
            say.TEST_SETS_DIFFER, shared=num_shared, first=len(scored.rows), second=len(other.rows)
        )
    table = flipped(scored, other)
    table.to_parquet(folder / "flipped.parquet", index=False)
    return len(table)
