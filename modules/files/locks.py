"""Lock files: a lock marks a file as in use and ends with the process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from modules.operating_system.locks import can_share_locks, lock, try_lock


def hold(file: IO[bytes]) -> None:
    """Mark an open file as in use until it is closed; several processes may hold it at once."""
    if can_share_locks():  # Windows protects open files automatically
        # A file system without locks (some network mounts) cannot hold marks.
        with suppress(OSError):
            try_lock(file, shared=True)


@contextmanager
def alone(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold an exclusive lock file; ``waiting`` is called while another process holds it."""
    with path.open("ab") as file:
        while not try_lock(file):
            waiting()
            time.sleep(0.1)
        yield


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock file, after waiting for other processes."""
    with path.open("a") as file:
        lock(file)
        yield


def is_held(path: Path) -> bool:
    """True if a living process holds a file, or if that cannot be determined."""
    try:
        with path.open("rb") as file:
            return not try_lock(file)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def remove_unless_held(path: Path) -> bool:
    """Delete a file that no living process holds; return True if it is gone."""
    try:
        with path.open("rb") as file:
            if can_share_locks():
                if not try_lock(file):
                    return False
                path.unlink()
        path.unlink(missing_ok=True)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
