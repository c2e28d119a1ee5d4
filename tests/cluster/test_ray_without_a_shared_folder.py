"""Steps on a Ray whose machines see neither the workspace nor each other's folders."""

from __future__ import annotations

import time

import pytest

from pipelines.workers.agent_files import HEARTBEAT_TIMEOUT_SECONDS
from pipelines.workers.secret_store import SecretStore
from tests import s3
from tests.cluster.conftest import UnsharedRayLab
from tests.cluster.machines import HEAD, wait_for
from tests.cluster.scripts import SUMS_BY_HAND, sums_on_both
from tests.cluster.steps import (
    LONG,
    LONGER,
    NUM_EPOCHS,
    begin,
    epochs,
    nothing_is_left,
    probing,
    problem_of,
    processes_left,
    pulsing,
    same_training,
    under_way,
)

pytestmark = pytest.mark.cluster
Lab = UnsharedRayLab


@pytest.mark.full  # the step that follows a cancelled one shows it too
def test_ranks_meet_and_their_words_come_back(unshared_lab: Lab) -> None:
    lab = unshared_lab
    run_id = lab.submit(probing())
    state = lab.finish(run_id)
    assert state.status == "completed", state.problem and state.problem["message"]
    ranks = lab.ranks(state)
    assert sorted(str(each["host"]) for each in ranks) == ["m1", "m2"]
    assert len({each["weights"] for each in ranks}) == 1
    node = lab.workspace.node_dir(run_id, "probe")
    assert "node 1: 1 of 2 ranks" in (node / "70_launcher_log_1.txt").read_text()
    told = [each.step for each in lab.session.runs.store.metrics(run_id)]
    assert told == [0, 1, 2]
    nothing_is_left(lab)


@pytest.mark.full  # as where a folder is shared; ranks that meet, and inputs without a cluster
def test_a_training_comes_to_the_same_as_on_one_machine(unshared_lab: Lab) -> None:
    same_training(unshared_lab, ("cluster", 2, 1), ("local", 1, 2))
    nothing_is_left(unshared_lab)


@pytest.mark.full  # as where a folder is shared
def test_what_a_rank_raises_is_the_problem(unshared_lab: Lab) -> None:
    state = unshared_lab.finish(unshared_lab.submit(probing(crash=1, **LONG)))
    assert "asked to crash" in problem_of(state)["message"]
    nothing_is_left(unshared_lab)


@pytest.mark.full  # cancelled: as on Slurm; warm: test_warm_agents and test_unshared_scripts
def test_a_cancelled_step_leaves_nothing_but_what_stays_warm_for_the_next_one(
    unshared_lab: Lab,
) -> None:
    lab = unshared_lab
    lab.add_ray("warm", max_nodes=2, keep_warm=10)
    settings = {"target": "warm"}
    run_id = under_way(lab, pulsing(epochs=LONGER, run_settings=settings))
    wait_for(lambda: len(lab.leases()) == 2, "signs of the driver")
    commands = [lab.machines.commands(name) for name in (HEAD, "m1", "m2")]
    lab.designer("runs", "cancel", run_id)
    assert lab.finish(run_id).status == "cancelled"
    wait_for(lambda: not lab.leases(), "both nodes to end", 40)
    kept = processes_left(lab)
    assert [len(each) for each in kept] == [1, 1]
    state = lab.finish(lab.submit(probing(run_settings=settings)))
    assert state.status == "completed", state.problem and state.problem["message"]
    assert len({each["weights"] for each in lab.ranks(state)}) == 1
    wait_for(lambda: processes_left(lab) == kept, "only what stays", 40)
    for name, [pid] in zip(("m1", "m2"), kept, strict=True):
        lab.machines.kill(name, pid)
    nothing_is_left(lab)
    no_right_to_the_store_is_written_down(lab, str(commands))


@pytest.mark.full  # as on Slurm
def test_a_step_goes_on_without_its_runner_and_the_next_one_follows_it(unshared_lab: Lab) -> None:
    lab = unshared_lab
    run_id = under_way(lab, pulsing())
    commands = [lab.machines.commands(name) for name in (HEAD, "m1", "m2")]
    lab.kill_runner()
    lab.designer("runs", "show", run_id)  # which sees to a runner
    state = lab.finish(run_id)
    assert (state.status, state.steps["probe"].attempt) == ("completed", 1)
    assert {each["begun"] for each in lab.ranks(state)} == {0}
    told = [each.step for each in lab.session.runs.store.metrics(run_id)]
    assert told == list(range(NUM_EPOCHS))
    nothing_is_left(lab)
    no_right_to_the_store_is_written_down(lab, str(commands))


def no_right_to_the_store_is_written_down(lab: Lab, commands: str = "") -> None:
    for folder in (lab.workspace.root, lab.machines.folder):
        found = lab.machines.on(HEAD, "grep", "-rlF", s3.SECRET, folder, check=False)
        assert found.stdout == ""
    assert s3.SECRET not in commands + lab.ray.jobs()


@pytest.mark.full  # mirrors and nodes without a cluster show it too
def test_a_store_that_is_away_for_a_while_ends_nothing(unshared_lab: Lab) -> None:
    lab = unshared_lab
    run_id = begin(lab)
    lab.store.freeze()
    done = epochs(lab.state(run_id))
    thawed_at = time.monotonic() + 2 * HEARTBEAT_TIMEOUT_SECONDS
    wait_for(lambda: time.monotonic() > thawed_at, "machines to be taken for silent")
    lab.store.thaw()
    state = lab.finish(run_id)
    assert state.status == "completed", state.problem and state.problem["message"]
    assert done < NUM_EPOCHS
    [warning] = state.steps["probe"].warnings
    assert "continues without status updates" in str(warning)
    nothing_is_left(lab)


@pytest.mark.full  # as where a folder is shared
def test_a_check_says_that_the_machines_reach_the_store(unshared_lab: Lab) -> None:
    report = unshared_lab.designer("target", "check", "cluster", check=False)
    assert report["ok"], report
    names = [each["name"] for each in report["findings"]]
    assert names == [
        "reachable",
        "token",
        "machines",
        "object store",
        "versions",
        "versions",
        "sum",
    ]
    nothing_is_left(unshared_lab)


@pytest.mark.full  # refused before it starts, as on Slurm
def test_a_machine_that_does_not_reach_the_store_is_told_with_a_cure(unshared_lab: Lab) -> None:
    lab = unshared_lab
    address = lab.machines.address(HEAD)
    rule = ("ip", "rule")
    lab.machines.on("m2", *rule, "add", "to", address, "dport", 9000, "ipproto", "tcp", "prohibit")
    problem = problem_of(lab.finish(lab.submit(pulsing(epochs=LONGER))))
    lab.machines.on("m2", *rule, "del", "to", address, "dport", 9000, "ipproto", "tcp", "prohibit")
    assert "m2 cannot access the workspace's object store" in problem["message"]
    assert "allow access" in problem["cure"]
    nothing_is_left(lab)


def test_scripts_run_on_both_machines_with_secrets_that_are_written_down_nowhere(
    unshared_lab: Lab,
) -> None:
    lab, value = unshared_lab, "hush-hush-says-nobody"
    SecretStore(lab.workspace).set("TOKEN", value)
    own = {"typed_script": SUMS_BY_HAND, "secrets": ["TOKEN"]}
    run_id = sums_on_both(lab, "pytorch_process", "mpi", **own)
    for launcher in ("pytorch_process", "mpi"):
        logs = list(lab.workspace.node_dir(run_id, launcher).glob("70_driver_log_*.txt"))
        told = [f"its secret is {'*' * len(value)}" in each.read_text() for each in logs]
        assert told == [True, True]
    for folder in (
        lab.workspace.runs_dir,
        lab.workspace.artifacts_dir,
        lab.machines.folder / "ray",
    ):
        found = lab.machines.on(HEAD, "grep", "-rlF", value, folder, check=False)
        assert found.stdout == ""
    assert value not in lab.ray.jobs()
    nothing_is_left(lab)
    no_right_to_the_store_is_written_down(lab)


@pytest.mark.full  # as where a folder is shared
def test_a_node_without_power_is_lost_and_the_step_goes_on_from_its_checkpoint(
    unshared_lab: Lab,
) -> None:
    lab = unshared_lab
    run_id = begin(lab, run_settings={"retries": 1}, epochs=60)
    wait_for(lambda: epochs(lab.state(run_id)) >= 10, "ten epochs")
    lab.kill("m2", "workers.unshared_node")
    state = lab.finish(run_id)
    assert (state.status, state.steps["probe"].attempt) == ("completed", 2), state.problem
    assert {each["begun"] for each in lab.ranks(state)} != {0}
    run_id = under_way(lab, pulsing(epochs=LONGER))
    lab.machines.off("m2")
    problem = problem_of(lab.finish(run_id))
    assert problem["name"] == "MachineLost"
    assert "m2 (machine" in problem["message"]
    wait_for(lambda: not lab.left("m1"), "the other machine to be empty", 40)
