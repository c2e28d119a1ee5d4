"""Trials of real trainings that run at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest
from safetensors.numpy import load_file

from modules.artifacts import TrainedModel
from pipelines.document.document import load_document
from pipelines.document.overrides import apply_overrides
from pipelines.document.settings import SweepSettings
from pipelines.runs.run_service import RunService
from pipelines.store.database.run_options import RunOptions
from pipelines.sweeps.sweeps import Sweeps, with_sweep
from tests.pipelines.lessons.lessons import LIBRARY, with_light_network
from tests.pipelines.sweeps.conftest import choices
from tests.pipelines.sweeps.sweeping import ended, states

SMALL = (
    "import.source=sample:shapes?classes=2&images=80&size=32&seed=2",
    "train.target=local",
    "train.node_count=1",
    "train.process_count_per_node=1",
    "train.cores_per_process=1",
    "train.batch_size=16",
    "train.epochs=1",
    "train.reproducible=on",
    "train.regenerate_output=true",
)


def weights(runs: RunService, parallel: int) -> list[dict[str, bytes]]:
    """The weights of a sweep over three learning rates, by name.

    Their files differ: they contain the pipeline, with the cores of other nodes.
    """
    document = with_light_network(load_document(LIBRARY / "06-distributed.json"))
    content = {
        "parameters": {"train.learning_rate": choices(0.001, 0.003, 0.01)},
        "objective": {"node": "train", "metric": "Top-1 validation accuracy"},
        "parallel": parallel,
    }
    document = with_sweep(
        apply_overrides(document, SMALL, runs.catalog), SweepSettings.model_validate(content)
    )
    sweep = ended(runs, Sweeps(runs).start(document, RunOptions(to_node="train"), None))
    assert states(sweep) == 3 * ["completed"]
    trained = []
    for trial in sweep.trials:
        step = runs.store.state(trial.run_id or "").steps["train"]
        assert step.status == "completed"  # computed, not reused
        folder = Path(runs.artifacts.outputs(step)["trained_model"])
        tensors = load_file(TrainedModel(folder).weights_path)
        trained.append({name: values.tobytes() for name, values in tensors.items()})
    return trained


@pytest.mark.full  # as a reproducible training of its own (tests/pipelines/execution)
def test_parallel_reproducible_trials_equal_serial_ones_in_every_bit(runs: RunService) -> None:
    serial = weights(runs, parallel=1)
    assert serial[0] != serial[1] != serial[2]
    assert weights(runs, parallel=3) == serial
