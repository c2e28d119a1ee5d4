"""Results of an evaluation, and the images behind each number."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import EvaluationResults, ScoredImages, TrainedModel
from modules.scoring.abstention import ALLOWED, Threshold, fit_threshold
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, PATH, PROBABILITY_PREFIX
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.inspection.tables import read
from pipelines.sentences import places

if TYPE_CHECKING:
    import pandas as pd

COMPARED = "_compared"
"""Suffix of the second input's tables."""
INPUTS = {"": "scored_dataset", COMPARED: "scored_dataset_to_compare"}
NUM_THRESHOLDS = 101


@lru_cache(maxsize=16)
def metrics(folder: Path) -> dict[str, Any]:
    """Return the metrics by name; the second input's under ``compared``."""
    try:
        return EvaluationResults(folder).metrics
    except (OSError, ValueError) as error:
        raise UnreadableArtifactError(places.METRICS_UNREADABLE) from error


def has_two_inputs(folder: Path) -> bool:
    """Return True if two scored datasets were compared."""
    return isinstance(metrics(folder).get("compared"), dict)


@lru_cache(maxsize=32)
def table(folder: Path, name: str, suffix: str = "") -> pd.DataFrame:
    """Return a table: ``confusion``, ``per_class``, ``calibration`` or ``mistakes``."""
    return read(folder / f"{name}{suffix}.parquet", None)


def metric_table(folder: Path) -> pd.DataFrame:
    """Return one row per metric; with two inputs also the second value and the difference."""
    import pandas as pd

    values = metrics(folder)
    numbers = {name: value for name, value in values.items() if isinstance(value, float | int)}
    rows = pd.DataFrame({"metric": list(numbers), "value": list(numbers.values())})
    if has_two_inputs(folder):
        rows["compared"] = [values["compared"].get(name) for name in numbers]
        rows["difference"] = rows["compared"] - rows["value"]
    return rows


def classes(folder: Path, suffix: str = "") -> list[str]:
    """Return the classes in the order of the matrix: the model's, then unknown ones."""
    return [str(name) for name in table(folder, "per_class", suffix)["class"]]


def confusion(folder: Path, suffix: str = "") -> pd.DataFrame:
    """Return one row per non-empty cell, the largest first.

    Columns: ``actual``, ``predicted`` (names), ``row``, ``column`` (indexes), ``count``, and
    ``rate``, the share of the actual class's images.
    """
    cells = table(folder, "confusion", suffix).copy()
    indexes = {name: index for index, name in enumerate(classes(folder, suffix))}
    cells["row"] = cells["actual"].map(indexes).astype("int64")
    cells["column"] = cells["predicted"].map(indexes).astype("int64")
    totals = cells.groupby("actual")["count"].transform("sum")
    cells["rate"] = cells["count"] / totals
    return cells.sort_values(["count", "row", "column"], ascending=[False, True, True])


def num_right(folder: Path, suffix: str = "") -> tuple[int, int]:
    """Return the numbers of correct predictions and of images, over all cells."""
    cells = table(folder, "confusion", suffix)
    hits = cells.loc[cells["actual"] == cells["predicted"], "count"]
    return int(hits.sum()), int(cells["count"].sum())


def scored_input(outputs: RunOutputs, node: str, suffix: str = "") -> RunOutput | None:
    """Return the evaluated scored dataset; None if it is gone."""
    scored = outputs.input(node, INPUTS[suffix])
    return scored if scored is not None and scored.type == "ScoredImages" else None


def evaluated_model(outputs: RunOutputs, node: str, suffix: str = "") -> RunOutput | None:
    """Return the model that a node trained or evaluated; None if it is gone."""
    own = [output for output in outputs.of(node) if output.type == TrainedModel.__name__]
    if own:
        return own[0]
    scored = scored_input(outputs, node, suffix)
    return outputs.network_of(scored)


def paths_of_cell(scored_folder: Path, actual: str, predicted: str) -> list[str]:
    """Return the images of a cell of the confusion matrix, highest confidence first."""
    rows = read(scored_folder / ScoredImages.file_name, [PATH, CATEGORY, LABEL, CONFIDENCE])
    chosen = rows[(rows[CATEGORY] == actual) & (rows[LABEL] == predicted)]
    return list(chosen.sort_values(CONFIDENCE, ascending=False)[PATH])


def by_threshold(scored_folder: Path, class_name: str | None = None) -> pd.DataFrame:
    """Return the effect of confidence thresholds, one row each.

    Of all classes: ``accepted`` (share of images) and ``accuracy`` (of those). Of one class:
    ``precision`` and ``recall`` if it is predicted from that probability on.
    """
    import numpy as np
    import pandas as pd

    score = CONFIDENCE if class_name is None else f"{PROBABILITY_PREFIX}{class_name}"
    names = [CATEGORY, LABEL, score]
    rows = read(scored_folder / ScoredImages.file_name, names).dropna(subset=[CATEGORY])
    scores = rows[score].to_numpy(dtype=float)
    right = rows[CATEGORY] == (rows[LABEL] if class_name is None else class_name)
    order = np.argsort(scores)
    # hits[k]: number of correct predictions among the k most confident
    hits = np.concatenate([[0], np.cumsum(right.to_numpy()[order][::-1])])
    thresholds = np.linspace(0, 1, NUM_THRESHOLDS)
    accepted = len(rows) - np.searchsorted(scores[order], thresholds, side="left")
    share = np.where(accepted > 0, hits[accepted] / np.maximum(accepted, 1), np.nan)
    if class_name is None:
        parts = {"accepted": accepted / max(1, len(rows)), "accuracy": share}
    else:
        parts = {"precision": share, "recall": hits[accepted] / max(1, int(right.sum()))}
    return pd.DataFrame({"threshold": thresholds, **parts})


def thresholds_for(folder: Path) -> list[Threshold]:
    """Return the threshold for each offered share of wrong answers, if one keeps to it.

    ``folder`` is that of the scored dataset.
    """
    rows = ScoredImages(folder).rows
    rows = rows[rows[CATEGORY].notna()]
    is_right = (rows[CATEGORY] == rows[LABEL]).to_numpy()
    confidences = rows[CONFIDENCE].to_numpy(dtype="float64")
    fits = (fit_threshold(confidences, is_right, allowed) for allowed in ALLOWED)
    return [fit for fit in fits if fit is not None]
