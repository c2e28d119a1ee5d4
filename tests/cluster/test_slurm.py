"""Steps on a real Slurm of simulated machines: as on one machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster.conftest import SlurmLab
from tests.cluster.packages import keep_environment, set_up_pip, sums_in_the_environment
from tests.cluster.scripts import (
    FAILS,
    by,
    cancelled_leaves_nothing,
    printed,
    script,
    sums_on_both,
)
from tests.cluster.steps import (
    LONG,
    LONGER,
    probing,
    problem_of,
    pulsing,
    same_training,
    under_way,
)
from tests.pipelines.conftest import build, contents

pytestmark = pytest.mark.cluster
SECRET = "not to be seen anywhere"


def test_ranks_of_two_machines_meet_at_a_real_address(lab: SlurmLab) -> None:
    run_id = lab.submit(probing(processes=2))
    state = lab.finish(run_id)
    assert state.status == "completed", state.problem
    ranks = lab.ranks(state)
    assert [each["host"] for each in ranks] == ["m1", "m1", "m2", "m2"]
    assert {each["meets_at"] for each in ranks} == {lab.machines.address("m1")}
    assert [each["interface"] for each in ranks] == ["eth1", "eth1", "eth2", "eth2"]
    assert len({each["weights"] for each in ranks}) == 1
    phases = {each["phase"]: each["facts"] for each in state.steps["probe"].phases}
    assert phases["running"]["hosts"] == "m1, m2"
    logs = sorted(lab.workspace.node_dir(run_id, "probe").glob("70_launcher_log*.txt"))
    assert [each.name for each in logs] == ["70_launcher_log.txt", "70_launcher_log_1.txt"]
    lab.wait_until_empty()


@pytest.mark.full  # as by SSH, whose agents and ranks are the same
def test_the_digits_come_to_the_same_on_two_machines_as_on_one(lab: SlurmLab) -> None:
    same_training(lab, ("cluster", 2, 2), ("simulated", 4, 1))


@pytest.mark.full  # as what a script raises, and without a cluster
def test_what_a_rank_raises_is_the_problem_and_ends_the_others(lab: SlurmLab) -> None:
    state = lab.finish(lab.submit(probing(crash=1, **LONG)))
    assert "asked to crash" in problem_of(state)["message"]
    lab.wait_until_empty()


def test_a_cancelled_step_leaves_nothing(lab: SlurmLab) -> None:
    run_id = under_way(lab, pulsing(epochs=LONGER))
    lab.designer("runs", "cancel", run_id)
    assert lab.finish(run_id).status == "cancelled"
    lab.wait_until_empty()


def test_a_script_on_a_machine_has_its_secret_and_nothing_else_does(lab: SlurmLab) -> None:
    lab.session.secrets.set("TOKEN", SECRET)
    code = "import os, platform; print(platform.node(), len(os.environ['TOKEN']))"
    settings = {"target": "cluster", "process_count_per_node": 2}
    own = {"module": "launch", "code": code, "secrets": ["TOKEN"], "run_settings": settings}
    run_id = lab.submit(build({}, {"own": own}))
    assert lab.finish(run_id).status == "completed"
    folder = lab.workspace.node_dir(run_id, "own")
    logs = [folder / f"70_driver_log_{rank}.txt" for rank in (0, 1)]
    assert [each.read_text() for each in logs] == [f"m1 {len(SECRET)}\n"] * 2
    found = contents(lab.machines.folder).items()
    assert [path.name for path, text in found if SECRET.encode() in text] == ["secrets.json"]


def test_every_launcher_starts_a_script_on_both_machines(lab: SlurmLab) -> None:
    sums_on_both(lab, "mpi")  # by PyTorch: per process below, per node test_distributed_scripts
    run_id = lab.submit(by("tensorflow"), "--allow-code")
    assert lab.finish(run_id).status == "completed"
    assert printed(lab, run_id, "tensorflow") == ["m1 calls", "m2 was called by m1"]
    lab.wait_until_empty()


@pytest.mark.full  # built once: test_builder; used: test_launching
def test_scripts_on_both_machines_have_an_environment_that_is_built_once(
    lab: SlurmLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.designer("runner", "stop")  # the next one is started by who has set up pip
    set_up_pip(lab.machines, lab.machines.folder, monkeypatch)
    keep_environment(lab)
    run_id, folders = sums_in_the_environment(lab, "cluster", 2)
    [folder] = set(folders)
    assert Path(folder).is_relative_to(lab.workspace.environments_dir)
    [log] = lab.workspace.node_dir(run_id, "probe").glob("70_environment_log*.txt")
    assert log.read_text().count("Building small@1") == 1
    lab.wait_until_empty()


def test_a_cancelled_script_of_mpi_leaves_nothing(lab: SlurmLab) -> None:
    cancelled_leaves_nothing(lab, "mpi")


def test_what_a_script_raises_on_another_machine_is_the_problem(lab: SlurmLab) -> None:
    own = script(FAILS, "pytorch_process")
    state = lab.finish(lab.submit(build({}, {"probe": own}), "--allow-code"))
    assert "the second machine has had enough" in problem_of(state)["message"]
    assert (problem_of(state)["details"] or {})["rank"] == 1
    lab.wait_until_empty()


@pytest.mark.parametrize(
    ("mount", "said"),
    [
        pytest.param(
            ("-t", "tmpfs", "tmpfs", "{folder}"),
            "m2 cannot access {folder}",
            marks=pytest.mark.full,  # as a folder that is only read
        ),
        (("--bind", "-o", "ro", "{folder}", "{folder}"), "m2 cannot write to {folder}"),
    ],
)
def test_a_machine_that_cannot_use_the_folder_is_told(
    lab: SlurmLab, mount: tuple[str, ...], said: str
) -> None:
    folder = str(lab.workspace.root)
    lab.machines.on("m2", "mount", *(each.format(folder=folder) for each in mount))
    problem = problem_of(lab.finish(lab.submit(pulsing())))
    lab.machines.on("m2", "umount", folder)
    assert problem["name"] == "ComputeTargetRefused"
    assert problem["message"].startswith(said.format(folder=folder))
    assert problem["cure"]
    lab.wait_until_empty()


@pytest.mark.parametrize("setting", ["max_nodes=5", "gres=gpu:1"])
def test_more_than_there_is_is_a_problem(lab: SlurmLab, setting: str) -> None:
    name = setting.partition("=")[0].replace("_", "-")
    lab.designer("target", "add", name, "--kind", "slurm", "--set", setting)
    nodes = 5 if name == "max-nodes" else 1
    state = lab.finish(lab.submit(pulsing(nodes=nodes, run_settings={"target": name})))
    assert problem_of(state)["name"] == "ComputeTargetRefused"
    assert problem_of(state)["cure"]
    assert lab.slurm.queue() == []


def test_a_partition_that_is_not_there_is_a_problem(lab: SlurmLab) -> None:
    lab.designer("target", "add", "lost", "--kind", "slurm", "--set", "partition=nowhere")
    state = lab.finish(lab.submit(pulsing(nodes=1, run_settings={"target": "lost"})))
    assert "partition" in problem_of(state)["message"]
    report = lab.designer("target", "check", "lost", check=False)
    assert [each["name"] for each in report["findings"] if not each["ok"]] == ["partition"]


@pytest.mark.full  # as by SSH
def test_a_check_tries_every_part(lab: SlurmLab) -> None:
    report = lab.designer("target", "check", "cluster")
    assert report["ok"], report
    names = [each["name"] for each in report["findings"]]
    assert names == ["reachable", "machines", "shared folder", "versions", "versions", "sum"]
    assert lab.machines.address("m1") in report["findings"][-1]["message"]
