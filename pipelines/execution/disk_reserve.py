"""A little room on the disk, kept back so that the end of a run can be written on a full one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

RESERVE_BYTES = 2**20


class DiskReserve:
    """A file of one MiB that is given up when nothing else fits any more."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def hold(self) -> None:
        """Take the room, unless it is held already or there is none."""
        if self._path.exists():
            return
        try:
            self._path.write_bytes(os.urandom(RESERVE_BYTES))  # zeros may take no blocks
        except OSError:
            self.release()

    def release(self) -> None:
        """Give the room to whoever writes next."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
