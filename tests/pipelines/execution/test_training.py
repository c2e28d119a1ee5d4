"""Trainings by a real runner: several processes, crashes in the middle of an epoch, equal bits."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from modules.artifacts import TrainedModel
from modules.files.hashing import hash_file
from modules.operating_system.processes import ProcessIdentity, descendants
from pipelines.document.document import PipelineDocument, load_document
from pipelines.document.overrides import apply_overrides
from pipelines.events import RunState
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.workers.preloads import TORCH_ENVIRONMENT
from pipelines.workspace import Workspace
from tests.pipelines.conftest import build, finish, has_finished, run
from tests.pipelines.execution.runner_processes import children_of, family, fork_server_of
from tests.pipelines.lessons.lessons import LIBRARY, with_light_network
from tests.polling import wait_for
from tests.workspaces import opened

pytestmark = pytest.mark.extended
NUM_EPOCHS = 4
"""Of a training that is ended in its third."""
SMALL = (
    "import.source=sample:shapes?classes=2&images=80&size=32&seed=2",
    "train.batch_size=16",
    "train.patience=99",
    "train.reproducible=on",
)
TWO_PROCESSES = ("train.process_count_per_node=2", "train.batch_size=8")
_uninterrupted: dict[tuple[str, ...], str] = {}
"""Hashes of the weights that trainings come to which nothing interrupts, by what they change."""


def training(runs: RunService, *changes: str) -> PipelineDocument:
    """Lesson 06 on few small pictures, in one process unless the changes say otherwise."""
    alone = ("train.target=local", "train.node_count=1", "train.process_count_per_node=1")
    document = with_light_network(load_document(LIBRARY / "06-distributed.json"))
    return apply_overrides(document, [*SMALL, *alone, *changes], runs.catalog)


def model(runs: RunService, state: RunState) -> TrainedModel:
    folder = runs.artifacts.outputs(state.steps["train"])["trained_model"]
    return TrainedModel(Path(folder))


def log_lines(runs: RunService, run_id: str, rank: int) -> list[str]:
    path = runs.workspace.node_dir(run_id, "train") / f"70_driver_log_{rank}.txt"
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.full  # as tests/modules/compute/test_distributed, and lesson 06
def test_two_processes_train_like_one(runs: RunService) -> None:
    two = (*TWO_PROCESSES, "train.learning_rate=0.005")
    first_id, first = run(runs, training(runs, "train.epochs=3"))
    second_id, second = run(runs, training(runs, "train.epochs=3", *two))
    assert (first.status, second.status) == ("completed", "completed")
    alone, together = model(runs, first), model(runs, second)
    assert (alone.description["world_size"], together.description["world_size"]) == (1, 2)
    for name in ("Train loss", "Valid loss"):
        one, other = alone.history[name].iloc[-1], together.history[name].iloc[-1]
        assert abs(one - other) < 0.35 * max(one, other) + 0.1, name
    num_validated = len(model_images(runs, second))
    accuracies = together.history["Top-1 validation accuracy"] * num_validated
    assert ((accuracies - accuracies.round()).abs() < 1e-6).all(), "an image was counted twice"
    assert len(log_lines(runs, second_id, 0)) > 3
    assert any("process 1 of 2" in line for line in log_lines(runs, second_id, 1))
    assert not (runs.workspace.node_dir(first_id, "train") / "70_driver_log_1.txt").exists()


def model_images(runs: RunService, state: RunState) -> Any:
    """The validation images of a run."""
    from modules.artifacts import ImageDirectory

    folder = runs.artifacts.outputs(state.steps["split"])["output_image_directory2"]
    return ImageDirectory(Path(folder)).images


def start_training(runs: RunService, *changes: str, done: int = 2) -> str:
    """Submit a long training and wait until so many of its epochs are done."""
    run_id = runs.submit(RunRequest(training(runs, f"train.epochs={NUM_EPOCHS}", *changes)))
    wait_for(lambda: epochs_done(runs, run_id) >= done, 300.0)
    return run_id


def epochs_done(runs: RunService, run_id: str) -> int:
    return max((point.step for point in runs.store.metrics(run_id, "train")), default=0)


def hash_of_tensors(trained: TrainedModel) -> str:
    """Of a model's numbers alone; what a file says beside them tells how it came to be."""
    content = trained.weights_path.read_bytes()
    header = int.from_bytes(content[:8], "little")
    return hashlib.sha256(content[8 + header :]).hexdigest()


def weights_of_uninterrupted(runs: RunService, *changes: str) -> str:
    """The hash of what the training of ``start_training`` comes to when it is left alone."""
    if changes not in _uninterrupted:
        long = (f"train.epochs={NUM_EPOCHS}", "train.regenerate_output=true")
        _, state = run(runs, training(runs, *long, *changes))
        assert state.steps["train"].attempt == 1
        _uninterrupted[changes] = hash_of_tensors(model(runs, state))
    return _uninterrupted[changes]


def assert_resumed(runs: RunService, run_id: str, *changes: str) -> None:
    """Wait for a run's end and see it go on from its last epoch, to the model it was to become."""
    state = finish(runs, run_id)
    assert state.status == "completed", state.problem
    assert state.steps["train"].attempt == 2
    trained = model(runs, state)
    assert len(trained.history) == NUM_EPOCHS
    assert state.steps["evaluate"].status == "completed"
    assert hash_of_tensors(trained) == weights_of_uninterrupted(runs, *changes)
    second = [line for line in log_lines(runs, run_id, 0) if line.startswith("epoch ")]
    restarted = [line for line in second if line.startswith(f"epoch 1/{NUM_EPOCHS}  learning rate")]
    assert len(restarted) == 1, "the first epoch was trained again"


@pytest.mark.parametrize(
    "victim",
    [  # test_crashes has the others with smaller steps, test_rank_failures ranks
        pytest.param("rank", marks=pytest.mark.full),
        pytest.param("host", marks=pytest.mark.full),
        pytest.param("fork server", marks=pytest.mark.full),
        "runner",
    ],
)
def test_a_kill_in_the_middle_of_an_epoch(runs: RunService, victim: str) -> None:
    run_id = start_training(runs, *TWO_PROCESSES, done=1)  # a busy machine looks them up for long
    runner, everyone = family(runs)
    target = {
        "rank": children_of(host_of_training(runs))[1],
        "host": host_of_training(runs),
        "fork server": torch_fork_server(runs),
        "runner": runner.pid,
    }[victim]
    trainers = descendants(torch_fork_server(runs))  # spare hosts stay with the others
    doomed = everyone if victim == "runner" else trainers
    wait_for(lambda: epochs_done(runs, run_id) >= 2)
    ProcessIdentity.of(target).signal(signal.SIGKILL)
    wait_for(lambda: not any(item.is_alive for item in doomed), 5.0)
    if victim != "runner":  # after the end of a runner the run goes on by itself
        wait_for(lambda: has_finished(runs, run_id), 5.0)
        state = runs.store.state(run_id)
        assert (state.status, state.steps["train"].status) == ("failed", "failed")
        name = {"rank": "RankLost"}.get(victim, "ProcessLost")
        assert state.problem is not None
        assert state.problem["name"] == name
        assert not list(runs.artifacts.root.glob(".*"))
        runs.resume(run_id)
    assert_resumed(runs, run_id, *TWO_PROCESSES)


REPORTING = """
from pathlib import Path
import os
from modules.context import Context
from modules.declare import module
from modules.artifacts import Artifact, write_json
from modules.spec import PortDoc

class Report(Artifact):
    \"\"\"Number of environment variables.\"\"\"

    colour = "green"

@module(title="Report", category="Arithmetic", summary="Print the environment.", icon="hash",
        libraries=("torch",), distributed=True)
def report_environment(context: Context) -> Report:
    \"\"\"Print the environment.\"\"\"
    lines = [name + "=" + value for name, value in os.environ.items()]
    print(*lines, sep=chr(10), flush=True)
    folder = context.new_folder()
    if context.is_first_rank:
        write_json(folder / "report.json", len(lines))
    return Report(folder)
"""


def test_each_process_has_the_environment_in_which_torch_is_fastest(workspace: Workspace) -> None:
    (workspace.modules_dir / "reporting.py").write_text(REPORTING, encoding="utf-8")
    reporting = {"module": "report_environment", "run_settings": {"process_count_per_node": 2}}
    with opened(workspace) as runs:
        run_id, state = run(runs, build({}, {"train": reporting}))
        assert state.status == "completed"
        for rank in range(2):
            lines = log_lines(runs, run_id, rank)
            for name, value in TORCH_ENVIRONMENT.items():
                assert f"{name}={os.environ.get(name, value)}" in lines


def torch_fork_server(runs: RunService) -> int:
    return fork_server_of(runs, "torch").pid


def host_of_training(runs: RunService) -> int:
    return children_of(torch_fork_server(runs))[0]


@pytest.mark.full  # as after a kill; stopped: test_run_control
def test_cancelled_trainings_go_on_and_stopped_ones_keep_their_best(runs: RunService) -> None:
    run_id = start_training(runs)
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
    runs.resume(run_id)
    assert_resumed(runs, run_id)
    other_id = start_training(runs, "train.random_seed=5")
    assert runs.stop_and_keep(other_id) == ["train"]
    state = finish(runs, other_id)
    assert state.status == "completed"
    assert 2 <= len(model(runs, state).history) < NUM_EPOCHS


@pytest.mark.full  # as one that went on after a kill
def test_reproducible_trainings_are_equal_in_every_bit(runs: RunService) -> None:
    changes = ("train.epochs=2", "train.regenerate_output=true")
    hashes = []
    for _ in range(2):
        _, state = run(runs, training(runs, *changes))
        assert state.steps["train"].status == "completed"
        hashes.append(hash_file(model(runs, state).weights_path))
    assert hashes[0] == hashes[1]


def test_a_warm_runner_does_not_load_torch_again(runs: RunService) -> None:
    run(runs, training(runs, *TWO_PROCESSES, "train.epochs=1"))
    loaded = ProcessIdentity.of(torch_fork_server(runs))
    run_id = start_training(runs, *TWO_PROCESSES, "train.random_seed=9")
    assert ProcessIdentity.of(torch_fork_server(runs)) == loaded
    assert len(children_of(host_of_training(runs))) == 2
    runs.cancel(run_id)
    assert finish(runs, run_id).status == "cancelled"
