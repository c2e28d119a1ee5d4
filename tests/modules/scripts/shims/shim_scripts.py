"""Scripts that run with the shims and the standard library alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from modules.scripts.shims import SHIMS


def run(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a script that can import the shims and the standard library."""
    environment = {
        **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
        "PYTHONPATH": str(SHIMS),
        **variables,
    }
    return subprocess.run(
        [sys.executable, "-S", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def said(script: str, folder: Path, **variables: str) -> str:
    """Return the output of a script that must succeed."""
    done = run(script, folder, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def logged(path: Path) -> list[tuple[str, float, int | None, int]]:
    """Return the name, value, step and rank of the points in a log of metrics."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    points = [line for line in lines if "value" in line]
    return [(each["name"], each["value"], each["step"], each["rank"]) for each in points]
