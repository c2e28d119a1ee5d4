"""What every engine does after a loss: on Slurm by `make test-all`, on all by `make test-full`."""

from __future__ import annotations

import pytest

from tests.cluster.conftest import Lab, RayLab
from tests.cluster.steps import LONGER, NUM_EPOCHS, problem_of, pulsing, under_way

pytestmark = pytest.mark.cluster


@pytest.fixture(
    params=[
        pytest.param("lab", id="slurm"),
        pytest.param("ray_lab", id="ray", marks=pytest.mark.full),
        pytest.param("ssh_lab", id="ssh", marks=pytest.mark.full),
    ]
)
def engine(request: pytest.FixtureRequest) -> Lab:
    """Two machines with an engine."""
    made: Lab = request.getfixturevalue(request.param)
    return made


def test_a_step_goes_on_without_its_runner_and_the_next_one_follows_it(
    engine: Lab,
) -> None:
    run_id = under_way(engine, pulsing())
    engine.kill_runner()
    seen = len(engine.session.runs.store.metrics(run_id))
    engine.designer("runs", "show", run_id)  # which sees to a runner
    state = engine.finish(run_id)
    assert (state.status, state.steps["probe"].attempt) == ("completed", 1)
    assert {each["begun"] for each in engine.ranks(state)} == {0}
    told = [each.step for each in engine.session.runs.store.metrics(run_id)]
    assert told == list(range(NUM_EPOCHS)), f"{seen} had been told"
    assert state.steps["probe"].warnings == []


def test_a_killed_agent_ends_the_step_everywhere(engine: Lab) -> None:
    run_id = under_way(engine, pulsing(epochs=LONGER))
    engine.kill("m2", "workers.agent ")
    state = engine.finish(run_id)
    assert state.status == "failed"
    if isinstance(engine, RayLab):  # which tells of the machine, not of a process
        assert problem_of(state)["name"] == "MachineLost"
        assert "m2" in problem_of(state)["message"]
    engine.wait_until_empty()
