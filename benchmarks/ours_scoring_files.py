"""Score Image Model, the whole step: image files to a table of probabilities."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.peers.telling import tell
from modules.artifacts import ImageDirectory, ScoredImages, TrainedModel
from modules.context import Context
from modules.scoring.score_image_model import score_image_model


def main() -> None:
    """Score the images of the command line; print the time of an image in the second scoring."""
    import numpy as np

    parser = argparse.ArgumentParser()
    for name in ("model", "images", "answers"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    asked = parser.parse_args()
    model, images = TrainedModel(asked.model), ImageDirectory(asked.images)
    for _ in range(2):  # the first one loads libraries
        started = time.perf_counter()
        with TemporaryDirectory(dir=asked.answers.parent) as folder:
            scored = _scored(model, images, Path(folder))
            seconds = time.perf_counter() - started
            rows = scored.rows.sort_values("path")
    columns = [f"Scored Probabilities_{name}" for name in model.classes]
    np.save(asked.answers, rows[columns].to_numpy(np.float64))
    tell({"milliseconds": 1000 * seconds / len(rows)})


def _scored(model: TrainedModel, images: ImageDirectory, folder: Path) -> ScoredImages:
    """Score in an own folder: nothing is left of an earlier scoring."""
    context = Context(folder / "scored", cache_dir=folder / "cache")
    [scored] = score_image_model(model, images, context)
    return ScoredImages(scored.path)


if __name__ == "__main__":
    main()
