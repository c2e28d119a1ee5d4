"""Locks on open files. They end when the file is closed or its process ends.

On POSIX a lock belongs to the open file: a forked child shares it, and it lasts until both have
closed it. Windows has neither forks nor, in Python, shared locks: there every lock is exclusive.
"""

from __future__ import annotations

import importlib
import os
import time
from types import ModuleType
from typing import IO, Any

POLL_SECONDS = 0.05
WINDOWS_BYTE = 2**30
"""Offset of the byte that is locked on Windows, where locked bytes cannot be read: beyond the end
of such files, but reachable for its C library.
"""


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_fcntl: Any = _module("fcntl")
_msvcrt: Any = None if _fcntl else _module("msvcrt")


def can_share_locks() -> bool:
    """Return True if several processes may hold a lock of one file at once."""
    return _fcntl is not None


def try_lock(file: IO[Any], *, shared: bool = False) -> bool:
    """Lock an open file; return False if another process holds it.

    Raises ``OSError`` if the file system does not support locks, as some network mounts.
    """
    try:
        if _fcntl is not None:
            kind = _fcntl.LOCK_SH if shared else _fcntl.LOCK_EX
            _fcntl.flock(file, kind | _fcntl.LOCK_NB)
        elif _msvcrt is not None:
            os.lseek(file.fileno(), WINDOWS_BYTE, os.SEEK_SET)
            _msvcrt.locking(file.fileno(), _msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):  # POSIX and Windows report a held lock in this way
        return False
    return True


def lock(file: IO[Any], *, shared: bool = False) -> None:
    """Lock an open file, waiting as long as another process holds it."""
    if _fcntl is not None:
        _fcntl.flock(file, _fcntl.LOCK_SH if shared else _fcntl.LOCK_EX)
        return
    while not try_lock(file, shared=shared):
        time.sleep(POLL_SECONDS)


def share_bytes(descriptor: int, length: int, start: int) -> None:
    """Acquire POSIX's shared lock of some bytes, as SQLite does, waiting for writers.

    It belongs to the process and ends when the process closes any descriptor of the file. On other
    systems nothing is locked: an open file cannot be removed there.
    """
    if _fcntl is not None:
        _fcntl.lockf(descriptor, _fcntl.LOCK_SH, length, start)


def try_bytes_alone(descriptor: int, length: int, start: int) -> bool:
    """Acquire POSIX's exclusive lock of some bytes; return False if another process shares them.

    On other systems nothing is locked, and the result is True: an open file cannot be renamed
    there.
    """
    if _fcntl is not None:
        try:
            _fcntl.lockf(descriptor, _fcntl.LOCK_EX | _fcntl.LOCK_NB, length, start)
        except (BlockingIOError, PermissionError):
            return False
    return True
