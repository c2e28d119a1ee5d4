"""The command ``designer``: in this process, or as people start it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.runs.run_service import RunService


def designer(runs: RunService, *arguments: str | Path, piped: str | bytes | None = None) -> Result:
    """A command in the workspace of these runs, in this process: to start one takes a second.

    ``piped`` is its standard input.
    """
    kept = {item: signal.getsignal(item) for item in (signal.SIGINT, signal.SIGTERM)}
    try:
        return CliRunner().invoke(app, _command(runs, arguments), input=piped)
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def as_process(runs: RunService, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The same as a process of its own, with its own standard output."""
    command = [sys.executable, "-m", "pipelines.cli", *_command(runs, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def _command(runs: RunService, arguments: tuple[str | Path, ...]) -> list[str]:
    return [*map(str, arguments), "--workspace", str(runs.workspace.root)]
