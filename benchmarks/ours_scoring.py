"""This project's side of the scoring benchmark: Score Image Model, called as a function."""

from __future__ import annotations

import time

from benchmarks.ours_images import image_directory
from benchmarks.peers.scoring import read_work, save_scores, steady_rate
from benchmarks.peers.telling import tell
from modules.artifacts import TrainedModel
from modules.context import Context, Report
from modules.scoring.score_image_model import score_image_model

DECODED = "images decoded"
"""The unit of progress before the first image is scored."""


def main() -> None:
    """Print how fast the files of the command line were scored."""
    import torchvision  # noqa: F401 - a warm runner holds it

    work = read_work()
    store = work.scores.with_suffix(".store")
    operations = [
        {"operation": "resize", "size": work.size * 8 // 7},
        {"operation": "center_crop", "size": work.size},
    ]
    images = image_directory(work.images, store, operations, "For inference")
    marks: list[tuple[int, float]] = []
    decoded = [0.0]
    started = time.perf_counter()

    def note(event: Report) -> None:
        if event["kind"] == "progress":
            seconds = time.perf_counter() - started
            if event["unit"] == DECODED:
                decoded.append(seconds)
            else:
                marks.append((event["done"], seconds))

    context = Context(store / "scored", cache_dir=store / "cache", emit=note)
    [scored] = score_image_model(TrainedModel(work.model), images, context)
    rows = scored.rows.sort_values("path")
    columns = [name for name in rows.columns if name.startswith("Scored Probabilities_")]
    save_scores(work, rows[columns].to_numpy())
    seconds = time.perf_counter() - started
    if len(marks) > 2:  # all are decoded first, which counts for each image
        rate = 1 / (1 / steady_rate(marks) + decoded[-1] / len(rows))
    else:
        rate = len(rows) / seconds
    tell({"ready": marks[0][1], "rate": rate})


if __name__ == "__main__":
    main()
