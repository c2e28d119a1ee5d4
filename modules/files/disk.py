"""Errors of the disk with a fix, and scratch folders.

A scratch folder belongs to the process that created it. A lock file next to it is held until that
process ends, so that another process can distinguish an abandoned folder from one that is still
being written.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from modules.errors import ModuleOutOfMemoryError
from modules.files.locks import is_held, remove_unless_held
from modules.operating_system import locks
from modules.sentences import files as say

SCRATCH = ".partial-"
"""Default prefix of scratch folders."""
ABANDONED_SECONDS = 24 * 3600.0
"""Age after which an unlocked temporary file or folder is considered abandoned."""
_LOCK = ".lock"
_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Raise ``ModuleOutOfMemoryError`` if the disk of ``folder``, or a quota on it, is full."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        raise ModuleOutOfMemoryError(say.DISK_FULL, folder=folder) from error


def is_full(error: OSError) -> bool:
    """Return True for errors of a full disk or an exceeded quota."""
    return error.errno in _FULL


@contextmanager
def scratch_folder(parent: Path, prefix: str = SCRATCH) -> Iterator[Path]:
    """Create a hidden folder in ``parent``, and remove it afterwards with its contents.

    A process that is killed leaves it behind, unlocked: see ``remove_abandoned``.
    """
    parent.mkdir(parents=True, exist_ok=True)
    folder, mark = _marked(parent, prefix)
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        mark.close()
        _lock_of(folder).unlink(missing_ok=True)


def abandoned_folders(parent: Path, *prefixes: str) -> list[Path]:
    """Return the scratch folders in ``parent`` that no living process writes to.

    A folder without a lock file was created by an earlier version, or is partly removed. It counts
    once nothing in it has changed for a day.
    """
    return [folder for folder in _scratch_folders(parent, prefixes) if _is_abandoned(folder)]


def remove_abandoned(parent: Path, *prefixes: str) -> list[Path]:
    """Remove the scratch folders that no living process writes to; return them."""
    removed = []
    for folder in abandoned_folders(parent, *prefixes):
        # The lock file is removed first, under its own lock, as its creator may be about to hold
        # it.
        if remove_unless_held(_lock_of(folder)):
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder)
    return removed


def _marked(parent: Path, prefix: str) -> tuple[Path, IO[bytes]]:
    """Return the path of a folder to create, and its lock file, open and locked."""
    while True:
        folder = parent / f"{prefix}{secrets.token_hex(4)}"
        mark = _lock_of(folder).open("xb")
        with suppress(OSError):  # some network file systems do not support locks
            locks.lock(mark, shared=True)
        if os.fstat(mark.fileno()).st_nlink:
            return folder, mark
        mark.close()  # another process removed it as abandoned between its creation and its lock


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}{_LOCK}")


def _scratch_folders(parent: Path, prefixes: tuple[str, ...]) -> list[Path]:
    """Yield scratch folders, and those of which only the lock file exists."""
    if not parent.is_dir():
        return []
    names = {name.removesuffix(_LOCK) for name in os.listdir(parent) if name.startswith(prefixes)}
    return [parent / name for name in sorted(names)]


def _is_abandoned(folder: Path) -> bool:
    if _lock_of(folder).exists():
        return not is_held(_lock_of(folder))
    return is_unchanged_for(folder, ABANDONED_SECONDS)


def is_unchanged_for(path: Path, seconds: float) -> bool:
    """True if nothing at or below ``path`` has changed for that long; False if it is gone."""
    newest = float("-inf")
    for entry in (path, *path.rglob("*")):
        with suppress(FileNotFoundError):
            newest = max(newest, entry.lstat().st_mtime)
    return path.exists() and time.time() - newest > seconds
