"""Small previews of a run's outputs: images, predictions, the confusion matrix, curves.

Replays store them, and the editor shows them for running runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import ScoredImages, TrainedModel, read_json
from modules.errors import ModuleError
from modules.files.shard_member import StoredFile
from modules.image_loading.decoding import open_scaled
from modules.models.recipe import OWN
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL, PATH
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.images import files_of, index_of, opened
from pipelines.inspection.preview_models import (
    MAX_PICTURE_BYTES,
    ClassCount,
    EvaluationPreview,
    ImagesPreview,
    ModelPreview,
    Prediction,
    PredictionsPreview,
    Preview,
    Sample,
)
from pipelines.inspection.run_outputs import RunOutput
from pipelines.runs.curves import evenly

if TYPE_CHECKING:
    import pandas as pd

EDGE = 72
QUALITY = 80
MAX_SAMPLES = 12
MAX_PREDICTIONS = 18
MAX_OF_CELL = 24
MAX_CLASSES = 60
MAX_EPOCHS = 500
MAX_PICTURES = 600
"""Limit for a whole file: 600 images of some 2 kB."""


class PictureBox:
    """Images of a file by name; the same image file is drawn once."""

    def __init__(self) -> None:
        self.pictures: dict[str, bytes] = {}
        self._names: dict[StoredFile, str | None] = {}

    def name_of(self, file: StoredFile) -> str | None:
        """Return the name of an image's preview; None if it is unreadable or one too many."""
        if file not in self._names:
            self._names[file] = self._draw(file)
        return self._names[file]

    def _draw(self, file: StoredFile) -> str | None:
        if len(self.pictures) >= MAX_PICTURES:
            return None
        buffer = BytesIO()
        try:
            image = open_scaled(file, (EDGE, EDGE)).within(EDGE)
            image.save(buffer, "JPEG", quality=QUALITY)
        except (ModuleError, OSError, ValueError):
            return None  # an image is optional: the replay is complete without it
        if buffer.tell() > MAX_PICTURE_BYTES:
            return None
        name = f"p{len(self.pictures):04}.jpg"
        self.pictures[name] = buffer.getvalue()
        return name


class Previewer:
    """Creates the previews of one run's outputs.

    ``source_of`` returns the folder of a connected input: predictions find their images in the
    scored directory.
    """

    def __init__(self, box: PictureBox, source_of: Callable[[str, str], Path | None]) -> None:
        self._box = box
        self._source_of = source_of
        self._makers: dict[str, Callable[[str, str, Path], Preview | None]] = {
            "ImageDirectory": self._images,
            "ScoredImages": self._predictions,
            "EvaluationResults": _evaluation,
            "TrainedModel": _model,
        }

    def preview(self, type_name: str, node: str, port: str, folder: Path) -> Preview | None:
        """Return the preview of an output; None for a type without one and for a damaged folder."""
        maker = self._makers.get(type_name)
        try:
            return maker(node, port, folder) if maker else None
        except (OSError, ValueError, KeyError, TypeError, UnreadableArtifactError):
            return None

    def cell(self, scored: RunOutput, actual: str, predicted: str) -> PredictionsPreview:
        """Return the images of a cell of the confusion matrix, highest confidence first."""
        rows = ScoredImages(scored.folder).rows
        inside = rows[(rows[CATEGORY] == actual) & (rows[LABEL] == predicted)]
        surest = _by_confidence(inside).head(MAX_OF_CELL)
        return PredictionsPreview(
            node=scored.node,
            port=scored.port,
            num_images=len(inside),
            num_wrong=0 if actual == predicted else len(inside),
            samples=self._samples(scored.node, surest),
        )

    def _images(self, node: str, port: str, folder: Path) -> ImagesPreview:
        directory, files = opened(folder), files_of(folder)
        counts = directory.images["label"].value_counts()
        labels = list(directory.images["label"])
        drawn = [(self._box.name_of(files[row]), _text(labels[row])) for row in sampled(folder)]
        names = [name for name in directory.classes if name in counts.index]
        return ImagesPreview(
            node=node,
            port=port,
            num_images=len(files),
            num_classes=len(directory.classes),
            classes=[
                ClassCount(name=name[:300], images=int(counts[name]))
                for name in names[:MAX_CLASSES]
            ],
            samples=[Sample(picture=name, label=label) for name, label in drawn if name],
        )

    def _predictions(self, node: str, port: str, folder: Path) -> PredictionsPreview:
        rows = ScoredImages(folder).rows
        wrong = _wrong(rows)
        return PredictionsPreview(
            node=node,
            port=port,
            num_images=len(rows),
            num_wrong=None if wrong is None else int(wrong.sum()),
            samples=self._samples(node, _shown_rows(rows, wrong)),
        )

    def _samples(self, node: str, rows: pd.DataFrame) -> list[Prediction]:
        """Return rows of a scored table, with their images as far as they exist."""
        folder = self._source_of(node, "dataset")
        if folder is not None and not (folder / "images.parquet").is_file():
            folder = None
        return [
            Prediction(
                picture=None if folder is None else self._picture(folder, str(facts[PATH])),
                actual=_text(facts.get(CATEGORY)),
                predicted=str(facts[LABEL])[:300],
                confidence=_share(facts.get(CONFIDENCE)),
            )
            for facts in rows.to_dict("records")
        ]

    def _picture(self, folder: Path, path: str) -> str | None:
        row = index_of(folder, path)
        return None if row is None else self._box.name_of(files_of(folder)[row])


def sampled(folder: Path) -> list[int]:
    """Return the rows of an image directory to show, of as many classes as possible."""
    return _of_each_class(list(opened(folder).images["label"]), MAX_SAMPLES)


def _of_each_class(labels: Sequence[Any], most: int) -> list[int]:
    """Return rows of as many classes as fit, then second ones, in the order of the rows."""
    seen: dict[str, int] = {}
    ranked = []
    for row, label in enumerate(labels):
        turn = seen.get(str(label), 0)
        seen[str(label)] = turn + 1
        if turn < most:
            ranked.append((turn, row))
    return sorted(row for _, row in sorted(ranked)[:most])


def _wrong(rows: pd.DataFrame) -> pd.Series[bool] | None:
    """Return which rows have a wrong prediction; None without labels."""
    if CATEGORY not in rows.columns:
        return None
    return rows[CATEGORY].notna() & (rows[CATEGORY] != rows[LABEL])


def _shown_rows(rows: pd.DataFrame, wrong: pd.Series[bool] | None) -> pd.DataFrame:
    """Return the most confident mistakes, at most half, then others from the whole table."""
    import pandas as pd

    if wrong is None:
        return rows.iloc[evenly(range(len(rows)), MAX_PREDICTIONS)]
    mistakes, others = _by_confidence(rows[wrong]).head(MAX_PREDICTIONS // 2), rows[~wrong]
    chosen = evenly(range(len(others)), MAX_PREDICTIONS - len(mistakes))
    return pd.concat([mistakes, others.iloc[chosen]])


def _by_confidence(rows: pd.DataFrame) -> pd.DataFrame:
    if CONFIDENCE not in rows.columns:
        return rows
    return rows.sort_values(CONFIDENCE, ascending=False, kind="stable")


def _evaluation(node: str, port: str, folder: Path) -> EvaluationPreview:
    import pandas as pd

    metrics = read_json(folder / "metrics.json")
    classes = [str(name) for name in pd.read_parquet(folder / "per_class.parquet")["class"]]
    matrix: list[list[int]] = []
    if len(classes) <= MAX_CLASSES:
        positions = {name: index for index, name in enumerate(classes)}
        matrix = [[0] * len(classes) for _ in classes]
        pairs = pd.read_parquet(folder / "confusion.parquet")
        columns = (pairs["actual"], pairs["predicted"], pairs["count"])
        for actual, predicted, count in zip(*columns, strict=True):
            matrix[positions[actual]][positions[predicted]] += int(count)
    return EvaluationPreview(
        node=node,
        port=port,
        metrics={str(k)[:300]: _number(v) for k, v in metrics.items() if _is_number(v)},
        classes=[name[:300] for name in classes] if matrix else [],
        confusion=matrix,
    )


def _model(node: str, port: str, folder: Path) -> ModelPreview:
    model = TrainedModel(folder)
    history = model.history.head(MAX_EPOCHS)
    best = model.description.get("best_epoch")
    return ModelPreview(
        node=node,
        port=port,
        architecture=str(model.recipe.get("architecture", "")).removeprefix(OWN)[:300],
        num_classes=len(model.classes),
        best_epoch=best if isinstance(best, int) else None,
        curves={
            str(name)[:300]: [_number(value) for value in history[name]]
            for name in history.columns
            if all(map(_is_number, history[name]))
        },
    )


def _is_number(value: object) -> bool:
    import numbers

    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _number(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def _share(value: Any) -> float | None:
    return min(1.0, max(0.0, float(value))) if _is_number(value) and value == value else None


def _text(value: Any) -> str | None:
    return str(value)[:300] if isinstance(value, str) else None
