"""Trace of one image through the nodes of a run."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

from modules.artifacts import ScoredImages
from modules.files.shard_member import StoredFile
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, LOSS, PATH, PROBABILITY_PREFIX
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.evaluation import COMPARED, INPUTS, confusion
from pipelines.inspection.images import files_of, index_of, label_of, opened
from pipelines.inspection.run_outputs import RunOutput, RunOutputs
from pipelines.inspection.tables import rows_of
from pipelines.sentences import places

TRAINING_INPUTS = {"training_dataset": "Learned from", "validation_dataset": "Validated with"}


@dataclass(frozen=True)
class TracedImage:
    """Image as recorded in its directory's manifest."""

    path: str
    label: str | None
    width: int
    height: int
    num_bytes: int
    sha256: str
    file: StoredFile


@dataclass(frozen=True)
class InDirectory:
    """Station: the image is in an image directory."""

    output: RunOutput
    index: int
    num_images: int
    operations: tuple[Any, ...]
    """Operations of the attached transformation."""
    mode: str | None


@dataclass(frozen=True)
class InTraining:
    """Station: a model was trained or validated with the image."""

    output: RunOutput
    role: str


@dataclass(frozen=True)
class InScores:
    """Station: a model's prediction for the image."""

    output: RunOutput
    dataset: RunOutput
    index: int
    model: RunOutput | None
    label: str
    category: str | None
    confidence: float
    loss: float | None
    probabilities: dict[str, float]


@dataclass(frozen=True)
class InEvaluation:
    """Station: the image's cell of a confusion matrix."""

    output: RunOutput
    actual: str
    predicted: str
    count: int
    rate: float
    compared: bool


Station = InDirectory | InTraining | InScores | InEvaluation


def image_facts(folder: Path, index: int) -> TracedImage:
    """Return the facts of a row. Raises ``UnreadableArtifactError`` if it does not exist."""
    rows = opened(folder).images
    if not 0 <= index < len(rows):
        raise UnreadableArtifactError(places.NO_IMAGE_NUMBER, index=index)
    row = rows.iloc[index]
    return TracedImage(
        path=str(row["path"]),
        label=label_of(row["label"]),
        width=int(row["width"]),
        height=int(row["height"]),
        num_bytes=int(row["num_bytes"]),
        sha256=str(row["sha256"]),
        file=files_of(folder)[index],
    )


def stations(outputs: RunOutputs, image: TracedImage) -> list[Station]:
    """Return the stations of the image in a run, in the order of the nodes."""
    traced: list[Station] = []
    for output in outputs.all:
        try:
            traced += _stations_of(outputs, output, image, traced)
        except (UnreadableArtifactError, KeyError):
            continue  # a damaged output hides only itself
    return traced


def _stations_of(
    outputs: RunOutputs, output: RunOutput, image: TracedImage, earlier: list[Station]
) -> list[Station]:
    if output.type == "ImageDirectory":
        return _in_directory(output, image)
    if output.type == "TrainedModel":
        return _in_training(outputs, output, image)
    if output.type == "ScoredImages":
        return _in_scores(outputs, output, image)
    if output.type == "EvaluationResults":
        return _in_evaluation(outputs, output, earlier)
    return []


def _place(output: RunOutput | None, image: TracedImage) -> int | None:
    """Return the row of the image in a directory; None if it is not exactly the same image."""
    if output is None or output.type != "ImageDirectory":
        return None
    index = index_of(output.folder, image.path)
    if index is None:
        return None
    same = str(opened(output.folder).images["sha256"].iloc[index]) == image.sha256
    return index if same else None


def _in_directory(output: RunOutput, image: TracedImage) -> list[Station]:
    index = _place(output, image)
    if index is None:
        return []
    attached = opened(output.folder).transformation
    operations = attached.operations if attached else ()
    mode = attached.mode if attached else None
    return [InDirectory(output, index, len(opened(output.folder).images), operations, mode)]


def _in_training(outputs: RunOutputs, output: RunOutput, image: TracedImage) -> list[Station]:
    return [
        InTraining(output, role)
        for port, role in TRAINING_INPUTS.items()
        if _place(outputs.input(output.node, port), image) is not None
    ]


def _in_scores(outputs: RunOutputs, output: RunOutput, image: TracedImage) -> list[Station]:
    dataset = outputs.dataset_of(output)
    index = _place(dataset, image)
    if dataset is None or index is None:
        return []
    rows = rows_of(output.folder / ScoredImages.file_name, PATH, image.path)
    if rows.empty:
        return []
    row = rows.iloc[0]
    loss, category = row.get(LOSS), row.get(CATEGORY)
    return [
        InScores(
            output=output,
            dataset=dataset,
            index=index,
            model=outputs.network_of(output),
            label=str(row[LABEL]),
            category=str(category) if isinstance(category, str) else None,
            confidence=float(row[CONFIDENCE]),
            loss=float(loss) if isinstance(loss, Real) else None,
            probabilities={
                name.removeprefix(PROBABILITY_PREFIX): float(row[name])
                for name in rows.columns
                if name.startswith(PROBABILITY_PREFIX)
            },
        )
    ]


def _in_evaluation(outputs: RunOutputs, output: RunOutput, earlier: list[Station]) -> list[Station]:
    evaluations: list[Station] = []
    for suffix, port in INPUTS.items():
        source = outputs.input(output.node, port)
        scored = next(
            (
                station
                for station in earlier
                if isinstance(station, InScores) and station.output == source
            ),
            None,
        )
        if scored is None or scored.category is None:
            continue
        cells = confusion(output.folder, suffix)
        cell = cells[(cells["actual"] == scored.category) & (cells["predicted"] == scored.label)]
        if not cell.empty:
            count, rate = int(cell["count"].iloc[0]), float(cell["rate"].iloc[0])
            evaluations.append(
                InEvaluation(output, scored.category, scored.label, count, rate, suffix == COMPARED)
            )
    return evaluations
