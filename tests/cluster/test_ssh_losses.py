"""Steps on machines by SSH, after whatever dies there."""

from __future__ import annotations

import pytest

from pipelines.store.artifacts.manifest import damages_of
from tests.cluster.conftest import SshLab
from tests.cluster.machines import lacks, wait_for
from tests.cluster.network_folder import SSHFS, mounted
from tests.cluster.scripts import going_on, no_script_is_left
from tests.cluster.steps import (
    LONGER,
    probing,
    problem_of,
    pulsing,
    under_way,
)

pytestmark = pytest.mark.cluster


@pytest.mark.full  # a cable is pulled below too
def test_ranks_write_late_and_a_cable_is_pulled_where_the_folder_comes_over_the_network(
    ssh_lab: SshLab,
) -> None:
    missing = lacks(SSHFS, needs_fuse=True)
    if missing:
        pytest.skip(f"a folder over the network {missing}")
    with mounted(ssh_lab.ssh, ssh_lab.workspace.root):
        state = ssh_lab.finish(ssh_lab.submit(probing(processes=2)))
        assert state.status == "completed", state.problem
        assert [each["host"] for each in ssh_lab.ranks(state)] == ["m1", "m1", "m2", "m2"]
        assert [*damages_of(ssh_lab.output(state))] == []
        run_id = under_way(ssh_lab, pulsing(epochs=LONGER))
        ssh_lab.machines.cut("m2")
        problem = problem_of(ssh_lab.finish(run_id))
        assert "m2 (machine 1)" in problem["message"]
        assert ssh_lab.left("m2"), "it waits for the folder"
        ssh_lab.machines.join("m2")
        ssh_lab.wait_until_empty(90)
        assert ssh_lab.finish(ssh_lab.submit(pulsing(epochs=2))).status == "completed"


@pytest.mark.full  # as without a cluster
def test_a_script_whose_follower_is_killed_ends_and_leaves_nothing(ssh_lab: SshLab) -> None:
    run_id = going_on(ssh_lab, "mpi")
    ssh_lab.kill("m2", "workers.agent_host")
    problem = problem_of(ssh_lab.finish(run_id))
    assert problem["name"] == "ProcessLost"
    assert "terminated by SIGKILL" in problem["message"]
    no_script_is_left(ssh_lab)


def test_what_lives_on_behind_a_cut_cable_ends_when_it_is_back(ssh_lab: SshLab) -> None:
    run_id = under_way(ssh_lab, pulsing(nodes=1, epochs=LONGER))
    ssh_lab.ssh.cut("m1", ssh_lab.workspace.root)
    problem = problem_of(ssh_lab.finish(run_id))
    assert problem["name"] == "MachineLost"
    assert "m1 (machine 0)" in problem["message"]
    assert ssh_lab.left("m1"), "it knows of nothing yet"
    ssh_lab.ssh.join("m1", ssh_lab.workspace.root)
    ssh_lab.wait_until_empty()


@pytest.mark.full  # as on Slurm
def test_a_machine_without_power_is_lost_and_the_run_goes_on_when_it_is_back(
    ssh_lab: SshLab,
) -> None:
    run_id = under_way(ssh_lab, pulsing())
    ssh_lab.machines.off("m2")
    lost = ssh_lab.finish(run_id)
    assert problem_of(lost)["name"] == "MachineLost"
    assert "m2 (machine 1)" in problem_of(lost)["message"]
    wait_for(lambda: not ssh_lab.left("m1"), "the other machine to be empty", 30)
    ssh_lab.ssh.boot("m2")
    ssh_lab.designer("runs", "resume", run_id)
    state = ssh_lab.finish(run_id)
    assert state.status == "completed", state.problem
    assert int(str(ssh_lab.ranks(state)[0]["begun"])) >= 2
    ssh_lab.wait_until_empty()
