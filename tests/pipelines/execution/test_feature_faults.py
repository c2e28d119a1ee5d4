"""Faults while features of a frozen network are stored: recomputed, never wrong."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from modules.image_loading.feature_store import FOLDER
from modules.models.included_weights import included_file
from pipelines.runs.run_request import RunRequest
from pipelines.runs.run_service import RunService
from pipelines.session import WorkspaceSession
from pipelines.workspace import Workspace
from tests.pipelines.conftest import finish, statuses
from tests.pipelines.execution.feature_storing import (
    PER_CLASS,
    SIZE,
    heads,
    stored,
    unfinished,
    until_storing,
)
from tests.pipelines.execution.runner_processes import family
from tests.pipelines.execution.small_trainings import pictures
from tests.polling import wait_for

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(included_file("efficientnet_lite0") is None, reason="needs the weights"),
]


@pytest.fixture
def source(tmp_path: Path) -> str:
    return pictures(tmp_path / "pictures", "ab", PER_CLASS, SIZE)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> npt.NDArray[np.float32]:
    """The features of the same images, computed without a fault."""
    folder = tmp_path_factory.mktemp("undisturbed")
    source = pictures(folder / "pictures", "ab", PER_CLASS, SIZE)
    with WorkspaceSession(Workspace.at(folder / "workspace").make()) as session:
        run_id = session.runs.submit(RunRequest(heads(source, 1)))
        state = finish(session.runs, run_id)
        assert state.status == "completed"
        features = stored(session.runs, state)
        session.runner.stop()
    return features


@pytest.mark.parametrize(
    "killed",
    ["runner", pytest.param("host", marks=pytest.mark.full)],  # a killed host: test_crashes
)
def test_a_kill_while_features_are_stored_leaves_none_and_they_are_recomputed(
    killed: str, runs: RunService, source: str, expected: npt.NDArray[np.float32]
) -> None:
    run_id = runs.submit(RunRequest(heads(source, 1)))
    until_storing(runs)
    runner, others = family(runs)
    if killed == "runner":
        runner.signal(signal.SIGKILL)
    else:
        for process in others:
            process.signal(signal.SIGKILL)
    wait_for(lambda: not any(process.is_alive for process in others), 10.0)
    assert not [*(runs.workspace.cache_dir / FOLDER).glob("*/*.features")]
    if killed == "host":
        assert finish(runs, run_id).steps["train-1"].status == "failed"
        runs.resume(run_id)
    state = finish(runs, run_id)
    assert state.status == "completed"
    np.testing.assert_allclose(stored(runs, state), expected, atol=1e-4)
    assert len(stored(runs, state)) == 2 * PER_CLASS


def test_two_trainings_store_the_same_images_at_once(
    runs: RunService, source: str, expected: npt.NDArray[np.float32]
) -> None:
    run_ids = [runs.submit(RunRequest(heads(source, *seeds))) for seeds in ((1, 2), (3,))]
    states = [finish(runs, run_id) for run_id in run_ids]
    assert [state.status for state in states] == ["completed", "completed"], statuses(states[0])
    np.testing.assert_allclose(stored(runs, states[0]), expected, atol=1e-4)
    assert unfinished(runs) == []
