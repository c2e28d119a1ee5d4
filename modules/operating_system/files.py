"""Operations on files and folders that differ between systems."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

RETRY_SECONDS = 5.0
"""Seconds of retrying while another process reads a file; writers of whole files read them too."""
_seeking = threading.Lock()
DEFAULT_ACCESS_LIST = "system.posix_acl_default"


def protects_open_files() -> bool:
    """Return True if open files cannot be removed or renamed, as on Windows."""
    return sys.platform == "win32"


def sync_folder(folder: Path) -> None:
    """Ensure that the names in a folder survive a power cut; raises ``OSError``.

    Windows cannot open folders: there the journal of the file system ensures it.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace(source: Path, target: Path) -> None:
    """Rename a file or folder to the name of another one, or to a free one; raises ``OSError``.

    If open files are protected, it waits a while until neither is open.
    """
    deadline = time.monotonic() + RETRY_SECONDS
    while protects_open_files() and time.monotonic() < deadline:
        with suppress(PermissionError):
            os.replace(source, target)
            return
        time.sleep(0.01)
    os.replace(source, target)


def name_first(source: Path, target: Path) -> bool:
    """Rename a file to a free name; return False if that is taken, and change nothing.

    Raises ``OSError``. If the disk does not support hard links, another process may interfere.
    """
    with suppress(FileExistsError):
        try:
            os.link(source, target)
        except FileExistsError:
            raise
        except OSError:
            if target.exists():
                return False
            os.rename(source, target)
        else:
            source.unlink()
        return True
    return False


def is_shared_on_purpose(folder: Path) -> bool:
    """Return True for a folder that a team shares.

    Its group may write, and new files belong to the group (setgid or a default access list).
    """
    try:
        mode = folder.stat().st_mode
        if not mode & stat.S_IWGRP:
            return False
        lists = os.listxattr(folder) if hasattr(os, "listxattr") else []
    except OSError:
        return False
    return bool(mode & stat.S_ISGID) or DEFAULT_ACCESS_LIST in lists


def private_mode(folder: Path) -> int:
    """Return the mode of new files in a folder that hold what only its users may read."""
    return 0o660 if is_shared_on_purpose(folder) else 0o600


def open_private(path: Path) -> int:
    """Open a file to append to, with ``private_mode`` if it is new; return its descriptor.

    Raises ``OSError``.
    """
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, private_mode(path.parent))


def write_at(file: IO[bytes], content: memoryview, offset: int) -> int:
    """Return the number of bytes written at an offset of an unbuffered file; thread-safe."""
    if hasattr(os, "pwrite"):
        return os.pwrite(file.fileno(), content, offset)
    with _seeking:
        file.seek(offset)
        return file.write(content)
