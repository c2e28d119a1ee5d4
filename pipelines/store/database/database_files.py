"""Open files of an SQLite database, and whether they still have their names.

While a connection is open, the database, its log and the log's index must not be removed. If that
happens anyway (``rm``, a cleanup program), SQLite keeps writing to nameless files that vanish with
the process: see ``rescue``.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from sqlalchemy import Engine, event

from modules.operating_system.kernel import open_descriptors
from pipelines.errors import WorkspaceGoneError

WATCHED = ("", "-wal", "-shm")
BESIDE = ("artifacts", "runs")
"""Folders that are missing only while a whole workspace is being removed."""
Identity = tuple[int, int] | None


class DatabaseFiles:
    """Open connections to one database and the files that they opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names = [os.fspath(self.file(suffix)) for suffix in WATCHED]
        self._parent = os.fspath(path.parent)
        self.connections: set[sqlite3.Connection] = set()
        self._folder = identity(self._parent)
        self._beside = [name for name in BESIDE if (path.parent / name).is_dir()]
        self._opened: tuple[Identity, ...] = ()

    def listen(self, engine: Engine) -> None:
        """Register for every connection that the engine opens and closes."""
        event.listen(engine, "connect", lambda connection, _: self._opened_one(connection))
        event.listen(engine, "close", lambda connection, _: self.connections.discard(connection))

    def _opened_one(self, connection: sqlite3.Connection) -> None:
        """Record the files with the first connection."""
        connection.execute("PRAGMA schema_version").fetchone()  # the log exists only now
        if not self.connections:
            self._opened = self._found()
        self.connections.add(connection)

    @property
    def are_gone(self) -> bool:
        """Return True if the names lead to other files than the open ones, or to none.

        Raises ``WorkspaceGoneError`` if the whole folder was removed.
        """
        if self._folder is None or identity(self._parent) != self._folder:
            raise WorkspaceGoneError(self.path.parent)
        return bool(self.connections) and self._found() != self._opened

    def require_folder(self) -> None:
        """Raise ``WorkspaceGoneError`` also if the workspace is about to be removed."""
        _ = self.are_gone
        if any(not (self.path.parent / name).is_dir() for name in self._beside):
            raise WorkspaceGoneError(self.path.parent)

    def file(self, suffix: str) -> Path:
        """File of the database, its log or the log's index."""
        return self.path.with_name(self.path.name + suffix)

    def is_open(self, suffix: str) -> bool:
        """Return True if the name still leads to the open file."""
        return identity(self.file(suffix)) == self._opened[WATCHED.index(suffix)]

    def descriptor(self) -> int:
        """Return SQLite's own descriptor of the open database: never close it here."""
        expected = self._opened[0]
        for descriptor in open_descriptors():
            try:
                facts = os.fstat(descriptor)
            except OSError:
                continue
            if (facts.st_dev, facts.st_ino) == expected:
                return descriptor
        raise FileNotFoundError(f"{self.path} is not open")

    def close(self) -> None:
        """Close every connection, even those in use."""
        for connection in tuple(self.connections):
            connection.close()
        self.connections.clear()

    def _found(self) -> tuple[Identity, ...]:
        return tuple(map(identity, self._names))


def identity(path: str | Path) -> Identity:
    """Return device and inode behind a name; None if there is no file."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino
