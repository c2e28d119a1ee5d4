"""Steps on a real Ray of simulated machines: as on one machine."""

from __future__ import annotations

import time

import pytest

from tests.cluster.conftest import RayLab
from tests.cluster.machines import HEAD, wait_for
from tests.cluster.scripts import sums_on_both
from tests.cluster.steps import (
    LONGER,
    probing,
    problem_of,
    pulsing,
    same_training,
    under_way,
    waited_for,
)

pytestmark = [pytest.mark.cluster, pytest.mark.full]
"""In `make test-all` Ray runs without a shared folder, and other engines with one."""


def test_ranks_of_two_machines_meet_at_a_real_address(ray_lab: RayLab) -> None:
    state = ray_lab.finish(ray_lab.submit(probing()))
    assert state.status == "completed", state.problem and state.problem["message"]
    ranks = ray_lab.ranks(state)
    hosts = [str(each["host"]) for each in ranks]
    assert sorted(hosts) == ["m1", "m2"]
    assert {each["meets_at"] for each in ranks} == {ray_lab.machines.address(hosts[0])}
    assert len({each["weights"] for each in ranks}) == 1
    phases = {each["phase"]: each["facts"] for each in state.steps["probe"].phases}
    assert phases["running"]["hosts"] == ", ".join(hosts)
    ray_lab.wait_until_empty()


def test_the_digits_come_to_the_same_on_two_machines_as_on_one(ray_lab: RayLab) -> None:
    same_training(ray_lab, ("cluster", 2, 1), ("local", 1, 2))


def test_a_check_tries_every_part(ray_lab: RayLab) -> None:
    report = ray_lab.designer("target", "check", "cluster", check=False)
    assert report["ok"], report
    names = [each["name"] for each in report["findings"]]
    each_machines = ["versions", "versions"]
    assert names == ["reachable", "token", "machines", "shared folder", *each_machines, "sum"]
    assert ray_lab.token not in str(report)
    ray_lab.wait_until_empty()


def test_what_a_rank_raises_is_the_problem_and_ends_the_others(ray_lab: RayLab) -> None:
    state = ray_lab.finish(ray_lab.submit(pulsing(crash=1)))
    assert "asked to crash" in problem_of(state)["message"]
    ray_lab.wait_until_empty()


def test_a_wrong_token_is_told_before_anything_starts(ray_lab: RayLab) -> None:
    wrong = ray_lab.machines.folder / "wrong-token"
    wrong.touch(0o600)
    wrong.write_text("0" * 64)
    ray_lab.add_ray("strange", token_file=wrong)
    found = ray_lab.designer("target", "check", "strange", check=False)["findings"]
    assert [(each["name"], each["ok"]) for each in found] == [("token", False)]
    state = ray_lab.finish(ray_lab.submit(pulsing(nodes=1, run_settings={"target": "strange"})))
    problem = problem_of(state)
    assert (problem["name"], problem["cure"]) == ("ComputeTargetRefused", found[0]["cure"])
    assert "rejected the token" in problem["message"]


def test_a_machine_without_the_folder_or_python_is_told(ray_lab: RayLab) -> None:
    folder = ray_lab.workspace.root
    ray_lab.machines.on("m2", "mount", "-t", "tmpfs", "tmpfs", folder)
    problem = problem_of(ray_lab.finish(ray_lab.submit(pulsing())))
    ray_lab.machines.on("m2", "umount", folder)
    assert "m2 cannot access" in problem["message"]
    ray_lab.add_ray("bare", python="/no/python")
    state = ray_lab.finish(ray_lab.submit(pulsing(nodes=1, run_settings={"target": "bare"})))
    assert problem_of(state)["message"].endswith("at /no/python.")
    ray_lab.wait_until_empty()


def test_more_machines_than_there_are_is_what_a_step_waits_for(ray_lab: RayLab) -> None:
    ray_lab.add_ray("large", max_nodes=3)
    run_id = ray_lab.submit(pulsing(nodes=3, run_settings={"target": "large"}))
    waits = "1 of 3 machines with 1 CPU (INFEASIBLE: Ray has 2)"
    wait_for(lambda: waited_for(ray_lab.state(run_id)) == waits, "the phase that says so")
    assert ray_lab.state(run_id).steps["probe"].started is None
    before = ray_lab.driver_sleeps()
    time.sleep(3)
    assert ray_lab.driver_sleeps() - before < 100  # it does not ask for all it is worth
    ray_lab.designer("runs", "cancel", run_id)
    assert ray_lab.finish(run_id).status == "cancelled"
    ray_lab.wait_until_empty()


def test_a_cancelled_step_leaves_nothing(ray_lab: RayLab) -> None:
    run_id = under_way(ray_lab, pulsing(epochs=LONGER))
    ray_lab.designer("runs", "cancel", run_id)
    assert ray_lab.finish(run_id).status == "cancelled"
    ray_lab.wait_until_empty()


def test_scripts_run_on_both_machines(ray_lab: RayLab) -> None:
    sums_on_both(ray_lab, "pytorch_process", "mpi")


def test_the_token_is_nowhere_but_in_its_file(ray_lab: RayLab) -> None:
    found = ray_lab.machines.on(
        HEAD, "grep", "-rlF", ray_lab.token, ray_lab.workspace.root, check=False
    )
    assert found.stdout == ""
    for name in (HEAD, "m1", "m2"):
        assert ray_lab.token not in str(ray_lab.machines.commands(name))
