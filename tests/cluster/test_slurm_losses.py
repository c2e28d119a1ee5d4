"""Steps on a real Slurm, after whatever dies there."""

from __future__ import annotations

import time

import pytest

from pipelines.workers.agent_files import HEARTBEAT_TIMEOUT_SECONDS
from tests.cluster.conftest import SlurmLab
from tests.cluster.machines import HEAD, wait_for
from tests.cluster.steps import (
    LONGER,
    epochs,
    problem_of,
    pulsing,
    under_way,
    waited_for,
)

pytestmark = pytest.mark.cluster


def test_a_killed_rank_is_the_problem_and_ends_the_others(lab: SlurmLab) -> None:
    run_id = under_way(lab, pulsing(epochs=LONGER))
    lab.kill_rank("m2")
    problem = problem_of(lab.finish(run_id))
    assert (problem["name"], (problem["details"] or {})["rank"]) == ("RankLost", 1)
    assert "terminated by SIGKILL" in problem["message"]
    lab.wait_until_empty()


@pytest.mark.full  # as without a runner: test_losses
def test_without_its_controller_a_step_goes_on_and_another_one_waits(lab: SlurmLab) -> None:
    over = lab.workspace.root / "over"
    running = under_way(lab, pulsing(epochs=LONGER, until=str(over)))
    lab.slurm.stop_controller()
    done = epochs(lab.state(running))
    run_id = lab.submit(pulsing(epochs=2))
    waits = "a response from Slurm"
    wait_for(lambda: waited_for(lab.state(run_id)) == waits, "the phase that says so")
    assert lab.state(run_id).steps["probe"].started is None
    wait_for(lambda: epochs(lab.state(running)) > done + 5, "more epochs")
    lab.slurm.start_controller()
    assert lab.finish(run_id).status == "completed"
    over.touch()
    assert lab.finish(running).status == "completed"


@pytest.mark.full  # what Slurm says of it is shown without one
def test_a_suspended_step_waits_for_longer_than_silence_may_last_and_goes_on(lab: SlurmLab) -> None:
    run_id = under_way(lab, pulsing(epochs=60))
    job = lab.machines.on(HEAD, "squeue", "-h", "-o", "%i").stdout.strip()
    lab.machines.on(HEAD, "scontrol", "suspend", job)

    def waits_for() -> str:
        return str(lab.state(run_id).steps["probe"].phases[-1]["facts"].get("waits_for"))

    wait_for(lambda: waits_for() == "Slurm to resume it", "the phase that says so", 30)
    resume_at = time.monotonic() + 2 * HEARTBEAT_TIMEOUT_SECONDS
    wait_for(lambda: time.monotonic() > resume_at, "machines to be taken for silent")
    lab.machines.on(HEAD, "scontrol", "resume", job)
    wait_for(lambda: waits_for() == "", "the phase that says that it goes on")
    state = lab.finish(run_id)
    assert (state.status, state.steps["probe"].attempt) == ("completed", 1), state.problem


@pytest.mark.full
def test_what_lives_on_behind_a_cut_cable_ends_when_it_is_back(lab: SlurmLab) -> None:
    run_id = under_way(lab, pulsing(epochs=LONGER))
    lab.machines.cut("m2")
    state = lab.finish(run_id)
    assert state.status == "failed", state.steps["probe"]
    lab.machines.join("m2")
    lab.wait_until_empty()
    wait_for(lambda: lab.slurm.idle_nodes() == 2, "the machine to be back")


def test_a_node_without_power_is_lost_and_the_step_goes_on_from_its_checkpoint(
    lab: SlurmLab,
) -> None:
    retried = pulsing(run_settings={"retries": 2})  # Slurm may give the dead machine once more
    run_id = under_way(lab, retried)
    lab.machines.off("m2")
    wait_for(lambda: bool(lab.state(run_id).steps["probe"].warnings), "the loss", 25)
    lost = lab.state(run_id)
    assert "m2 (machine 1)" in lost.steps["probe"].warnings[0]
    assert waited_for(lost) == "a lost machine to return (10 s)"
    wait_for(lambda: not lab.left("m1"), "the first attempt to end", 30)
    lab.slurm.boot_node("m2")
    state = lab.finish(run_id)
    assert state.status == "completed", state.problem
    assert state.steps["probe"].attempt >= 2
    assert int(lab.ranks(state)[0]["begun"]) >= 2
    assert [each for each in lab.machines.commands(HEAD) if "sbatch" in each[1]] == []
