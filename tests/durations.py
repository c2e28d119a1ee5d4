"""Seconds that files of tests take: recorded by `make test-full`, read by the scheduler."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RECORD = Path(__file__).with_name("durations.json")
SHORTEST_SECONDS = 2
"""Shorter files are left out: where they run does not matter."""


@cache
def recorded() -> Mapping[str, int]:
    """Return seconds by file, as a path below the root."""
    seconds: dict[str, int] = json.loads(RECORD.read_text("utf-8"))
    return seconds


class DurationRecorder:
    """A plugin of the process that collects the reports of all workers."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write what was measured, and keep what was not if its file is still there."""
        known = {file: seconds for file, seconds in recorded().items() if (ROOT / file).is_file()}
        measured = {file: round(seconds) for file, seconds in self._seconds.items()}
        longest = {
            file: seconds
            for file, seconds in sorted({**known, **measured}.items())
            if seconds >= SHORTEST_SECONDS
        }
        RECORD.write_text(json.dumps(longest, indent=1) + "\n", encoding="utf-8")
