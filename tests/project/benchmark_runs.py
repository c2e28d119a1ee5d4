"""Runs of ``python -m benchmarks``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.project.source import ROOT

OURS = "Pipeline Designer"


def run_benchmarks(
    *arguments: str | Path, seconds: float = 900
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m benchmarks`` in its own process."""
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def measure_small(identifier: str, folder: Path, rounds: int = 2, *more: str) -> dict[str, Any]:
    """Run the tiny form of a benchmark and return its result."""
    scratch = folder / "scratch"
    scratch.mkdir(parents=True)
    (scratch / "of the user").touch()
    process = run_benchmarks(
        *(identifier, "--small", "--rounds", str(rounds), "--peers", "", *more),
        *("--results", folder / "results", "--scratch", scratch),
    )
    assert process.returncode == 0, process.stderr
    assert [path.name for path in scratch.iterdir()] == ["of the user"]
    result = json.loads((folder / "results" / f"{identifier}.json").read_text())
    assert isinstance(result, dict)
    return result
