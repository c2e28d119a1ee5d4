"""Files that only SQLite may open in this process: those of its open databases.

POSIX releases every lock that a process holds on a file as soon as the process closes any
descriptor of that file (SQLite's "How To Corrupt An SQLite Database File", 2.2). Another process
then assumes that it is the last one, deletes the write-ahead log, and all later writes are lost. So
code that opens a database registers it here, and Python's ``open`` rejects its files from then on,
by whatever name: through links, ``..`` or the system's list of open files.
"""

from __future__ import annotations

import errno
import os
import sys
from collections import Counter
from pathlib import Path

SUFFIXES = ("", "-wal", "-shm", "-journal")
"""Suffixes of a database's name in the names of its files."""

REASON = "it belongs to the designer's own database"

_open_databases: Counter[str] = Counter()


class DatabaseFileError(PermissionError):
    """Code other than SQLite tried to open a file of a database."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EACCES, REASON, str(path))


def hold(database: Path) -> None:
    """Register a database, so that only SQLite may open it; call it each time it is opened."""
    if not _open_databases:
        _install()
    _open_databases[str(database)] += 1


def let_go(database: Path) -> None:
    """Unregister a database; call it each time it is closed."""
    _open_databases[str(database)] -= 1
    if _open_databases[str(database)] <= 0:
        del _open_databases[str(database)]


def held() -> frozenset[tuple[int, int]]:
    """Return device and inode of every file of the databases that are open here."""
    files = set()
    for database in tuple(_open_databases):
        for suffix in SUFFIXES:
            try:
                facts = os.stat(database + suffix)
            except OSError:
                continue
            files.add((facts.st_dev, facts.st_ino))
    return frozenset(files)


def is_held(path: Path) -> bool:
    """Return True if a path leads to such a file; nothing is opened."""
    if not _open_databases:
        return False
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return False
    return (facts.st_dev, facts.st_ino) in held()


_is_installed = False


def _install() -> None:
    global _is_installed
    if not _is_installed:
        sys.addaudithook(_refuse)  # Python cannot remove an audit hook
        _is_installed = True


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open" or not isinstance(arguments[0], (str, bytes)):
        return  # a number is a descriptor of a file that is already open
    path = Path(os.fsdecode(arguments[0]))
    if is_held(path):
        raise DatabaseFileError(path)
