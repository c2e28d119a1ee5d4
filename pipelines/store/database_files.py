"""The files that SQLite has open for one database of this process, and whether they are still it.

While a connection is open, nobody may remove the database, its log or the log's index. Where that
happens all the same (``rm``, a program that tidies up), SQLite goes on writing into files without
a name, and all of it is gone with the process: see ``rescue``.
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
"""Folders that are missing only where a whole workspace is being removed."""
Identity = tuple[int, int] | None


class DatabaseFiles:
    """The open connections to one database and the files they were opened on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names = [os.fspath(self.file(suffix)) for suffix in WATCHED]
        self._parent = os.fspath(path.parent)
        self.connections: set[sqlite3.Connection] = set()
        self._folder = identity(self._parent)
        self._beside = [name for name in BESIDE if (path.parent / name).is_dir()]
        self._opened: tuple[Identity, ...] = ()

    def listen(self, engine: Engine) -> None:
        """Hear of every connection that the engine opens and closes."""
        event.listen(engine, "connect", lambda made, _: self._opened_one(made))
        event.listen(engine, "close", lambda made, _: self.connections.discard(made))

    def _opened_one(self, connection: sqlite3.Connection) -> None:
        """The first one says which files there are."""
        connection.execute("PRAGMA schema_version").fetchone()  # only now is the log there
        if not self.connections:
            self._opened = self._found()
        self.connections.add(connection)

    @property
    def are_gone(self) -> bool:
        """True where the names lead to other files than those that are open, or to none.

        Raises ``WorkspaceGoneError`` where the whole folder is gone.
        """
        if self._folder is None or identity(self._parent) != self._folder:
            raise WorkspaceGoneError(self.path.parent)
        return bool(self.connections) and self._found() != self._opened

    def require_folder(self) -> None:
        """Raise ``WorkspaceGoneError`` also where the workspace is only about to be gone."""
        _ = self.are_gone
        if any(not (self.path.parent / name).is_dir() for name in self._beside):
            raise WorkspaceGoneError(self.path.parent)

    def file(self, suffix: str) -> Path:
        """The database's file, its log or the log's index."""
        return self.path.with_name(self.path.name + suffix)

    def is_open(self, suffix: str) -> bool:
        """True where the name still leads to the file that is open."""
        return identity(self.file(suffix)) == self._opened[WATCHED.index(suffix)]

    def descriptor(self) -> int:
        """A descriptor of the open database, SQLite's own: never to be closed here."""
        wanted = self._opened[0]
        for descriptor in open_descriptors():
            try:
                facts = os.fstat(descriptor)
            except OSError:
                continue
            if (facts.st_dev, facts.st_ino) == wanted:
                return descriptor
        raise FileNotFoundError(f"{self.path} is not open")

    def close(self) -> None:
        """Close every connection, whoever uses it."""
        for connection in tuple(self.connections):
            connection.close()
        self.connections.clear()

    def _found(self) -> tuple[Identity, ...]:
        return tuple(map(identity, self._names))


def identity(path: str | Path) -> Identity:
    """Device and inode of what a name leads to; None where it leads to nothing."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino
