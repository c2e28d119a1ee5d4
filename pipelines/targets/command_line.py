"""Programs of this machine that reach others: they ask nobody, and end when they take long."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence


def run_program(
    command: Sequence[str], seconds: float, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """What a program printed and how it ended, bad text replaced.

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
