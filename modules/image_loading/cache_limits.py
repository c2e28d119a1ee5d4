"""Limits of the folder of decoded images, and the order of removal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from modules.files.locks import remove_unless_held

GIB = 2**30
DECODED_SUFFIX = ".slab"
"""Suffix of files of decoded images, also in caches of earlier versions."""
UNFINISHED_SUFFIX = ".part"
_BYTES_PER_BLOCK = 512
"""Bytes per block of ``st_blocks``."""


@dataclass(frozen=True)
class CacheLimits:
    """Maximum bytes on disk for one dataset and for all of them together."""

    file_bytes: int = 8 * GIB
    total_bytes: int = 32 * GIB
    free_fraction: float = 0.5
    """Fraction of the free disk space that one dataset may use."""

    @classmethod
    def from_environment(cls) -> CacheLimits:
        """Return the limits: ``DESIGNER_DECODED_GIB`` for one dataset, four times it for all."""
        try:
            file_bytes = int(float(os.environ.get("DESIGNER_DECODED_GIB", "8")) * GIB)
        except (ValueError, OverflowError):
            return cls()
        return cls(max(0, file_bytes), max(0, file_bytes) * 4)

    def allow(self, num_bytes: int, folder: Path) -> bool:
        """Return True if a file of decoded images of ``num_bytes`` may be created in ``folder``."""
        free_bytes = shutil.disk_usage(folder).free - _promised_bytes(folder)
        return num_bytes <= min(self.file_bytes, int(free_bytes * self.free_fraction))


def reserve(file: IO[bytes], path: Path, num_bytes: int, limits: CacheLimits) -> bool:
    """Give an unfinished file its full length, before anything is written to it.

    False if there is no space for it: a file in use is not deleted for another one. Its length
    counts from here on, so two files created at the same time never exceed the limit together.
    """
    _remove_leftovers(path.parent)
    if not limits.allow(num_bytes, path.parent):
        return False
    try:
        file.truncate(num_bytes)
    except OSError:  # exceeds the maximum file size of this file system
        return False
    return make_room(path.parent, limits)


def make_room(folder: Path, limits: CacheLimits) -> bool:
    """Delete files of dead processes and the least recently used files, never one in use.

    Returns True if the remaining files, unfinished ones at their full length, are within the limit.
    """
    _remove_leftovers(folder)
    decoded = _files(folder, DECODED_SUFFIX)
    unfinished = _files(folder, UNFINISHED_SUFFIX)
    excess = sum(status.st_size for _, status in [*decoded, *unfinished]) - limits.total_bytes
    for path, status in sorted(decoded, key=lambda entry: entry[1].st_mtime_ns):
        if excess <= 0:
            break
        if remove_unless_held(path):
            excess -= status.st_size
    return excess <= 0


def _remove_leftovers(folder: Path) -> None:
    for leftover in folder.glob(f"*{UNFINISHED_SUFFIX}"):
        remove_unless_held(leftover)


def _promised_bytes(folder: Path) -> int:
    """Return the disk space that unfinished files will still need."""
    files = _files(folder, UNFINISHED_SUFFIX)
    return sum(max(0, status.st_size - _written_bytes(status)) for _, status in files)


def _written_bytes(status: os.stat_result) -> int:
    """Return the disk space that a file uses; Windows allocates all of it at once."""
    if not hasattr(status, "st_blocks"):
        return status.st_size
    return status.st_blocks * _BYTES_PER_BLOCK


def _files(folder: Path, suffix: str) -> list[tuple[Path, os.stat_result]]:
    return [*_statuses(folder.glob(f"*{suffix}"))]


def _statuses(paths: Iterator[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    for path in paths:
        with suppress(FileNotFoundError):
            yield path, path.stat()
