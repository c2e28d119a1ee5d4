"""Scoring of images by an ONNX file of Export Model, with ONNX Runtime.

Files for one image of any size receive the decoded pixels, as in other programs; files for batches
receive prepared images. Shape letters: N images, K classes, H height, W width, C = 3 channels.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from modules.artifacts import ExportedModel, ImageDirectory, OnnxModel
from modules.compute.background_threads import background_pool
from modules.compute.distributed import ProcessGroup
from modules.compute.throughput import Speed
from modules.compute.timing import COMMUNICATING, Stopwatch
from modules.errors import InvalidModelDirectoryError
from modules.export.onnx_classifier import OnnxClassifier
from modules.image_loading.final_size import final_size
from modules.image_loading.reader import Reader
from modules.scoring.kept_scores import KeptScores, scoring_identity
from modules.scoring.score_table import scored_table
from modules.sentences import export, scoring
from modules.sentences.sentence import shown_name
from modules.transforms.operations import FOR_INFERENCE, Operations, select

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Floats = npt.NDArray[np.float32]
    Pixels = npt.NDArray[np.uint8]

PROGRESS_SECONDS = 0.2
LEAST = 1.2e-38
"""Smallest probability in float32: images whose class has none would have an infinite loss."""
OPERATIONS = "operations"
"""Key of the card with the preparation that is inside the file; older cards lack it."""


def scored_by_onnx(
    model: ExportedModel, dataset: ImageDirectory, group: ProcessGroup
) -> tuple[pd.DataFrame | None, Speed | None]:
    """Return the table on the first process, else None; and the speed.

    Raises ``InvalidModelDirectoryError`` if the file is damaged or not from Export Model, or has
    another format, and ``InvalidDatasetError`` for images that it does not accept.
    """
    model.check()
    path = model.model_path
    if path.name not in OnnxModel.FILES:
        form = model.card.get("format", path.suffix)
        raise InvalidModelDirectoryError(
            export.NOT_SCORED_FORMAT, format=str(form)[:40], port="trained_model"
        )
    classifier = OnnxClassifier.open(path)
    if group.is_first:
        _warn(classifier, dataset, group)
    watch = Stopwatch()
    watch.start()
    num_classes = len(classifier.classes)
    identity = scoring_identity(model, dataset, _attached(dataset), num_classes)
    kept = KeptScores(group, identity, num_classes)
    share_NK = _share(classifier, _pixels(classifier, dataset), len(dataset.images), group, kept)
    with watch.during(COMMUNICATING):
        shares = group.gather_to_first(share_NK)
    watch.stop()
    num_images = len(dataset.images)
    num_scored = num_images - kept.num_loaded * group.world_size
    speed = Speed(num_scored / max(watch.total_seconds, 1e-9), watch.shares(), None)
    if not group.is_first:
        return None, speed
    return _table(classifier, dataset, _joined(shares, num_images)), speed


def _share(
    classifier: OnnxClassifier,
    pixels: Callable[[int], Pixels],
    num_images: int,
    group: ProcessGroup,
    kept: KeptScores,
) -> Floats:
    """Return the probabilities (N, K) of every image of this process, decoded in threads."""
    import numpy as np

    indices = range(group.rank, num_images, group.world_size)
    result_NK = np.empty((len(indices), len(classifier.classes)), np.float32)
    earlier_NK, _ = kept.load()
    num_done = len(earlier_NK)
    result_NK[:num_done] = earlier_NK

    def score(place: int) -> int:
        result_NK[place] = classifier.probabilities(pixels(indices[place]))
        return place

    threads = group.context.threads or os.cpu_count() or 1
    started, reported = time.monotonic(), 0.0
    pool = background_pool(threads, "score")
    try:
        for place in pool.map(score, range(num_done, len(indices))):
            kept.add(result_NK[place : place + 1], np.zeros(1, np.float32))
            now, done = time.monotonic(), place + 1
            if group.is_first and (now - reported > PROGRESS_SECONDS or done == len(indices)):
                reported = now
                rate = (done - num_done) * group.world_size / max(now - started, 1e-9)
                _tell(min(done * group.world_size, num_images), num_images, rate, group)
    finally:
        pool.shutdown(cancel_futures=True)
    return result_NK


def _tell(done: int, total: int, rate: float, group: ProcessGroup) -> None:
    group.context.progress(
        done,
        total,
        "images",
        images_per_second=round(rate, 1),
        seconds_left=round((total - done) / max(rate, 1e-9), 1),
    )


def _pixels(classifier: OnnxClassifier, dataset: ImageDirectory) -> Callable[[int], Pixels]:
    """Return the function that reads one image as the file needs it."""
    if classifier.size is None:
        return Reader.of(dataset, ()).pixels
    attached = dataset.transformation
    operations = select(
        attached.operations if attached else _operations_of(classifier.card), FOR_INFERENCE
    )
    size = final_size(dataset, operations, "dataset", attached.operations if attached else ())
    if size != classifier.size:
        raise InvalidModelDirectoryError(
            scoring.BATCH_OF_OTHER_SIZE,
            width=size[1],
            height=size[0],
            wanted_width=classifier.size[1],
            wanted_height=classifier.size[0],
            port="dataset",
        )
    return Reader.of(dataset, operations, in_full=True).pixels


def _attached(dataset: ImageDirectory) -> Operations:
    attached = dataset.transformation
    return () if attached is None else select(attached.operations, FOR_INFERENCE)


def _operations_of(card: Mapping[str, Any]) -> Operations:
    stored = card.get(OPERATIONS)
    is_list = isinstance(stored, list) and all(isinstance(item, dict) for item in stored)
    return tuple(stored) if is_list and stored is not None else ()


def _warn(classifier: OnnxClassifier, dataset: ImageDirectory, group: ProcessGroup) -> None:
    """Warn of unknown classes, and of an attached transformation that the file does not use."""
    unknown = sorted(set(dataset.images["label"].dropna()) - set(classifier.classes))
    if unknown:
        group.context.warn(scoring.UNKNOWN_CLASSES, classes=list(map(shown_name, unknown)))
    attached = dataset.transformation
    if attached is None or classifier.size is not None:
        return
    wanted = [dict(item) for item in select(attached.operations, FOR_INFERENCE)]
    if OPERATIONS not in classifier.card or wanted != classifier.card[OPERATIONS]:
        inside = list(map(str, classifier.card.get("preparation", ())))
        group.context.warn(scoring.TRANSFORMATION_NOT_USED, preparation=inside)


def _joined(shares: Sequence[Floats], num_images: int) -> Floats:
    import numpy as np

    joined_NK = np.empty((num_images, shares[0].shape[1]), np.float32)
    for rank, share_NK in enumerate(shares):
        joined_NK[rank :: len(shares)] = share_NK
    return joined_NK


def _table(
    classifier: OnnxClassifier, dataset: ImageDirectory, probabilities_NK: Floats
) -> pd.DataFrame:
    index_of = {name: index for index, name in enumerate(classifier.classes)}
    categories = dataset.labels
    indices = [None if category is None else index_of.get(category) for category in categories]
    losses_N = _losses(probabilities_NK, indices)
    paths, hashes = list(dataset.images["path"]), list(dataset.images["sha256"])
    return scored_table(
        paths,
        categories,
        classifier.classes,
        probabilities_NK,
        losses_N,
        hashes,
        classifier.threshold,
    )


def _losses(probabilities_NK: Floats, indices: Sequence[int | None]) -> Floats:
    """Return the negative logarithm of each image's class, NaN without one."""
    import numpy as np

    def of_label() -> Iterator[float]:
        for row_K, index in zip(probabilities_NK, indices, strict=True):
            yield np.nan if index is None else -np.log(max(float(row_K[index]), LEAST))

    return np.fromiter(of_label(), np.float32, len(indices))
