"""Comparison of two models on golden images: known images that decide whether one may replace it.

Golden images are in one folder for each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from modules.artifacts import TrainedModel
from modules.context import Context
from modules.errors import ModuleError
from modules.files.scanning import scan
from modules.image_loading.image_formats import has_image_extension
from modules.operating_system.machine import num_cores
from modules.scoring.metrics import accuracy_interval
from modules.scoring.picture_scoring import open_picture_scorer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from modules.scoring.picture_scoring import PictureScorer

    Pixels = npt.NDArray[np.uint8]

MAX_IMAGES = 2000
"""Of more images, some are used that are spread evenly over the folder."""
Labeled = tuple[str, Path]


@dataclass(frozen=True)
class GoldenComparison:
    """Correct predictions of a model, and of the one that it would replace."""

    images: int
    right: int
    before: int | None
    """Correct predictions of the current model; None if there is none."""
    low: float | None
    """Lower end of the 95 % interval of the current model's accuracy, 0 to 1."""

    @property
    def is_as_good(self) -> bool:
        """Return True if the model is not worse than the current one, within its interval."""
        return self.low is None or self.right / self.images >= self.low


def golden_images(folder: Path) -> list[Labeled]:
    """Return class and path of each image in a folder, at most ``MAX_IMAGES``."""
    files = sorted(
        (Path(file.path).parent.name, folder / file.path)
        for file in scan(folder).files
        if "/" in file.path and has_image_extension(file.path)
    )
    step = max(1, len(files) / MAX_IMAGES)
    return [files[int(place * step)] for place in range(min(len(files), MAX_IMAGES))]


def compare_on_golden(
    model: TrainedModel, current: TrainedModel | None, folder: Path, context: Context
) -> GoldenComparison | None:
    """Count the correct predictions of both models, one after the other.

    An image that cannot be read, or whose class a model does not know, counts as wrong.

    Args:
        model: The model that is to replace the current one.
        current: The current model; None if there is none.
        folder: Golden images.
        context: Context with a scratch folder.

    Returns:
        None if no image is of a class that the model knows.
    """
    files = golden_images(folder)
    if not any(label in model.classes for label, _ in files):
        return None
    right = _num_right(model, files, context)
    if current is None:
        return GoldenComparison(len(files), right, None, None)
    before = _num_right(current, files, context)
    low, _ = accuracy_interval(before, len(files))
    return GoldenComparison(len(files), right, before, low)


def _num_right(model: TrainedModel, files: Sequence[Labeled], context: Context) -> int:
    right = 0
    with (
        open_picture_scorer(model, context) as scorer,
        ThreadPoolExecutor(num_cores(), "decode") as pool,
    ):
        for start in range(0, len(files), scorer.batch_size):
            batch = files[start : start + scorer.batch_size]
            read = list(pool.map(lambda file: _pixels(scorer, file[1]), batch))
            known = [(label, pixels) for (label, _), pixels in zip(batch, read, strict=True)]
            usable = [(label, pixels) for label, pixels in known if pixels is not None]
            if not usable:
                continue
            best_N = scorer.probabilities([pixels for _, pixels in usable]).argmax(axis=1)
            right += sum(
                scorer.classes[int(best)] == label
                for best, (label, _) in zip(best_N, usable, strict=True)
            )
    return right


def _pixels(scorer: PictureScorer, path: Path) -> Pixels | None:
    try:
        return scorer.pixels(path.read_bytes())
    except (OSError, ModuleError):
        return None
