"""The folder of decoded images: how large it may grow, and what goes first."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from modules.images.locks import remove_unless_held

GIB = 2**30
SLAB_SUFFIX = ".slab"
UNFINISHED_SUFFIX = ".part"


@dataclass(frozen=True)
class CacheLimits:
    """Bytes that one data set and all of them together may take on disk."""

    slab_bytes: int = 8 * GIB
    total_bytes: int = 32 * GIB
    free_fraction: float = 0.5
    """Part of the free disk space that one data set may take."""

    @classmethod
    def from_environment(cls) -> CacheLimits:
        """The defaults, or ``DESIGNER_DECODED_GIB`` for one data set and four times it for all."""
        try:
            slab_bytes = int(float(os.environ.get("DESIGNER_DECODED_GIB", "8")) * GIB)
        except (ValueError, OverflowError):
            return cls()
        return cls(max(0, slab_bytes), max(0, slab_bytes) * 4)

    def allow(self, num_bytes: int, folder: Path) -> bool:
        """True where a slab of ``num_bytes`` may be made in ``folder``."""
        free_bytes = shutil.disk_usage(folder).free
        return num_bytes <= min(self.slab_bytes, int(free_bytes * self.free_fraction))


def make_room(folder: Path, num_bytes: int, limits: CacheLimits) -> None:
    """Delete what dead processes left and the longest unused slabs, never one in use."""
    for leftover in folder.glob(f"*{UNFINISHED_SUFFIX}"):
        remove_unless_held(leftover)
    slabs = []
    for path in folder.glob(f"*{SLAB_SUFFIX}"):
        with suppress(FileNotFoundError):
            status = path.stat()
            slabs.append((status.st_mtime_ns, status.st_size, path))
    excess = num_bytes + sum(size for _, size, _ in slabs) - limits.total_bytes
    for _, size, path in sorted(slabs):
        if excess <= 0:
            return
        if remove_unless_held(path):
            excess -= size
