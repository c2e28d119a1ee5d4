"""Steps on machines by SSH: as on one machine, and after whatever dies there."""

from __future__ import annotations

import pytest

from pipelines.document.document import dump_document
from tests.cluster.conftest import SshLab
from tests.cluster.machines import wait_for
from tests.cluster.scripts import (
    cancelled_leaves_nothing,
    sums_on_both,
)
from tests.cluster.steps import (
    LONGER,
    epochs,
    findings,
    probing,
    pulsing,
    same_training,
    under_way,
    waited_for,
)

pytestmark = pytest.mark.cluster


@pytest.mark.full  # as on Slurm
def test_ranks_of_two_machines_meet_at_a_real_address(ssh_lab: SshLab) -> None:
    run_id = ssh_lab.submit(probing())
    state = ssh_lab.finish(run_id)
    assert state.status == "completed", state.problem
    ranks = ssh_lab.ranks(state)
    assert [each["host"] for each in ranks] == ["m1", "m2"]
    assert {each["meets_at"] for each in ranks} == {ssh_lab.machines.address("m1")}
    assert len({each["weights"] for each in ranks}) == 1
    phases = {each["phase"]: each["facts"] for each in state.steps["probe"].phases}
    assert phases["running"]["hosts"] == "m1, m2"
    ssh_lab.wait_until_empty()


def test_the_digits_come_to_the_same_on_two_machines_as_on_one(ssh_lab: SshLab) -> None:
    same_training(ssh_lab, ("cluster", 2, 1), ("local", 1, 2))


def test_a_check_tries_every_part(ssh_lab: SshLab) -> None:
    found = findings(ssh_lab, "cluster")
    assert all(each["ok"] for each in found), found
    names = [each["name"] for each in found]
    each_machines = ["shared folder", "versions"]
    assert names == ["reachable", "reachable", *each_machines, *each_machines, "sum"]
    assert ssh_lab.machines.address("m1") in found[-1]["message"]


def test_trials_of_a_sweep_run_side_by_side(ssh_lab: SshLab) -> None:
    path = ssh_lab.workspace.root / "sweep.json"
    path.write_text(dump_document(pulsing(nodes=1)), encoding="utf-8")
    options = ("--param", "probe.epochs=20,21,22", "--metric", "probe.Epoch", "--parallel", 2)
    swept = ssh_lab.designer("sweep", "run", path, *options)
    assert [trial["state"] for trial in swept["trials"]] == 3 * ["completed"]
    states = [ssh_lab.state(trial["run"]) for trial in swept["trials"]]
    steps = [state.steps["probe"] for state in states]
    facts = [{one["phase"]: one["facts"] for one in step.phases} for step in steps]
    assert {fact["running"]["hosts"] for fact in facts[:2]} == {"m1", "m2"}
    first, second = steps[:2]
    assert first.finished is not None
    assert second.started is not None
    assert second.started < first.finished
    ssh_lab.wait_until_empty()


def test_steps_wait_for_machines_and_a_cancelled_one_leaves_nothing(ssh_lab: SshLab) -> None:
    first = under_way(ssh_lab, pulsing(nodes=1, epochs=LONGER))
    second = ssh_lab.submit(pulsing(epochs=2))
    waits = "1 of 2 machines"
    wait_for(lambda: waited_for(ssh_lab.state(second)) == waits, "the phase that says so")
    assert ssh_lab.state(second).steps["probe"].started is None
    ssh_lab.designer("runs", "cancel", first)
    assert ssh_lab.finish(first).status == "cancelled"
    assert ssh_lab.finish(second).status == "completed"
    ssh_lab.wait_until_empty()


@pytest.mark.full  # as on Slurm
def test_a_step_goes_on_without_its_runner_and_the_next_one_follows_it(ssh_lab: SshLab) -> None:
    over = ssh_lab.workspace.root / "over"
    run_id = under_way(ssh_lab, pulsing(epochs=LONGER, until=str(over)))
    waiting = ssh_lab.submit(pulsing(epochs=2))
    waits = "2 of 2 machines"
    wait_for(lambda: waited_for(ssh_lab.state(waiting)) == waits, "the other to be queued")
    ssh_lab.kill_runner()
    done = epochs(ssh_lab.state(run_id))
    ssh_lab.designer("runs", "show", run_id)  # which sees to a runner
    wait_for(lambda: epochs(ssh_lab.state(run_id)) > done + 5, "the next runner to follow it")
    over.touch()
    state = ssh_lab.finish(run_id)
    assert (state.status, state.steps["probe"].attempt) == ("completed", 1)
    told = [each.step for each in ssh_lab.session.runs.store.metrics(run_id)]
    assert told == list(range(len(told)))
    assert state.steps["probe"].warnings == []
    queued = ssh_lab.finish(waiting)
    assert (queued.status, queued.steps["probe"].attempt) == ("completed", 1)


@pytest.mark.full  # as on Slurm and Ray, whose agents are the same
def test_scripts_run_on_both_machines(ssh_lab: SshLab) -> None:
    sums_on_both(ssh_lab, "pytorch_process", "mpi")


@pytest.mark.full  # as Slurm's of MPI, and a step above
def test_a_cancelled_script_leaves_nothing(ssh_lab: SshLab) -> None:
    cancelled_leaves_nothing(ssh_lab, "pytorch_process")
