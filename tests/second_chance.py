"""Run pytest; run each failed test once more, alone. `.ci/run` calls it with pytest's arguments.

A test that passes the second time does not stop a change, but remains a defect of the product or
of the test: it is listed with its first traceback. `make test-full` gives no second chance.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

MAX_FAILURES = 10
"""More failures are no accident: they are not run again."""


class FailureRecorder:
    """A plugin that writes the node ids of failed tests, each with its first traceback."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failures: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failures.setdefault(report.nodeid, report.longreprtext)

    def pytest_sessionfinish(self) -> None:
        self._path.write_text(json.dumps(self._failures), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Run pytest with these arguments; return 0 if each test passed, at the latest alone."""
    with tempfile.TemporaryDirectory(prefix="designer-") as folder:
        path = Path(folder) / "failures.json"
        code = _pytest(*arguments, "--record-failures", str(path))
        if code != pytest.ExitCode.TESTS_FAILED or not path.exists():
            return code
        failures: dict[str, str] = json.loads(path.read_text("utf-8"))
    if not failures or len(failures) > MAX_FAILURES:
        return code
    print(f"\n{len(failures)} failed: each is run once more, alone.", flush=True)
    failed_again = [test for test in failures if _pytest(test) != pytest.ExitCode.OK]
    for test, traceback in failures.items():
        if test not in failed_again:
            print(f"\nfailed once: {test}\n{traceback}")
    for test in failed_again:
        print(f"\nfailed twice: {test}")
    return pytest.ExitCode.TESTS_FAILED if failed_again else pytest.ExitCode.OK


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
