"""Pipes: named ones, which Windows has none of, and how much they hold."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

PIPE_BYTES = 2**20


def can_make_named_pipes() -> bool:
    """Return True if the system has named pipes."""
    return hasattr(os, "mkfifo")


def make_named_pipe(path: Path) -> None:
    """Make a named pipe for this user alone, in the place of an earlier one. Raises ``OSError``."""
    path.unlink(missing_ok=True)
    os.mkfifo(path, 0o600)


def open_to_read(path: str) -> int:
    """Open a named pipe without waiting for who writes to it. Raises ``OSError``."""
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def enlarge_pipe(descriptor: int) -> None:
    """Let a pipe hold more, so that who prints much waits less often; Linux can do that."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
