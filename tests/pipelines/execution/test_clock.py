"""The clock is set while runs are under way: nothing ends, and everybody is still recognised.

What a clock that was set changes is ``btime`` in ``/proc/stat``. Commands see another one here:
they are started in a mount namespace of their own, where another file lies over it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from modules.files.json_files import read_if_valid, write_durably
from modules.operating_system.processes import ProcessIdentity
from pipelines.document.document import dump_document
from pipelines.execution.runner_lock import RunnerInfo, current_runner
from pipelines.runs.run_request import RunRequest, this_process
from pipelines.runs.run_service import RunService
from tests.pipelines.conftest import build, finish
from tests.pipelines.execution.sleeper_run import SLEEPER, start
from tests.polling import wait_for

pytestmark = pytest.mark.extended

SHIFTS = [*(pytest.param(shift, marks=pytest.mark.full) for shift in (1, -1)), 3600]  # as an hour
QUICK = build(
    {"long": {"a": "two"}},
    {
        "two": {"module": "constant", "value": 2.0},
        "long": {"module": "sleep", "seconds": 2.5},
    },
)


def with_clock_set(folder: Path, seconds: int, command: list[str]) -> list[str]:
    """The command that runs another one where the clock was set by so much after the boot."""
    lines = Path("/proc/stat").read_text(encoding="ascii").splitlines(keepends=True)
    stat = folder / f"stat{seconds}"
    stat.write_text("".join(_shifted(line, seconds) for line in lines), encoding="ascii")
    script = f'mount --bind "{stat}" /proc/stat && exec "$@"'
    return ["unshare", "--mount", "sh", "-c", script, "sh", *command]


def _shifted(line: str, seconds: int) -> str:
    name, _, value = line.partition(" ")
    return f"btime {int(value) + seconds}\n" if name == "btime" else line


@pytest.fixture(autouse=True)
def needs_namespaces(tmp_path: Path) -> None:
    """Skip where no namespace can be made."""
    if sys.platform != "linux":
        pytest.skip("only Linux has /proc")
    done = subprocess.run(with_clock_set(tmp_path, 0, ["true"]), capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mount namespaces are not allowed here")


def designer(runs: RunService, *arguments: str) -> list[str]:
    place = ["--workspace", str(runs.workspace.root), "--json"]
    return [sys.executable, "-m", "pipelines.cli", *arguments, *place]


@pytest.mark.parametrize("seconds", SHIFTS)
def test_a_runner_is_known_after_the_clock_was_set(
    runs: RunService, tmp_path: Path, seconds: int
) -> None:
    start(runs, SLEEPER)
    info = current_runner(runs.workspace)
    assert info is not None
    command = with_clock_set(tmp_path, seconds, designer(runs, "runner", "status"))
    content = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (content["running"], content["pid"]) == (True, info.pid)


@pytest.mark.parametrize("seconds", SHIFTS)
def test_a_run_goes_on_when_its_command_sees_another_clock(
    runs: RunService, tmp_path: Path, seconds: int
) -> None:
    runs.runner.ensure()
    path = tmp_path / "quick.json"
    path.write_text(dump_document(QUICK), encoding="utf-8")
    command = with_clock_set(tmp_path, seconds, designer(runs, "run", str(path)))
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["status"] == "completed"


def test_a_run_goes_on_when_its_runner_sees_another_clock(runs: RunService, tmp_path: Path) -> None:
    runs.runner.stop()
    launch = [sys.executable, "-m", "pipelines.execution.runner_process", "--detach"]
    launch += ["--workspace", str(runs.workspace.root)]
    subprocess.run(with_clock_set(tmp_path, 3600, launch), check=True)
    wait_for(lambda: current_runner(runs.workspace) is not None)
    assert finish(runs, runs.submit(RunRequest(QUICK, owner=this_process()))).status == "completed"
    runs.runner.stop()


def test_what_older_versions_wrote_of_a_process_is_read(runs: RunService) -> None:
    """They knew it by the seconds of the wall clock."""
    runs.runner.ensure()
    info = current_runner(runs.workspace)
    assert info is not None
    older = psutil.Process(info.pid).create_time()
    stored = read_if_valid(runs.workspace.runner_state_path) or {}
    del stored["boot"]
    write_durably(runs.workspace.runner_state_path, {**stored, "started": older})
    assert current_runner(runs.workspace) == RunnerInfo(info.pid, older, info.code)
    assert ProcessIdentity(info.pid, older).is_alive
    assert not ProcessIdentity(info.pid, older - 5).is_alive
    write_durably(runs.workspace.runner_state_path, asdict(info))


def test_a_pid_of_another_boot_or_of_a_later_process_is_nobody() -> None:
    own = ProcessIdentity.of()
    assert own.is_alive
    assert not replace(own, boot="another").is_alive
    assert not replace(own, started=own.started + 1).is_alive
