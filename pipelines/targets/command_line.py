"""Execution of programs that contact other machines: non-interactive, with a timeout."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence


def run_program(
    command: Sequence[str], seconds: float, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Return the output and exit code of a program, with undecodable text replaced.

    Raises ``FileNotFoundError`` and ``subprocess.TimeoutExpired``.
    """
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
        env=environment,
    )
