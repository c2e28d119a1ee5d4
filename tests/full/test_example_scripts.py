"""Scripts of several frameworks on two machines, each started in its own way.

Their environments are those that come with the designer; uv fetches what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pipelines.document.document import parse_document
from pipelines.runs.report import run_report
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.full import example_scripts
from tests.pipelines.conftest import run

pytestmark = pytest.mark.full
LIGHTNING = (
    "python script.py fit --trainer.accelerator=cpu --trainer.strategy=ddp --trainer.devices=1 "
    "--trainer.num_nodes=2 --trainer.max_epochs=5 --trainer.enable_progress_bar=false"
)
TRANSFORMERS = [
    "--output_dir=outputs/checkpoints",
    "--use_cpu",
    "--num_train_epochs=3",
    "--learning_rate=0.002",
    "--save_strategy=no",
    "--report_to=none",
]
DEEPSPEED = {"arguments": ["--deepspeed", "--local_rank", "$LOCAL_RANK"]}
ENVIRONMENTS = {
    "lightning": "pytorch-lightning",
    "horovod": None,
    "fsdp": None,
    "accelerate": "transformers",
    "keras": "tensorflow",
}
"""Where an example's is not called as itself."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    """One workspace for all: what is built once serves again."""
    with WorkspaceSession(Workspace.at(tmp_path_factory.mktemp("ws"))) as session:
        environments = session.environments
        environments.keep("deepspeed", environments.resolve(example_scripts.DEEPSPEED_ENVIRONMENT))
        yield session.runs
        session.runs.runner.stop()


@pytest.mark.parametrize(
    ("name", "launcher", "parameters", "metric", "least", "most"),
    [
        ("lightning", "pytorch_node", {"command": LIGHTNING}, "accuracy", 0.8, 1),
        ("transformers", "pytorch_node", {"arguments": TRANSFORMERS}, "accuracy", 0.8, 1),
        ("horovod", "pytorch_process", {}, "accuracy", 0.8, 1),
        ("fsdp", "pytorch_process", {}, "accuracy", 0.8, 1),
        ("accelerate", "pytorch_process", {}, "accuracy", 0.8, 1),
        ("deepspeed", "pytorch_process", DEEPSPEED, "accuracy", 0.8, 1),
        ("mpi", "mpi", {}, "total", 3, 3),
        ("tensorflow", "tensorflow", {"model_file": "outputs/model.npz"}, "loss", 0, 0.65),
        ("keras", "tensorflow", {"model_file": "outputs/model.h5"}, "accuracy", 0.8, 1),
    ],
)
def test_an_example_trains_on_two_machines(
    runs: RunService,
    name: str,
    launcher: str,
    parameters: dict[str, Any],
    metric: str,
    least: float,
    most: float,
) -> None:
    script = getattr(example_scripts, name.upper())
    patterns = [rf"{metric} = ^.*{metric}[= ]([0-9.]+)"]
    settings = {"launcher": launcher, "environment": ENVIRONMENTS.get(name, name)}
    node = {
        "id": "train",
        "module": "run_training_script",
        "parameters": {"typed_script": script, "log_patterns": patterns, **parameters},
        "run_settings": {"node_count": 2, "target": "simulated", **settings},
    }
    document = parse_document({"format": "pipeline-designer/2", "id": name, "nodes": [node]})
    runs.checks.allow_code_of(document)
    run_id, state = run(runs, document)
    step = state.steps["train"]
    assert step.status == "completed", state.problem
    assert step.warnings == []
    value = run_report(runs, run_id).nodes["train"].metrics[metric]
    assert value is not None
    assert least <= value <= most
    folder = runs.workspace.node_dir(run_id, "train")
    for log in (folder / "70_driver_log_0.txt", folder / "70_driver_log_1.txt"):
        assert "world size 2" in log.read_text("utf-8")
