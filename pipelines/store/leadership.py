"""Who executes the runs where several machines could: one at a time, known by a lock of the server.

The lock is the server's to give back, also where the leader's machine is gone. A leader that was
cut off and does not know it yet is kept out by its epoch: whatever it writes is checked against
the newest one, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, select, text

from pipelines.errors import DatabaseAwayError, LeadershipLostError
from pipelines.store.database import Database
from pipelines.store.locking import LOCK_CLASS
from pipelines.store.tables import leaders

LEADER_LOCK = 2
OFFICE = "runner"


class Leadership:
    """Of one process. With SQLite, a file of one machine, the runner's own lock is all it takes."""

    def __init__(self, database: Database, holder: Mapping[str, Any]) -> None:
        self._database = database
        self._holder = dict(holder)
        self._connection: Connection | None = None
        self._epoch: int | None = None

    def take(self) -> bool:
        """Begin to lead; False while somebody else does."""
        if self._database.is_sqlite:
            return True
        if not self._lock():
            return False
        self._epoch = self._next_epoch()
        return True

    def keep(self) -> None:
        """Take the lock again where the server has lost it with the connection.

        Raises ``LeadershipLostError`` where somebody else was faster, ``DatabaseAwayError`` where
        nobody can tell yet.
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
        """In a transaction, before it writes: that nobody else leads until it ends.

        Raises ``LeadershipLostError``.
        """
        if self._epoch is None:
            return
        query = select(leaders.c.epoch).where(leaders.c.office == OFFICE)
        if connection.execute(query.with_for_update(read=True)).scalar() != self._epoch:
            raise LeadershipLostError

    @contextmanager
    def held(self) -> Iterator[None]:
        """That nobody else begins to lead for as long as the block runs: for what changes files.

        Raises ``LeadershipLostError`` where somebody else leads already.
        """
        if self._epoch is None:
            yield
            return
        with self._database.transaction() as connection:
            self.check(connection)  # its row is shared until the end, and the next epoch waits
            yield

    def close(self) -> None:
        """Let somebody else lead."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # one that is cut off has lost it
                _unlock(connection)
            with suppress(Exception):  # the pool would keep it
                connection.invalidate()
                connection.close()

    def _lock(self) -> bool:
        """Whether its connection has the lock; one that was cut off is never used again."""
        try:
            self._connection = self._connection or _own_connection(self._database)
            return _try_lock(self._connection)
        except DatabaseAwayError:
            self.close()
            raise

    def _next_epoch(self) -> int:
        from sqlalchemy.dialects.postgresql import insert  # loaded for none but its workspaces

        added = insert(leaders).values(office=OFFICE, epoch=1, holder=self._holder)
        raised = {"epoch": leaders.c.epoch + 1, "holder": self._holder}
        statement = added.on_conflict_do_update(index_elements=["office"], set_=raised)
        with self._database.transaction() as connection:
            return int(connection.execute(statement.returning(leaders.c.epoch)).scalar_one())


@contextmanager
def vacant(database: Database) -> Iterator[bool]:
    """True, and nobody can begin to lead meanwhile, where nobody does on any machine."""
    if database.is_sqlite:
        yield True
        return
    with _own_connection(database) as connection:
        try:
            yield _try_lock(connection)
        finally:
            with suppress(DatabaseAwayError):  # then it is gone with the connection
                _unlock(connection)


def _own_connection(database: Database) -> Connection:
    return database.engine.execution_options(isolation_level="AUTOCOMMIT").connect()


def _unlock(connection: Connection) -> None:
    connection.exec_driver_sql("SELECT pg_advisory_unlock_all()")


def _try_lock(connection: Connection) -> bool:
    lock = {"group": LOCK_CLASS, "key": LEADER_LOCK}
    query = text("SELECT pg_try_advisory_lock(:group, :key)")
    return bool(connection.execute(query, lock).scalar())
