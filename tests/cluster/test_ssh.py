"""Steps on machines by SSH: as on one machine, and after whatever dies there."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.conftest import SshLab
from tests.cluster.machines import wait_for
from tests.cluster.scripts import (
    cancelled_leaves_nothing,
    sums_on_both,
)
from tests.cluster.ssh import STRANGE
from tests.cluster.steps import (
    LONGER,
    epochs,
    nothing_is_left,
    probing,
    problem_of,
    pulsing,
    same_training,
    under_way,
    waited_for,
)

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
ANOTHER_TIME = """\
#!/bin/sh
if [ "$(hostname)" = m2 ]; then
    export PYTHONPATH={folder}
fi
exec {python} "$@"
"""
THREE_HOURS_LATER = "import time\nnow = time.time\ntime.time = lambda: now() + 3 * 3600\n"


def findings(lab: SshLab, target: str) -> list[dict[str, Any]]:
    return list(lab.designer("target", "check", target, check=False)["findings"])


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
    nothing_is_left(ssh_lab)


@pytest.mark.full  # as on Slurm and Ray, whose agents and ranks are the same
def test_the_digits_come_to_the_same_on_two_machines_as_on_one(ssh_lab: SshLab) -> None:
    same_training(ssh_lab, ("cluster", 2, 1), ("local", 1, 2))


def test_a_check_tries_every_part(ssh_lab: SshLab) -> None:
    found = findings(ssh_lab, "cluster")
    assert all(each["ok"] for each in found), found
    names = [each["name"] for each in found]
    each_machines = ["shared folder", "versions"]
    assert names == ["reachable", "reachable", *each_machines, *each_machines, "sum"]
    assert ssh_lab.machines.address("m1") in found[-1]["message"]


def test_machines_that_let_nobody_in_are_told_with_their_cures(ssh_lab: SshLab) -> None:
    ssh_lab.add_target("strange", "ssh", hosts=",".join(STRANGE))
    found = findings(ssh_lab, "strange")
    said = dict(zip(STRANGE, found, strict=True))
    assert not any(each["ok"] for each in found)
    assert "is not known here" in said["stranger"]["message"]
    assert "ssh stranger" in said["stranger"]["cure"]
    assert "another key than before" in said["changed"]["message"]
    assert "ssh-copy-id keyless" in said["keyless"]["cure"]
    assert "refuses connections" in said["closed"]["message"]
    assert "No machine is known" in said["nowhere"]["message"]
    problem = problem_of(
        ssh_lab.finish(ssh_lab.submit(pulsing(run_settings={"target": "strange"})))
    )
    assert (problem["name"], problem["cure"]) == ("ComputeTargetRefused", said["stranger"]["cure"])


def test_a_machine_without_the_folder_or_python_is_told_before_anything_starts(
    ssh_lab: SshLab,
) -> None:
    folder = ssh_lab.workspace.root
    ssh_lab.machines.on("m2", "mount", "-t", "tmpfs", "tmpfs", folder)
    problem = problem_of(ssh_lab.finish(ssh_lab.submit(pulsing())))
    found = findings(ssh_lab, "cluster")
    ssh_lab.machines.on("m2", "umount", folder)
    assert "m2 does not see" in problem["message"]
    assert [each["message"] for each in found if not each["ok"]] == [f"m2 does not see {folder}."]
    ssh_lab.machines.on("m2", "mount", "--bind", "-o", "ro", folder, folder)
    found = findings(ssh_lab, "cluster")
    ssh_lab.machines.on("m2", "umount", folder)
    assert "m2 cannot write" in next(each["message"] for each in found if not each["ok"])
    ssh_lab.add_target("bare", "ssh", hosts="m1", python="/no/python")
    problem = problem_of(
        ssh_lab.finish(ssh_lab.submit(pulsing(nodes=1, run_settings={"target": "bare"})))
    )
    assert problem["message"] == "m1 has no Python at /no/python."
    nothing_is_left(ssh_lab)


def test_a_machine_whose_own_disk_is_full_is_told_before_anything_starts(ssh_lab: SshLab) -> None:
    own = Path(tempfile.gettempdir()) / f"designer-{os.getuid()}"
    fill = 'mkdir -p "$0" && mount -t tmpfs -o size=8k tmpfs "$0" && cat /dev/zero > "$0/full"'
    ssh_lab.machines.on("m2", "sh", "-c", fill, own, check=False)  # until there is no room
    problem = problem_of(ssh_lab.finish(ssh_lab.submit(pulsing())))
    ssh_lab.machines.on("m2", "umount", "--lazy", own)
    assert (problem["name"], bool(problem["cure"])) == ("MachinesUnfit", True)
    assert f"m2 cannot write in {own}" in problem["message"]
    assert "No space left" in problem["message"]
    nothing_is_left(ssh_lab)


def test_clocks_that_differ_by_hours_are_told_before_anything_starts(ssh_lab: SshLab) -> None:
    folder = ssh_lab.machines.folder / "another-time"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(THREE_HOURS_LATER)
    python = folder / "python"
    python.write_text(ANOTHER_TIME.format(folder=folder, python=sys.executable))
    python.chmod(0o755)
    ssh_lab.add_target("late", "ssh", hosts="m1,m2", python=python)
    said = re.compile(r"The clocks of m2 and m1 are 10[78]\d\d seconds apart\.")
    [wrong] = [each for each in findings(ssh_lab, "late") if not each["ok"]]
    assert (wrong["name"], bool(said.fullmatch(wrong["message"]))) == ("clocks", True)
    problem = problem_of(ssh_lab.finish(ssh_lab.submit(pulsing(run_settings={"target": "late"}))))
    assert said.fullmatch(problem["message"])
    assert problem["cure"] == wrong["cure"]
    nothing_is_left(ssh_lab)


def test_steps_wait_for_machines_and_a_cancelled_one_leaves_nothing(ssh_lab: SshLab) -> None:
    first = under_way(ssh_lab, pulsing(nodes=1, epochs=LONGER))
    second = ssh_lab.submit(pulsing(epochs=2))
    waits = "1 of 2 machines"
    wait_for(lambda: waited_for(ssh_lab.state(second)) == waits, "the phase that says so")
    assert ssh_lab.state(second).steps["probe"].started is None
    ssh_lab.designer("runs", "cancel", first)
    assert ssh_lab.finish(first).status == "cancelled"
    assert ssh_lab.finish(second).status == "completed"
    nothing_is_left(ssh_lab)


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


def test_scripts_run_on_both_machines_and_a_cancelled_one_leaves_nothing(ssh_lab: SshLab) -> None:
    sums_on_both(ssh_lab, "pytorch_process", "mpi")
    cancelled_leaves_nothing(ssh_lab, "pytorch_process")
