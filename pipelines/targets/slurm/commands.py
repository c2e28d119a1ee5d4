"""Slurm's commands on this machine: their output is the only stable interface."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from pipelines.errors import RefusedError
from pipelines.sentences import targets as say
from pipelines.targets.command_line import run_program
from pipelines.targets.engine import EngineSilentError

COMMAND_TIMEOUT_SECONDS = 60.0
"""Timeout of a command: Slurm's own retry an absent controller for some twenty seconds."""
SILENCE = ("Unable to contact", "Socket timed out", "Connection refused", "Zero Bytes", "timed out")
"""Messages of Slurm's commands when the controller is absent or busy."""
KEPT_VARIABLES = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "PYTHONPATH", "SLURM_CONF")
"""Variables of this process that jobs receive: Slurm stores them."""


def run(command: Sequence[str], seconds: float = COMMAND_TIMEOUT_SECONDS) -> str:
    """Return the output of a Slurm command.

    Raises ``EngineSilentError`` if the controller does not respond, and ``RefusedError`` with
    Slurm's message if it rejects the command.
    """
    variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    try:
        done = run_program(command, seconds, variables)
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
    """Return a command's error message as one line."""
    lines = [line.partition("error: ")[2] or line for line in stderr.strip().splitlines()]
    return "; ".join(filter(None, lines))[:400].rstrip(".") or "no reason given"
