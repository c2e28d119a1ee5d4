"""What machines by SSH lack is told with its cure, before anything starts."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cluster.conftest import SshLab
from tests.cluster.ssh import STRANGE
from tests.cluster.steps import (
    findings,
    problem_of,
    pulsing,
)

pytestmark = pytest.mark.cluster
ANOTHER_TIME = """\
#!/bin/sh
if [ "$(hostname)" = m2 ]; then
    export PYTHONPATH={folder}
fi
exec {python} "$@"
"""
THREE_HOURS_LATER = "import time\nnow = time.time\ntime.time = lambda: now() + 3 * 3600\n"


def test_machines_that_let_nobody_in_are_told_with_their_cures(ssh_lab: SshLab) -> None:
    ssh_lab.add_target("strange", "ssh", hosts=",".join(STRANGE))
    found = findings(ssh_lab, "strange")
    said = dict(zip(STRANGE, found, strict=True))
    assert not any(each["ok"] for each in found)
    assert "is unknown" in said["stranger"]["message"]
    assert "ssh stranger" in said["stranger"]["cure"]
    assert "has changed" in said["changed"]["message"]
    assert "ssh-copy-id keyless" in said["keyless"]["cure"]
    assert "refused the SSH connection" in said["closed"]["message"]
    assert "not found" in said["nowhere"]["message"]
    problem = problem_of(
        ssh_lab.finish(ssh_lab.submit(pulsing(run_settings={"target": "strange"})))
    )
    assert (problem["name"], problem["cure"]) == ("ComputeTargetRefused", said["stranger"]["cure"])


@pytest.mark.full  # as on Slurm
def test_a_machine_without_the_folder_or_python_is_told_before_anything_starts(
    ssh_lab: SshLab,
) -> None:
    folder = ssh_lab.workspace.root
    ssh_lab.machines.on("m2", "mount", "-t", "tmpfs", "tmpfs", folder)
    problem = problem_of(ssh_lab.finish(ssh_lab.submit(pulsing())))
    found = findings(ssh_lab, "cluster")
    ssh_lab.machines.on("m2", "umount", folder)
    assert "m2 cannot access" in problem["message"]
    assert [each["message"] for each in found if not each["ok"]] == [f"m2 cannot access {folder}."]
    ssh_lab.machines.on("m2", "mount", "--bind", "-o", "ro", folder, folder)
    found = findings(ssh_lab, "cluster")
    ssh_lab.machines.on("m2", "umount", folder)
    assert "m2 cannot write" in next(each["message"] for each in found if not each["ok"])
    ssh_lab.add_target("bare", "ssh", hosts="m1", python="/no/python")
    problem = problem_of(
        ssh_lab.finish(ssh_lab.submit(pulsing(nodes=1, run_settings={"target": "bare"})))
    )
    assert problem["message"] == "Python was not found on m1 at /no/python."
    ssh_lab.wait_until_empty()


def test_a_machine_whose_own_disk_is_full_is_told_before_anything_starts(ssh_lab: SshLab) -> None:
    own = Path(tempfile.gettempdir()) / f"designer-{os.getuid()}"
    fill = 'mkdir -p "$0" && mount -t tmpfs -o size=8k tmpfs "$0" && cat /dev/zero > "$0/full"'
    ssh_lab.machines.on("m2", "sh", "-c", fill, own, check=False)  # until there is no room
    problem = problem_of(ssh_lab.finish(ssh_lab.submit(pulsing())))
    ssh_lab.machines.on("m2", "umount", "--lazy", own)
    assert (problem["name"], bool(problem["cure"])) == ("MachinesUnfit", True)
    assert f"m2 cannot write decoded images to {own}" in problem["message"]
    assert "No space left" in problem["message"]
    ssh_lab.wait_until_empty()


def test_clocks_that_differ_by_hours_are_told_before_anything_starts(ssh_lab: SshLab) -> None:
    folder = ssh_lab.machines.folder / "another-time"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(THREE_HOURS_LATER)
    python = folder / "python"
    python.write_text(ANOTHER_TIME.format(folder=folder, python=sys.executable))
    python.chmod(0o755)
    ssh_lab.add_target("late", "ssh", hosts="m1,m2", python=python)
    said = re.compile(r"The clocks of m2 and m1 differ by 10[78]\d\d seconds\.")
    [wrong] = [each for each in findings(ssh_lab, "late") if not each["ok"]]
    assert (wrong["name"], bool(said.fullmatch(wrong["message"]))) == ("clocks", True)
    problem = problem_of(ssh_lab.finish(ssh_lab.submit(pulsing(run_settings={"target": "late"}))))
    assert said.fullmatch(problem["message"])
    assert problem["cure"] == wrong["cure"]
    ssh_lab.wait_until_empty()
