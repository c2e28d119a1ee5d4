"""Opening the database: SQLite in WAL mode by default, PostgreSQL by URL, migrated on the way."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.exc import OperationalError

from pipelines.store.tables import metadata
from pipelines.workspace import Workspace

HEAD = "0003"
"""The newest migration; a test holds it equal to what Alembic finds in ``versions/``."""

BUSY_TIMEOUT_SECONDS = 30

_alembic_version = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)
"""Where Alembic looks for the migration that a database is at."""


class Database:
    """Connections to one workspace's database; safe to use from several processes at once."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._writer = self.engine.execution_options(writing=True)

    @classmethod
    def open(cls, workspace: Workspace) -> Database:
        """The workspace's database at the newest schema, made when it is not there."""
        workspace.make()
        database = cls(workspace.database_url)
        if database.schema_version() != HEAD:
            with _exclusive(workspace.root / "migrating.lock"):
                if database.is_empty():
                    database.make()
                elif database.schema_version() != HEAD:
                    database.migrate()
        return database

    def is_empty(self) -> bool:
        """True when nothing was ever made in it."""
        return not inspect(self.engine).get_table_names()

    def schema_version(self) -> str | None:
        """The migration the database is at; None for an empty one."""
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()

    def make(self) -> None:
        """Make the newest schema in an empty database: sooner than by all migrations there were."""
        with self.transaction() as connection:
            metadata.create_all(connection)
            _alembic_version.create(connection)
            connection.execute(_alembic_version.insert().values(version_num=HEAD))

    def migrate(self, revision: str = "head") -> None:
        """Bring the schema to a migration, each step in a transaction of its own."""
        from alembic import command
        from alembic.config import Config

        configuration = Config()
        configuration.set_main_option("script_location", str(Path(__file__).parent))
        configuration.attributes["engine"] = self.engine
        command.upgrade(configuration, revision)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection whose writes are all kept or, on an exception, all undone."""
        with self._writer.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for queries."""
        with self.engine.connect() as connection:
            yield connection

    def close(self) -> None:
        self.engine.dispose()


class ChangeWatch:
    """Tells cheaply whether another connection has written since the last look."""

    def __init__(self, database: Database) -> None:
        self._connection = database.engine.connect()
        self._is_sqlite = database.engine.dialect.name == "sqlite"
        self._version: int | None = None

    def changed(self) -> bool:
        """True at the first call and after any commit of another connection."""
        if not self._is_sqlite:
            return True
        version = self._connection.exec_driver_sql("PRAGMA data_version").scalar()
        self._connection.rollback()
        changed, self._version = version != self._version, version
        return changed

    def close(self) -> None:
        self._connection.close()


OperationalFailure = OperationalError
"""What a write raises when the machine, not the statement, is at fault."""


def is_disk_full(error: OperationalFailure) -> bool:
    """True when a write to the database failed for want of space."""
    return "disk is full" in str(error)


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_SECONDS})
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _configure_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun below, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Connection) -> None:
    # A read transaction that turns into a write one fails at once when another process has
    # written in between; taking the write lock first waits for it instead.
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
