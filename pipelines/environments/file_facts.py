"""Facts about an environment's files, without reading them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

BYTECODE = "__pycache__"
"""Folder of bytecode, which is created on demand and not part of the installation."""
WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def fingerprint(folder: Path) -> str:
    """Return a hash of the names, sizes and times of all files except bytecode."""
    digest = hashlib.sha256()
    for path, facts in _files(folder):
        if BYTECODE not in path.parts:
            line = f"{path.relative_to(folder)}\0{facts.st_size}\0{facts.st_mtime_ns}\n"
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def count_bytes(folder: Path) -> tuple[int, int]:
    """Return the size of all files, and of those without another hard link."""
    everything = own = 0
    for _, facts in _files(folder):
        everything += facts.st_size
        own += facts.st_size if facts.st_nlink == 1 else 0
    return everything, own


def protect(folder: Path) -> None:
    """Make the files read-only: the cache and other environments share them."""
    for path, facts in _files(folder):
        if facts.st_mode & WRITABLE and stat.S_ISREG(facts.st_mode):
            os.chmod(path, stat.S_IMODE(facts.st_mode) & ~WRITABLE)


def _files(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield every file below a folder in order, without following links."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            yield path, path.lstat()
