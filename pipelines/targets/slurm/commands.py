"""Slurm's commands on this machine: what they print is the one interface that stays the same."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from pipelines.errors import RefusedError
from pipelines.sentences import targets as say
from pipelines.targets.command_line import run_program
from pipelines.targets.engine import EngineSilentError

COMMAND_SECONDS = 60.0
"""A controller that is away lets its commands wait for some twenty seconds."""
SILENCE = ("Unable to contact", "Socket timed out", "Connection refused", "Zero Bytes", "timed out")
"""What Slurm's commands say when the controller is away or busy."""
KEPT_VARIABLES = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "PYTHONPATH", "SLURM_CONF")
"""Of this process's environment what jobs get: Slurm writes it down."""


def run(command: Sequence[str], seconds: float = COMMAND_SECONDS) -> str:
    """What a command of Slurm's prints.

    Raises ``EngineSilentError`` where the controller does not answer, and ``RefusedError`` with
    Slurm's own words for what it does not do.
    """
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    try:
        done = run_program(command, seconds, kept)
    except FileNotFoundError:
        raise RefusedError(say.NO_SLURM_COMMAND, command=command[0]) from None
    except subprocess.TimeoutExpired:
        raise EngineSilentError(f"{command[0]} did not end") from None
    if done.returncode == 0:
        return done.stdout
    if "configuration source" in done.stderr:
        raise RefusedError(say.NO_SLURM_CONFIGURATION, command=command[0])
    if any(sign in done.stderr for sign in SILENCE):
        raise EngineSilentError(done.stderr.strip()[-300:])
    raise RefusedError(say.SLURM_REFUSES, command=command[0], why=_words(done.stderr))


def _words(stderr: str) -> str:
    """What a command complained of, in a line."""
    lines = [line.partition("error: ")[2] or line for line in stderr.strip().splitlines()]
    return "; ".join(filter(None, lines))[:400].rstrip(".") or "no reason given"
