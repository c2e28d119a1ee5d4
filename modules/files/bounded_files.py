"""Cached files within a limit of bytes: the least recently used are removed first."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from modules.files.locks import is_held, remove_unless_held

FREE_FRACTION = 0.5
"""Fraction of the free disk space that one file may use."""
UNUSED_SECONDS = 30 * 24 * 3600.0
"""Age since the last use from which garbage collection removes a file."""


def make_room(folder: Path, paths: Collection[Path], num_bytes: int, limit_bytes: int) -> bool:
    """Return True if a file may be added; removes the least recently used files.

    Args:
        folder: Folder of the new file, which exists.
        paths: All files that the limit is for.
        num_bytes: Size of the new file.
        limit_bytes: Maximum size of all of them together.
    """
    if num_bytes > min(limit_bytes, shutil.disk_usage(folder).free * FREE_FRACTION):
        return False
    excess = total_bytes(paths) + num_bytes - limit_bytes
    for path in sorted(paths, key=last_use):
        if excess <= 0:
            break
        size = size_of(path)
        if remove_unless_held(path):
            excess -= size
    return excess <= 0


def unneeded(
    paths: Collection[Path],
    limit_bytes: int,
    is_damaged: Callable[[Path], bool] = lambda _: False,
) -> list[Path]:
    """Return the files that no process uses: damaged, long unused, and beyond the limit."""
    oldest = time.time() - UNUSED_SECONDS
    excess = total_bytes(paths) - limit_bytes
    chosen = []
    for path in sorted(paths, key=last_use):
        is_unneeded = excess > 0 or last_use(path) < oldest or is_damaged(path)
        if is_unneeded and not is_held(path):
            excess -= size_of(path)
            chosen.append(path)
    return chosen


def total_bytes(paths: Iterable[Path]) -> int:
    """Return the size of files; those that are gone count as empty."""
    return sum(map(size_of, paths))


def size_of(path: Path) -> int:
    """Return the size of a file; 0 if it is gone."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def last_use(path: Path) -> float:
    """Return the modification time, which each use sets; 0 if the file is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
