"""Evaluate Model: how good scored labels are, and how two models compare."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from modules.context import Context
from modules.declare import module
from modules.errors import NotLabeledDatasetError
from modules.forecast import Foreseen, StepForecast
from modules.ports import EvaluationResults, ScoredImages, write_json
from modules.scoring.table import CATEGORY, Scored
from modules.spec import PortDoc

if TYPE_CHECKING:
    import pandas as pd

ACCURACY = "Overall_Accuracy"


class EvaluateOutputs(NamedTuple):
    evaluation_results: Annotated[EvaluationResults, PortDoc("Metrics and the tables behind them.")]


def _forecast(
    inputs: Mapping[str, Foreseen],
    parameters: object,  # noqa: ARG001 - every forecast is given the same three
    context: Context,  # noqa: ARG001
) -> StepForecast:
    counts = [each.num_images for each in inputs.values() if each.num_images is not None]
    return StepForecast(images_processed=sum(counts) if counts else None)


@module(
    title="Evaluate Model",
    category="Model Scoring & Evaluation",
    summary="Measure how good scored labels are; compare two models.",
    icon="gauge",
    keywords=("accuracy", "confusion matrix", "metrics", "compare", "test"),
    libraries=("pandas", "scikit-learn"),
    forecast=_forecast,
)
def evaluate_model(
    scored_dataset: Annotated[ScoredImages, PortDoc("From Score Image Model, labelled.")],
    context: Context,
    scored_dataset_to_compare: Annotated[
        ScoredImages | None, PortDoc("The same images scored by another model.")
    ] = None,
) -> EvaluateOutputs:
    """Accuracy, precision, recall, F1, top-k accuracy, log loss, ROC AUC and calibration error.

    Tables: the confusion counts, the measures of each class, the calibration, the mistakes the
    model is surest of with their pictures. With a second input, the same of that one under
    `compared`, and the images whose prediction differs.
    """
    scored = _labeled(scored_dataset, "scored_dataset", context)
    folder = context.new_folder()
    metrics: dict[str, object] = dict(_evaluate(scored, scored_dataset.path, folder, "", context))
    summary = f"accuracy {_percent(metrics[ACCURACY])}"
    if scored_dataset_to_compare is not None:
        other = _labeled(scored_dataset_to_compare, "scored_dataset_to_compare", context)
        compared = _evaluate(other, scored_dataset_to_compare.path, folder, "_compared", context)
        num_flipped = _compare(scored, other, folder, context)
        metrics["compared"] = compared
        summary += f" against {_percent(compared[ACCURACY])}, {num_flipped:,} predictions differ"
    write_json(folder / "metrics.json", metrics)
    context.summary(summary)
    return EvaluateOutputs(EvaluationResults(folder))


def _labeled(artifact: ScoredImages, port: str, context: Context) -> Scored:
    """The scored images that have a category; 0024 where none has."""
    scored = Scored.read(artifact, port)
    has_category = CATEGORY in scored.rows.columns
    known = scored.rows[CATEGORY].notna().to_numpy() if has_category else None
    if known is None or not known.any():
        raise NotLabeledDatasetError(
            "The scored images have no labels to compare the predictions with.",
            cure="Score images that lie in one folder a class.",
            port=port,
        )
    num_left_out = int((~known).sum())
    if num_left_out:
        context.warn(
            f"{num_left_out:,} of {len(known):,} images have no label and are left out. "
            "Label them to count them."
        )
    return scored.only(known)


def _evaluate(
    scored: Scored, scored_dir: Path, folder: Path, suffix: str, context: Context
) -> dict[str, float]:
    """Write the tables of one scored data set and give its metrics."""
    from modules.scoring.measures import calibration, measure
    from modules.scoring.mistakes import most_confident_mistakes, with_pictures
    from modules.scoring.tables import confusion, per_class

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


def _compare(scored: Scored, other: Scored, folder: Path, context: Context) -> int:
    """Write the images whose prediction differs and give their number."""
    from modules.scoring.tables import flipped

    shared = set(scored.rows["path"]) & set(other.rows["path"])
    if len(shared) < max(len(scored.rows), len(other.rows)):
        context.warn(
            f"The two scored datasets share {len(shared):,} images and hold "
            f"{len(scored.rows):,} and {len(other.rows):,}: their metrics are of different images. "
            "Score the same images with both models."
        )
    table = flipped(scored, other)
    table.to_parquet(folder / "flipped.parquet", index=False)
    return len(table)


def _percent(value: object) -> str:
    assert isinstance(value, float)
    return f"{100 * value:.1f} %"
