"""Trainings of heads that store features of small images, and what they have stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from modules.artifacts import ImageDirectory
from modules.image_loading.cache_limits import UNFINISHED_SUFFIX
from modules.image_loading.feature_store import FOLDER, FeatureStore, stored_in_order
from pipelines.document.document import PipelineDocument
from pipelines.events import RunState
from pipelines.runs.run_service import RunService
from tests.pipelines.execution.refusals import node, wired
from tests.polling import wait_for

PER_CLASS = 150
SIZE = (96, 96)
FROZEN = {"model_name": "efficientnet_lite0", "freeze": "all but the head"}


def heads(source: str, *seeds: int) -> PipelineDocument:
    """Train one head for each seed, all on the features of the same images.

    In fp32: in other batches features in bf16 differ by several hundredths.
    """
    nodes = [
        node("import", "import_images", source=source),
        node("convert", "convert_to_image_directory"),
        node("net", "image_model", **FROZEN),
    ]
    links = ["import.dataset -> convert.input_dataset"]
    for seed in seeds:
        train = f"train-{seed}"
        settings = {"random_seed": seed, "epochs": 2, "precision": "fp32"}
        nodes.append(node(train, "train_pytorch_model", **settings))
        links += [
            f"net.untrained_model -> {train}.untrained_model",
            f"convert.output_image_directory -> {train}.training_dataset",
            f"convert.output_image_directory -> {train}.validation_dataset",
        ]
    return wired(nodes, *links)


def unfinished(runs: RunService) -> list[Path]:
    return [*(runs.workspace.cache_dir / FOLDER).glob(f"*/*{UNFINISHED_SUFFIX}")]


def until_storing(runs: RunService) -> None:
    """Wait until a training has written the first features."""
    wait_for(lambda: any(path.stat().st_size > 0 for path in unfinished(runs)), 120.0)


def stored(runs: RunService, state: RunState) -> npt.NDArray[np.float32]:
    """Return the stored features of all images, in the order of the images."""
    folder = runs.artifacts.outputs(state.steps["convert"])["output_image_directory"]
    hashes = [bytes.fromhex(text) for text in ImageDirectory(Path(folder)).images["sha256"]]
    [key] = [path.name for path in (runs.workspace.cache_dir / FOLDER).iterdir()]
    segments, places = FeatureStore(runs.workspace.cache_dir, key).find(hashes)
    try:
        in_order = stored_in_order(segments, places, hashes)
        return in_order.read(range(len(hashes)))
    finally:
        for segment in segments:
            segment.close()
