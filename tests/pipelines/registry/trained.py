"""Runs that trained a model, written down without training: an untrained network stands in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from modules.artifacts import TrainedModel
from modules.files.hashing import stat_fingerprint
from pipelines.document.document import parse_document
from pipelines.events import Event
from pipelines.execution.runner_lock import without_runner
from pipelines.runs.run_service import RunService
from pipelines.store.artifacts.manifest import seal
from pipelines.store.database.run_options import RunOptions
from tests.workspaces import store_without_runner

CLASSES = ("circle", "square")
DOCUMENT = parse_document(
    {
        "format": "pipeline-designer/2",
        "id": "shapes",
        "name": "Shapes",
        "nodes": [{"id": "train", "module": "train_pytorch_model"}],
    }
)


def trained_run(
    runs: RunService,
    seed: int = 1,
    accuracy: float = 0.75,
    *,
    first_weight: float | None = None,
    save: Callable[[Path], TrainedModel] | None = None,
    **options: Any,
) -> str:
    """A completed run whose node ``train`` gave a small network with that seed's weights.

    ``first_weight`` replaces one number of its first layer; ``save`` writes another model.
    No runner works meanwhile, which would take the run for one of its own.
    """
    store_without_runner(runs)
    with without_runner(runs.workspace):
        save = save or partial(
            save_network, seed=seed, accuracy=accuracy, first_weight=first_weight
        )
        return _written(runs, seed, save, options)


def _written(
    runs: RunService,
    seed: int,
    save: Callable[[Path], TrainedModel],
    options: dict[str, Any],
) -> str:
    content = DOCUMENT.to_json()
    run_id = runs.store.create(
        content, ["train"], name="Shapes", experiment="E", options=RunOptions(**options)
    )
    staging = runs.artifacts.staging_dir(run_id, "train", 1)
    folder = staging / "trained_model"
    folder.mkdir(parents=True)
    made_by = {"key": "k", "run_id": run_id, "node": "train", "module": "train_pytorch_model"}
    seal(folder, save(folder), made_by)
    fingerprint = stat_fingerprint(staging)
    artifact_id = runs.artifacts.commit(staging, f"{seed:064x}", run_id, "train", fingerprint)
    events = [
        Event("RunStarted"),
        Event("StepFinished", "train", {"artifact_id": artifact_id, "seconds": 1.0}),
        Event("RunFinished", data={"status": "completed"}),
    ]
    runs.store.append_to(run_id, events)
    return run_id


def save_network(
    folder: Path, seed: int, accuracy: float, first_weight: float | None = None
) -> TrainedModel:
    """The files of a trained model, as Train PyTorch Model writes them."""
    import pandas as pd

    from modules.models.build import seeded_network
    from modules.models.recipe import Recipe
    from modules.models.serialization import save_trained

    recipe = Recipe(family="test", architecture="shufflenet_v2_x0_5", pretrained=False)
    metrics = {"Top-1 validation accuracy": accuracy, "Valid loss": 0.5}
    description: dict[str, Any] = {
        "recipe": recipe.to_json(),
        "classes": list(CLASSES),
        "normalisation": {"mean": [0.5, 0.5, 0.5], "std": [0.2, 0.2, 0.2]},
        "input_size": {"height": 32, "width": 32},
        "best_epoch": 2,
        "metrics": metrics,
        "pipeline": DOCUMENT.to_json(),
    }
    history = pd.DataFrame(
        [{"Valid loss": 0.9, "Top-1 validation accuracy": 0.5}, metrics], index=[1, 2]
    )
    network = seeded_network(recipe, 2, seed=seed)
    if first_weight is not None:
        next(network.parameters()).data.view(-1)[0] = first_weight
    return save_trained(folder, network, description, history)
