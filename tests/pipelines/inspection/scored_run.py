"""A run that scored images, written into the store as it would be after its end; nothing ran."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from modules.artifacts import ScoredImages
from modules.scoring.score_table import scored_table
from pipelines.document.document import parse_document
from pipelines.events import Event
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.manifest import seal
from tests.designer_app.documents import document, node
from tests.pipelines.inspection.conftest import MADE_BY, write_images
from tests.pipelines.inspection.runs import wire
from tests.workspaces import store_without_runner

CLASSES = ("cat", "dog")


def scored_run(runs: RunService, name: str, chances: Mapping[str, float]) -> str:
    """Its id. ``chances``: of each path, all of cats, how likely it was said to be a cat."""
    folders = {
        item: runs.artifacts.root / f"{name}-{item}" / port
        for item, port in (("convert", "output_image_directory"), ("score", "scored_dataset"))
    }
    for folder in folders.values():
        folder.mkdir(parents=True)
    images = write_images(folders["convert"], dict.fromkeys(chances, "cat")).images
    cats = np.array(list(chances.values()), dtype=np.float32)
    table = scored_table(
        list(images["path"]),
        ["cat"] * len(cats),
        CLASSES,
        np.stack([cats, 1 - cats], axis=1),
        np.zeros(len(cats), dtype=np.float32),
        list(images["sha256"]),
    )
    made_by = {**MADE_BY, "node": "score", "module": "score_image_model"}
    seal(folders["score"], ScoredImages.write(folders["score"], table), made_by)
    nodes = [node("convert", "convert_to_image_directory"), node("score", "score_image_model")]
    link = wire("convert.output_image_directory", "score.dataset")
    described = parse_document(document(nodes=nodes, links=[link])).to_json()
    run_id = store_without_runner(runs).create(
        described, list(folders), name=name, experiment="Scored"
    )
    done = [
        Event("StepFinished", item, {"artifact_id": f"{name}-{item}", "seconds": 0.1})
        for item in folders
    ]
    over = Event("RunFinished", data={"status": "completed"})
    runs.store.append_to(run_id, [Event("RunStarted"), *done, over])
    return run_id
