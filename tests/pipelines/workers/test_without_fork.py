"""The same tests hold where nothing forks (``tests/without_fork``): hosts are spawned there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.source import ROOT

HIDING = ROOT / "tests" / "without_fork"
RUNS = "tests/pipelines/execution/test_runs.py::test_"
CASES = {
    "runs": [
        RUNS + "a_pipeline_runs_and_gives_its_outputs",
        RUNS + "a_failure_skips_its_children_and_spares_other_branches",
        RUNS + "a_user_modules_error_shows_its_own_lines",
        RUNS + "cancelling_keeps_what_is_finished_and_can_be_resumed",
        RUNS + "a_step_over_its_time_limit_ends_and_says_so",
    ],
    "crashes": [
        "tests/pipelines/execution/test_crashes.py::test_a_killed_host_fails_its_step"
        "_and_the_run_goes_on_when_resumed",
        "tests/pipelines/execution/test_crashes.py::test_a_run_goes_on_by_itself_after_its_runner"
        "_was_killed",
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_what_holds_with_forks_holds_without(case: str, tmp_path: Path) -> None:
    path = os.pathsep.join(filter(None, [str(HIDING), os.environ.get("PYTHONPATH")]))
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'base'}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *CASES[case]],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


def test_it_is_really_hidden() -> None:
    program = "import os, sys; print(hasattr(os, 'fork'), sys.modules['fcntl'])"
    environment = {**os.environ, "PYTHONPATH": str(HIDING)}
    told = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)
    assert told == "False None\n"
