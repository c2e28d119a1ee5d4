"""Small previews of a run's outputs: pictures, predictions, the confusion matrix, curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import ImageDirectory, ScoredImages, TrainedModel, read_json
from modules.errors import ModuleError
from modules.image_loading.decoding import open_scaled
from modules.scoring.score_table import CATEGORY, CONFIDENCE, LABEL
from pipelines.replay.downsampling import evenly
from pipelines.replay.format import (
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

if TYPE_CHECKING:
    import pandas as pd

EDGE = 72
QUALITY = 80
MAX_SAMPLES = 12
MAX_PREDICTIONS = 18
MAX_CLASSES = 60
MAX_EPOCHS = 500
MAX_PICTURES = 600
"""Of a whole file: 600 pictures of some 2 kB."""


class PictureBox:
    """The pictures of a file by name; the same image file is drawn once."""

    def __init__(self) -> None:
        self.pictures: dict[str, bytes] = {}
        self._names: dict[Path, str | None] = {}

    def name_of(self, file: Path) -> str | None:
        """The picture of an image file; None where it cannot be read or the box is full."""
        if file not in self._names:
            self._names[file] = self._draw(file)
        return self._names[file]

    def _draw(self, file: Path) -> str | None:
        if len(self.pictures) >= MAX_PICTURES:
            return None
        buffer = BytesIO()
        try:
            image = open_scaled(file, (EDGE, EDGE)).within(EDGE)
            image.save(buffer, "JPEG", quality=QUALITY)
        except (ModuleError, OSError, ValueError):
            return None  # a picture is an ornament: the replay tells all without it
        if buffer.tell() > MAX_PICTURE_BYTES:
            return None
        name = f"p{len(self.pictures):04}.jpg"
        self.pictures[name] = buffer.getvalue()
        return name


class Previewer:
    """Makes the previews of one run's outputs.

    ``source_of`` gives the folder of what is linked to an input: predictions find their pictures
    in the images that were scored.
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
        """The preview of an output; None for a type without one and for a damaged folder."""
        maker = self._makers.get(type_name)
        try:
            return maker(node, port, folder) if maker else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _images(self, node: str, port: str, folder: Path) -> ImagesPreview:
        directory = ImageDirectory(folder)
        counts = directory.images["label"].value_counts()
        labels, files = list(directory.images["label"]), directory.file_paths()
        chosen = _of_each_class(labels, MAX_SAMPLES)
        drawn = [(self._box.name_of(files[row]), _text(labels[row])) for row in chosen]
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
        files = self._files_of(node)
        samples = []
        for row in _right_and_wrong(wrong, len(rows)):
            facts = rows.iloc[row]
            file = files.get(str(facts["path"]))
            samples.append(
                Prediction(
                    picture=self._box.name_of(file) if file else None,
                    actual=_text(facts[CATEGORY]) if CATEGORY in rows.columns else None,
                    predicted=str(facts[LABEL])[:300],
                    confidence=_share(facts.get(CONFIDENCE)),
                )
            )
        return PredictionsPreview(
            node=node,
            port=port,
            num_images=len(rows),
            num_wrong=None if wrong is None else sum(wrong),
            samples=samples,
        )

    def _files_of(self, node: str) -> Mapping[str, Path]:
        """Path in the scored table to image file."""
        folder = self._source_of(node, "dataset")
        if folder is None or not (folder / "images.parquet").is_file():
            return {}
        directory = ImageDirectory(folder)
        return dict(zip(directory.images["path"], directory.file_paths(), strict=True))


def _of_each_class(labels: Sequence[Any], most: int) -> list[int]:
    """Rows of as many classes as there is room for, then second ones, in the order of the rows."""
    seen: dict[str, int] = {}
    ranked = []
    for row, label in enumerate(labels):
        turn = seen.get(str(label), 0)
        seen[str(label)] = turn + 1
        if turn < most:
            ranked.append((turn, row))
    return sorted(row for _, row in sorted(ranked)[:most])


def _wrong(rows: pd.DataFrame) -> list[bool] | None:
    """Which rows have another label than their category; None without categories."""
    if CATEGORY not in rows.columns:
        return None
    differs = rows[CATEGORY].notna() & (rows[CATEGORY] != rows[LABEL])
    return [bool(each) for each in differs]


def _right_and_wrong(wrong: Sequence[bool] | None, num_rows: int) -> list[int]:
    """Rows to show: up to half of them mistakes, the rest evenly from the whole table."""
    mistakes = [row for row, is_wrong in enumerate(wrong or ()) if is_wrong]
    shown = evenly(mistakes, MAX_PREDICTIONS // 2)
    others = [row for row in range(num_rows) if not (wrong and wrong[row])]
    return sorted([*shown, *evenly(others, MAX_PREDICTIONS - len(shown))])


def _evaluation(node: str, port: str, folder: Path) -> EvaluationPreview:
    import pandas as pd

    metrics = read_json(folder / "metrics.json")
    classes = [str(each) for each in pd.read_parquet(folder / "per_class.parquet")["class"]]
    matrix: list[list[int]] = []
    if len(classes) <= MAX_CLASSES:
        place = {name: index for index, name in enumerate(classes)}
        matrix = [[0] * len(classes) for _ in classes]
        pairs = pd.read_parquet(folder / "confusion.parquet")
        columns = (pairs["actual"], pairs["predicted"], pairs["count"])
        for actual, predicted, count in zip(*columns, strict=True):
            matrix[place[actual]][place[predicted]] += int(count)
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
        architecture=str(model.recipe.get("architecture", ""))[:300],
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
