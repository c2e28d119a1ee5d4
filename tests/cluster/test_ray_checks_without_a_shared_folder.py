"""What is checked and told where Ray's machines share no folder, and what is written down."""

from __future__ import annotations

import pytest

from pipelines.workers.secret_store import SecretStore
from tests.cluster.conftest import UnsharedRayLab
from tests.cluster.machines import HEAD
from tests.cluster.scripts import SUMS_BY_HAND, sums_on_both
from tests.cluster.steps import (
    LONGER,
    nothing_is_left,
    problem_of,
    pulsing,
)

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
Lab = UnsharedRayLab


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


def test_a_machine_that_does_not_reach_the_store_is_told_with_a_cure(unshared_lab: Lab) -> None:
    lab = unshared_lab
    address = lab.machines.address(HEAD)
    rule = ("ip", "rule")
    lab.machines.on("m2", *rule, "add", "to", address, "dport", 9000, "ipproto", "tcp", "prohibit")
    problem = problem_of(lab.finish(lab.submit(pulsing(epochs=LONGER))))
    lab.machines.on("m2", *rule, "del", "to", address, "dport", 9000, "ipproto", "tcp", "prohibit")
    assert "m2 cannot use the workspace's object store" in problem["message"]
    assert "Let Ray's machines reach it" in problem["cure"]
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
