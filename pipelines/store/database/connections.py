"""Connections to the database: SQLite in WAL mode or PostgreSQL, migrated when opened."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import time
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
    make_url,
    text,
)
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
)

from modules.files import database_files
from modules.files.locks import locked
from pipelines.errors import DatabaseDamagedError, DatabaseError
from pipelines.sentences import places
from pipelines.store.database.damage import (
    FULL,
    damage_of,
    damaged,
    explained,
    json_reader,
    require_whole_file,
    undecodable_explained,
)
from pipelines.store.database.database_files import DatabaseFiles
from pipelines.store.database.shared_lock import Gate
from pipelines.store.database.tables import metadata
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

HEAD = "0017"
"""Newest migration; a test compares it with Alembic's head in ``versions/``."""

BUSY_TIMEOUT_SECONDS = 30
RESCUE_DELAY_SECONDS = 0.3
"""Delay before a rescue: if the whole workspace is being removed, nothing is put back."""
RETRY_DELAY_SECONDS = 1.0
"""Delay between two attempts to rescue open data."""

_alembic_version = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)
"""Table in which Alembic stores a database's migration."""


class Database:
    """Connections to one workspace's database; safe to use from several processes at once."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.generation = 0
        """Counter of replacements of all connections."""
        self._is_closed = False
        self._gate = Gate()
        self._retry_at = 0.0
        path = _file_of(self.engine)
        self._files = None if path is None else DatabaseFiles(path)
        if self._files is not None:
            database_files.hold(self._files.path)
            self._files.listen(self.engine)
            event.listen(self.engine, "handle_error", explained(self._files.path))
        # Repeatable reads, as in SQLite.
        snapshots: dict[str, Any] = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._reader = self.engine.execution_options(**snapshots)
        self._writer = self.engine.execution_options(writing=True)
        self._hasty_writer = self.engine.execution_options(writing=True, hasty=True)

    @classmethod
    def open(cls, workspace: Workspace, url: str | None = None) -> Database:
        """Open the workspace's database with the newest schema; create it if it does not exist.

        ``url`` overrides the setting. Raises ``DatabaseDamagedError`` for a damaged file, and for
        an empty or missing one in a used workspace.
        """
        workspace.make()
        database = cls(url or workspace.database_url)
        try:
            if database.path is not None:
                require_whole_file(database.path)
            if database.schema_version() != HEAD:
                with database._alone(workspace.migrating_lock_path):
                    database.prepare(workspace.backups_dir)
        except BaseException:
            database.close()
            raise
        return database

    @property
    def place(self) -> str:
        """Return the database's location for display, without user and password."""
        if self.is_sqlite:
            return "SQLite"
        from pipelines.store.database.postgresql import place_of

        return f"PostgreSQL: {place_of(self.engine.url)}"

    @property
    def path(self) -> Path | None:
        """Return the file of an SQLite database; None for others."""
        return None if self._files is None else self._files.path

    def damage(self) -> DatabaseDamagedError | None:
        """Check the whole database after an unexplained error; return None if it is intact."""
        if self.path is None:
            return None
        try:
            with self.reading() as connection:
                connection.exec_driver_sql("SELECT 1")
                source = connection.connection.driver_connection
                assert isinstance(source, sqlite3.Connection)
                why = damage_of(source)
        except DatabaseDamagedError as error:
            return error
        except (DatabaseError, OSError, OperationalError):
            return None
        return None if why is None else damaged(self.path, why)

    @property
    def is_sqlite(self) -> bool:
        """Return True if the database is a local file."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def _alone(self, lock: Path) -> Iterator[None]:
        """Hold the lock that other processes need to prepare it."""
        if self.is_sqlite:
            with locked(lock):
                yield
            return
        from pipelines.store.database.postgresql import migrating

        with migrating(self.engine):
            yield

    def prepare(self, backups: Path | None = None) -> None:
        """Migrate the schema to the newest version under the lock.

        ``backups`` is the folder for the backup before an upgrade.
        """
        if self.is_empty():
            self.make()
        elif (version := self.schema_version()) != HEAD:
            if self.path is not None:
                if version is None:
                    raise damaged(self.path, places.TABLES_FOREIGN)
                if backups is not None:
                    from pipelines.store.database.backups import back_up

                    back_up(self.reading, self.path, backups, waits=True)
            self.migrate()

    def is_empty(self) -> bool:
        """Return True if it contains no tables."""
        return not inspect(self.engine).get_table_names()

    def schema_version(self) -> str | None:
        """Return the migration of the database; None for an empty one."""
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()

    def make(self) -> None:
        """Create the newest schema in an empty database, faster than by all migrations."""
        with self.transaction() as connection:
            metadata.create_all(connection)
            _alembic_version.create(connection)
            connection.execute(_alembic_version.insert().values(version_num=HEAD))

    def migrate(self) -> None:
        """Migrate the schema to the newest version, from any earlier one."""
        from alembic import command
        from alembic.config import Config

        from pipelines.store.database import before_1_0

        version = self.schema_version()
        if version is not None and before_1_0.is_older(version):
            with self.transaction() as connection:
                before_1_0.upgrade(connection, version)
        configuration = Config()
        configuration.set_main_option("script_location", str(Path(__file__).parent))
        configuration.attributes["engine"] = self.engine
        command.upgrade(configuration, "head")

    @contextmanager
    def transaction(self, *, lasting: bool = True) -> Iterator[Connection]:
        """Yield a connection whose writes are committed, or rolled back on an exception.

        Committed writes survive a power failure. Those that need not be ``lasting`` do so with the
        next lasting commit; until then the last ones may be lost.
        """
        writer = self._writer if lasting else self._hasty_writer
        with self.using(), writer.begin() as connection:
            yield connection
        self.look()  # only now does it count as written

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection for queries."""
        with self.using(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def using(self) -> Iterator[None]:
        """Prevent the replacement of connections that are used inside."""
        self.look()
        with self._gate.shared():
            if self.path is None:
                yield
                return
            with undecodable_explained(self.path):
                yield

    def look(self) -> None:
        """Rescue open data if files of the database were removed; cheap otherwise.

        Raises ``WorkspaceGoneError`` if the whole folder was removed.
        """
        if self._files is None or self._gate.is_inside or not self._files.are_gone:
            return
        # Other threads finish and wait; the first one inside has rescued for all.
        with self._gate.alone():
            if self._files.are_gone and time.monotonic() >= self._retry_at:
                self._rescue(self._files)

    def _rescue(self, files: DatabaseFiles) -> None:
        from pipelines.store.database.rescue import rescue

        # Deleting a folder removes its files one by one, and the database's may be first.
        time.sleep(RESCUE_DELAY_SECONDS)
        files.require_folder()
        try:
            rescue(files)
        except (OSError, sqlite3.Error, subprocess.SubprocessError):
            self._retry_at = time.monotonic() + RETRY_DELAY_SECONDS
            files.require_folder()
            logger.exception("Unsaved contents of %s could not be saved yet", files.path)
            return
        # Connections to the removed files would write where no one ever reads.
        self.generation += 1
        self.engine.dispose()

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        self.engine.dispose()
        if self._files is not None and not self._is_closed:
            database_files.let_go(self._files.path)
        self._is_closed = True


OperationalFailure = OperationalError
"""Errors of a write for which the machine, not the statement, is at fault."""
UNSTORABLE = (DataError, InterfaceError, ProgrammingError, OverflowError, UnicodeError)
"""Errors of a write for a value that the database or driver does not accept."""


def is_disk_full(error: OperationalFailure) -> bool:
    """Return True if a write failed because the disk is full."""
    return FULL in str(error) or getattr(error.orig, "sqlstate", None) == "53100"


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # its message may contain the address with a password
        raise DatabaseError(places.DATABASE_UNKNOWN) from None
    if parsed.get_backend_name() == "postgresql":
        from pipelines.store.database.postgresql import open_engine

        return open_engine(parsed)
    if parsed.get_backend_name() != "sqlite":
        raise DatabaseError(places.DATABASE_UNKNOWN)
    reader = json_reader(Path(parsed.database)) if parsed.database else None
    engine = create_engine(
        parsed, connect_args={"timeout": BUSY_TIMEOUT_SECONDS}, json_deserializer=reader
    )
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _file_of(engine: Engine) -> Path | None:
    """Return the file of an SQLite database; None for one in memory and for other databases."""
    name = engine.url.database
    is_file = engine.dialect.name == "sqlite" and name not in (None, "", ":memory:")
    return Path(str(name)).resolve() if is_file else None


def _configure_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are started below, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Connection) -> None:
    # A read transaction that becomes a write transaction fails at once if another process has
    # written meanwhile; acquiring the write lock first waits instead.
    options = connection.get_execution_options()
    if not options.get("writing", False):
        connection.exec_driver_sql("BEGIN")
        return
    # FULL syncs the log with each commit, NORMAL only when it is merged into the database.
    safety = "NORMAL" if options.get("hasty", False) else "FULL"
    connection.exec_driver_sql(f"PRAGMA synchronous={safety}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
