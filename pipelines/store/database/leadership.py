"""Election of the one machine that executes the runs, by a lock of the database server.

The server releases the lock when the leader's machine is lost. A disconnected leader that does not
know it yet is fenced by its epoch: whatever it writes is checked against the newest one in the same
transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, select, text

from pipelines.errors import DatabaseAwayError, LeadershipLostError
from pipelines.store.database.connections import Database
from pipelines.store.database.locking import LOCK_CLASS
from pipelines.store.database.tables import leaders

LEADER_LOCK = 2
OFFICE = "runner"


class Leadership:
    """Leadership of one process. With SQLite, a local file, the runner's own lock suffices."""

    def __init__(self, database: Database, holder: Mapping[str, Any]) -> None:
        self._database = database
        self._holder = dict(holder)
        self._connection: Connection | None = None
        self._epoch: int | None = None

    def take(self) -> bool:
        """Become the leader; return False while another process leads."""
        if self._database.is_sqlite:
            return True
        if not self._lock():
            return False
        self._epoch = self._next_epoch()
        return True

    def keep(self) -> None:
        """Acquire the lock again if the server has lost it with the connection.

        Raises ``LeadershipLostError`` if another process was faster, ``DatabaseAwayError`` if the
        server does not respond.
        """
        if self._database.is_sqlite:
            return
        if self._connection is not None:
            try:
                self._connection.exec_driver_sql("SELECT 1")
            except DatabaseAwayError:
                self.close()
            else:
                return
        if not self._lock():
            raise LeadershipLostError

    def check(self, connection: Connection) -> None:
        """Check, in a transaction before it writes, that no other process leads until it ends.

        Raises ``LeadershipLostError``.
        """
        if self._epoch is None:
            return
        query = select(leaders.c.epoch).where(leaders.c.office == OFFICE)
        if connection.execute(query.with_for_update(read=True)).scalar() != self._epoch:
            raise LeadershipLostError

    @contextmanager
    def held(self) -> Iterator[None]:
        """Prevent a change of leader during the block, for changes of files.

        Raises ``LeadershipLostError`` if another process leads already.
        """
        if self._epoch is None:
            yield
            return
        with self._database.transaction() as connection:
            # its row is share-locked until the end, and the next epoch waits
            self.check(connection)
            yield

    def close(self) -> None:
        """Release the leadership."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # a disconnected leader has lost it
                _unlock(connection)
            with suppress(Exception):  # the pool would keep it
                connection.invalidate()
                connection.close()

    def _lock(self) -> bool:
        """Return whether the connection has the lock; a broken one is never used again."""
        try:
            self._connection = self._connection or _own_connection(self._database)
            return _try_lock(self._connection)
        except DatabaseAwayError:
            self.close()
            raise

    def _next_epoch(self) -> int:
        # imported only for workspaces on PostgreSQL
        from sqlalchemy.dialects.postgresql import insert

        added = insert(leaders).values(office=OFFICE, epoch=1, holder=self._holder)
        raised = {"epoch": leaders.c.epoch + 1, "holder": self._holder}
        statement = added.on_conflict_do_update(index_elements=["office"], set_=raised)
        with self._database.transaction() as connection:
            return int(connection.execute(statement.returning(leaders.c.epoch)).scalar_one())


@contextmanager
def vacant(database: Database) -> Iterator[bool]:
    """Yield True, and block other leaders meanwhile, if no process on any machine leads."""
    if database.is_sqlite:
        yield True
        return
    with _own_connection(database) as connection:
        try:
            yield _try_lock(connection)
        finally:
            with suppress(DatabaseAwayError):  # then it is released with the connection
                _unlock(connection)


def _own_connection(database: Database) -> Connection:
    return database.engine.execution_options(isolation_level="AUTOCOMMIT").connect()


def _unlock(connection: Connection) -> None:
    connection.exec_driver_sql("SELECT pg_advisory_unlock_all()")


def _try_lock(connection: Connection) -> bool:
    lock = {"group": LOCK_CLASS, "key": LEADER_LOCK}
    query = text("SELECT pg_try_advisory_lock(:group, :key)")
    return bool(connection.execute(query, lock).scalar())
