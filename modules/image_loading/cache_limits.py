"""The folder of decoded images: how large it may grow, and what goes first."""

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
"""Of files of decoded images, as caches of earlier versions have it too."""
UNFINISHED_SUFFIX = ".part"
_BYTES_PER_BLOCK = 512
"""Of ``st_blocks``."""


@dataclass(frozen=True)
class CacheLimits:
    """Bytes that one data set and all of them together may take on disk."""

    file_bytes: int = 8 * GIB
    total_bytes: int = 32 * GIB
    free_fraction: float = 0.5
    """Part of the free disk space that one data set may take."""

    @classmethod
    def from_environment(cls) -> CacheLimits:
        """The defaults, or ``DESIGNER_DECODED_GIB`` for one data set and four times it for all."""
        try:
            file_bytes = int(float(os.environ.get("DESIGNER_DECODED_GIB", "8")) * GIB)
        except (ValueError, OverflowError):
            return cls()
        return cls(max(0, file_bytes), max(0, file_bytes) * 4)

    def allow(self, num_bytes: int, folder: Path) -> bool:
        """True where a file of decoded images of ``num_bytes`` may be made in ``folder``."""
        free_bytes = shutil.disk_usage(folder).free - _promised_bytes(folder)
        return num_bytes <= min(self.file_bytes, int(free_bytes * self.free_fraction))


def reserve(file: IO[bytes], path: Path, num_bytes: int, limits: CacheLimits) -> bool:
    """Give an unfinished file its full length, before anything is written to it.

    False where there is no room for it: a file in use is not deleted for another one. Its length
    counts from here on, so two that are begun at once never exceed the limit together.
    """
    _remove_leftovers(path.parent)
    if not limits.allow(num_bytes, path.parent):
        return False
    try:
        file.truncate(num_bytes)
    except OSError:  # more than this file system has in one file
        return False
    return make_room(path.parent, limits)


def make_room(folder: Path, limits: CacheLimits) -> bool:
    """Delete what dead processes left and the files unused for longest, never one in use.

    True where what is there now, unfinished files at their full length, keeps the limit.
    """
    _remove_leftovers(folder)
    decoded = _files(folder, DECODED_SUFFIX)
    unfinished = _files(folder, UNFINISHED_SUFFIX)
    excess = sum(status.st_size for _, status in [*decoded, *unfinished]) - limits.total_bytes
    for path, status in sorted(decoded, key=lambda each: each[1].st_mtime_ns):
        if excess <= 0:
            break
        if remove_unless_held(path):
            excess -= status.st_size
    return excess <= 0


def _remove_leftovers(folder: Path) -> None:
    for leftover in folder.glob(f"*{UNFINISHED_SUFFIX}"):
        remove_unless_held(leftover)


def _promised_bytes(folder: Path) -> int:
    """What unfinished files will still take of the disk."""
    files = _files(folder, UNFINISHED_SUFFIX)
    return sum(max(0, status.st_size - _written_bytes(status)) for _, status in files)


def _written_bytes(status: os.stat_result) -> int:
    """What a file takes of the disk by now; Windows gives all of it at once."""
    if not hasattr(status, "st_blocks"):
        return status.st_size
    return status.st_blocks * _BYTES_PER_BLOCK


def _files(folder: Path, suffix: str) -> list[tuple[Path, os.stat_result]]:
    return [*_statuses(folder.glob(f"*{suffix}"))]


def _statuses(paths: Iterator[Path]) -> Iterator[tuple[Path, os.stat_result]]:
    for path in paths:
        with suppress(FileNotFoundError):
            yield path, path.stat()
