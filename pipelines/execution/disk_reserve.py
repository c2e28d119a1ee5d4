"""Disk space reserved for the end events of runs on a full disk."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

RESERVE_BYTES = 2**20


class DiskReserve:
    """File of one MiB that is removed when nothing else fits."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def hold(self) -> None:
        """Reserve the space, unless that is done or the disk is full."""
        if self._path.exists():
            return
        try:
            self._path.write_bytes(os.urandom(RESERVE_BYTES))  # zeros might not allocate blocks
        except OSError:
            self.release()

    def release(self) -> None:
        """Release the space for the next writer."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
