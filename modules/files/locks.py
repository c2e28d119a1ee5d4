"""Files that say they are in use: a lock that ends with the process, however it ends."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import IO


def _fcntl() -> ModuleType | None:
    """The POSIX module of file locks; None on Windows, which protects open files by itself."""
    try:
        return importlib.import_module("fcntl")
    except ImportError:
        return None


def hold(file: IO[bytes]) -> None:
    """Mark an open file as in use until it is closed; many may hold it at once."""
    fcntl = _fcntl()
    if fcntl is not None:
        # A file system without locks (some network mounts) keeps no marks: nothing to hold.
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


@contextmanager
def alone(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold a lock file that one may hold at a time; ``waiting`` is called while another does."""
    fcntl = _fcntl()
    with path.open("ab") as file:
        while fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                waiting()
                time.sleep(0.1)
        yield


def remove_unless_held(path: Path) -> bool:
    """Delete a file that no living process holds; True where it is gone now."""
    fcntl = _fcntl()
    try:
        with path.open("rb") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
        path.unlink(missing_ok=True)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
