"""Pipes: named ones, which Windows does not support, and their capacity."""

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
    """Create a named pipe for this user alone, replacing an earlier one. Raises ``OSError``."""
    path.unlink(missing_ok=True)
    os.mkfifo(path, 0o600)


def open_to_read(path: str) -> int:
    """Open a named pipe without waiting for a writer. Raises ``OSError``."""
    return os.open(path, os.O_RDONLY | os.O_NONBLOCK)


def enlarge_pipe(descriptor: int) -> None:
    """Enlarge a pipe, so that processes with much output wait less often; only on Linux."""
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
