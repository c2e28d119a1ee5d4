"""Failed tests are run once more, alone; those that pass then are listed, all others fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.extended
ROOT = Path(__file__).parents[2]
PASSING = "def test_passing():\n    pass\n"
FAILING = "def test_failing():\n    assert 1 == 2\n"
FAILING_ONCE = """
from pathlib import Path

def test_failing_once():
    ran = Path(__file__).with_name("ran")
    first = not ran.exists()
    ran.touch()
    assert not first, "the first time"
"""


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a text as `.ci/run` does, with a worker."""
    (folder / "test_some.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\n")
    arguments = ("-p", "tests.conftest", "-p", "no:cacheprovider", "-n", "1", "--dist", "loadfile")
    return subprocess.run(
        [sys.executable, "-m", "tests.second_chance", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_test_that_passes_alone_does_not_fail_the_run_and_is_listed(tmp_path: Path) -> None:
    ended = run(tmp_path, PASSING + FAILING_ONCE)
    assert ended.returncode == 0, ended.stdout
    listed = ended.stdout.partition("failed once: ")[2]
    assert listed.startswith("test_some.py::test_failing_once\n")
    assert "the first time" in listed


def test_a_test_that_fails_again_fails_the_run(tmp_path: Path) -> None:
    ended = run(tmp_path, PASSING + FAILING + FAILING_ONCE)
    assert ended.returncode == 1
    assert "failed twice: test_some.py::test_failing\n" in ended.stdout
    assert "failed once: test_some.py::test_failing_once\n" in ended.stdout


@pytest.mark.full  # it saves time only
def test_many_failures_are_not_run_again(tmp_path: Path) -> None:
    failing = "".join(f"def test_{number}():\n    assert 0\n" for number in range(11))
    ended = run(tmp_path, failing)
    assert ended.returncode == 1
    assert "run once more" not in ended.stdout


def test_a_file_that_cannot_be_imported_fails_the_run(tmp_path: Path) -> None:
    assert run(tmp_path, "import nothing_of_that_name\n").returncode not in (0, 5)


@pytest.mark.full  # as one whose failures pass
def test_a_run_without_failures_ends_as_pytest_does(tmp_path: Path) -> None:
    ended = run(tmp_path, PASSING)
    assert ended.returncode == 0
    assert "once" not in ended.stdout
