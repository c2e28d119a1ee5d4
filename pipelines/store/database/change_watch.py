"""Cheap detection of writes: polling SQLite, listening to PostgreSQL."""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection

from pipelines.errors import DatabaseError
from pipelines.store.database.connections import Database

logger = logging.getLogger(__name__)

POLL_INTERVAL_SECONDS = 1.0
"""Polling interval without notifications, and delay between attempts to listen again."""


class ChangeWatch:
    """Cheap detection of writes by other connections since the last check."""

    def __init__(self, database: Database) -> None:
        self._watch: _FileWatch | _ServerWatch
        self._watch = _FileWatch(database) if database.is_sqlite else _ServerWatch(database)

    def changed(self) -> bool:
        """Return True at the first call and after any commit of another connection.

        With PostgreSQL also once a second, and for commits that are notified during the check.
        """
        return self._watch.changed()

    def close(self) -> None:
        self._watch.close()


class _FileWatch:
    """Watch on SQLite, which counts the commits of other connections."""

    def __init__(self, database: Database) -> None:
        self._database = database
        with database.using():
            self._connection = database.engine.connect()
            self._generation = database.generation
        self._version: int | None = None

    def changed(self) -> bool:
        with self._database.using():
            version = self._data_version()
        changed, self._version = version != self._version, version
        return changed

    def close(self) -> None:
        self._connection.close()

    def _data_version(self) -> int | None:
        # A connection from before a rescue reads removed files and sees no change.
        if self._generation != self._database.generation:
            self._connection.invalidate()
            self._connection.close()
            self._connection = self._database.engine.connect()
            self._generation, self._version = self._database.generation, None
        try:  # bypasses SQLAlchemy: a runner polls twenty times a second
            return int(self._raw.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.Error:  # which can explain the error
            version = self._connection.exec_driver_sql("PRAGMA data_version").scalar()
            self._connection.rollback()
            return version

    @property
    def _raw(self) -> Any:
        """Return the driver's own connection."""
        return self._connection.connection.driver_connection


class _ServerWatch:
    """Watch on PostgreSQL, which notifies a listening connection of every commit."""

    def __init__(self, database: Database) -> None:
        self._engine = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self._due = 0.0

    def changed(self) -> bool:
        is_due = time.monotonic() >= self._due
        has_news = self._has_news() if self._connection is not None else is_due and self._listen()
        if has_news or is_due:
            self._due = time.monotonic() + POLL_INTERVAL_SECONDS
        return has_news or is_due

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # otherwise it would keep listening in the pool
                connection.invalidate()
                connection.close()

    def _has_news(self) -> bool:
        try:
            return bool(list(self._raw.notifies(timeout=0)))
        except Exception as error:
            logger.warning("The database no longer reports changes: %s", error)
            self.close()
            return True

    def _listen(self) -> bool:
        from pipelines.store.database.postgresql import CHANNEL

        try:
            self._connection = self._engine.connect()
            self._connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        except DatabaseError:
            self.close()  # the query delivers the notification
        return True

    @property
    def _raw(self) -> Any:
        """Return psycopg's own connection."""
        assert self._connection is not None
        return self._connection.connection.driver_connection
