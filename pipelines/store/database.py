"""Opening the database: SQLite in WAL mode by default, else PostgreSQL; migrated on the way."""

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
from modules.operating_system import locks
from pipelines.errors import DatabaseDamagedError, DatabaseError
from pipelines.sentences import places
from pipelines.store.damage import (
    FULL,
    damage_of,
    damaged,
    explained,
    json_reader,
    require_whole_file,
    undecodable_explained,
)
from pipelines.store.database_files import DatabaseFiles
from pipelines.store.shared_lock import Gate
from pipelines.store.tables import metadata
from pipelines.workspace import Workspace

logger = logging.getLogger(__name__)

HEAD = "0011"
"""The newest migration; a test holds it equal to what Alembic finds in ``versions/``."""

BUSY_TIMEOUT_SECONDS = 30
SETTLE_SECONDS = 0.3
"""Where a whole workspace is being removed, nothing of it is put back in between."""
RETRY_SECONDS = 1.0
"""Between two attempts to save what is open."""

_alembic_version = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True)
)
"""Where Alembic looks for the migration that a database is at."""


class Database:
    """Connections to one workspace's database; safe to use from several processes at once."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.generation = 0
        """Grows when all connections had to be given up for new ones."""
        self._is_closed = False
        self._gate = Gate()
        self._retry_at = 0.0
        path = _file_of(self.engine)
        self._files = None if path is None else DatabaseFiles(path)
        if self._files is not None:
            database_files.hold(self._files.path)
            self._files.listen(self.engine)
            event.listen(self.engine, "handle_error", explained(self._files.path))
        # What is read together is of one moment, as in SQLite.
        snapshots: dict[str, Any] = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._reader = self.engine.execution_options(**snapshots)
        self._writer = self.engine.execution_options(writing=True)
        self._hasty_writer = self.engine.execution_options(writing=True, hasty=True)

    @classmethod
    def open(cls, workspace: Workspace, url: str | None = None) -> Database:
        """The workspace's database at the newest schema, made when it is not there.

        ``url`` names another one than it has. Raises ``DatabaseDamagedError`` for a file that is
        damaged, and for one that is empty or missing though the workspace was used before.
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
        """Which one it is, for people: neither its user nor a password."""
        if self.is_sqlite:
            return "SQLite"
        from pipelines.store.postgresql import place_of

        return f"PostgreSQL: {place_of(self.engine.url)}"

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database; None for any other."""
        return None if self._files is None else self._files.path

    def damage(self) -> DatabaseDamagedError | None:
        """Check the whole database: for errors that nothing else explains; None if it is whole."""
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
        """True where the database is a file of this machine."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def _alone(self, lock: Path) -> Iterator[None]:
        """No other process prepares it meanwhile."""
        if self.is_sqlite:
            with _exclusive(lock):
                yield
            return
        from pipelines.store.postgresql import migrating

        with migrating(self.engine):
            yield

    def prepare(self, backups: Path | None = None) -> None:
        """Bring the schema to what it is now; while nobody else does.

        ``backups`` is the folder for the backup that is made before an upgrade.
        """
        if self.is_empty():
            self.make()
        elif (version := self.schema_version()) != HEAD:
            if self.path is not None:
                if version is None:
                    raise damaged(self.path, places.TABLES_FOREIGN)
                if backups is not None:
                    from pipelines.store.backups import back_up

                    back_up(self.reading, self.path, backups, waits=True)
            self.migrate()

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
    def transaction(self, *, lasting: bool = True) -> Iterator[Connection]:
        """A connection whose writes are all kept or, on an exception, all undone.

        When it is over they survive a power cut too, unless they need not be ``lasting``: then
        they do so with the next ones that are, or may be missing, the last ones first.
        """
        writer = self._writer if lasting else self._hasty_writer
        with self.using(), writer.begin() as connection:
            yield connection
        self.look()  # only now may it be called written

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for queries."""
        with self.using(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def using(self) -> Iterator[None]:
        """Connections that are made or used inside are not given up meanwhile."""
        self.look()
        with self._gate.shared():
            if self.path is None:
                yield
                return
            with undecodable_explained(self.path):
                yield

    def look(self) -> None:
        """Save what is open where files of the database were removed; cheap where they were not.

        Raises ``WorkspaceGoneError`` where the whole folder was.
        """
        if self._files is None or self._gate.is_inside or not self._files.are_gone:
            return
        # Other threads finish what they do and wait; the first one inside has rescued for all.
        with self._gate.alone():
            if self._files.are_gone and time.monotonic() >= self._retry_at:
                self._rescue(self._files)

    def _rescue(self, files: DatabaseFiles) -> None:
        from pipelines.store.rescue import rescue

        # Who deletes a folder removes its files one after another: the database's come first.
        time.sleep(SETTLE_SECONDS)
        files.require_folder()
        try:
            rescue(files)
        except (OSError, sqlite3.Error, subprocess.SubprocessError):
            self._retry_at = time.monotonic() + RETRY_SECONDS
            files.require_folder()
            logger.exception("Unsaved contents of %s could not be saved yet", files.path)
            return
        # Connections to the removed files would go on writing where nobody ever reads.
        self.generation += 1
        self.engine.dispose()

    def close(self) -> None:
        """Let go of it; whoever uses it again opens it again."""
        self.engine.dispose()
        if self._files is not None and not self._is_closed:
            database_files.let_go(self._files.path)
        self._is_closed = True


OperationalFailure = OperationalError
"""What a write raises when the machine, not the statement, is at fault."""
UNSTORABLE = (DataError, InterfaceError, ProgrammingError, OverflowError, UnicodeError)
"""What a write raises of a value that the database does not take, before it or in it."""


def is_disk_full(error: OperationalFailure) -> bool:
    """True when a write to the database failed for want of space."""
    return FULL in str(error) or getattr(error.orig, "sqlstate", None) == "53100"


def _engine(url: str) -> Engine:
    try:
        known = make_url(url)
    except (ArgumentError, ValueError):  # its words may hold the address, and that a password
        raise DatabaseError(places.DATABASE_UNKNOWN) from None
    if known.get_backend_name() == "postgresql":
        from pipelines.store.postgresql import open_engine

        return open_engine(known)
    if known.get_backend_name() != "sqlite":
        raise DatabaseError(places.DATABASE_UNKNOWN)
    reader = json_reader(Path(known.database)) if known.database else None
    engine = create_engine(
        known, connect_args={"timeout": BUSY_TIMEOUT_SECONDS}, json_deserializer=reader
    )
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _file_of(engine: Engine) -> Path | None:
    """The file of an SQLite database; None for one in memory and for other databases."""
    name = engine.url.database
    is_file = engine.dialect.name == "sqlite" and name not in (None, "", ":memory:")
    return Path(str(name)).resolve() if is_file else None


def _configure_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions are begun below, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Connection) -> None:
    # A read transaction that turns into a write one fails at once when another process has
    # written in between; taking the write lock first waits for it instead.
    options = connection.get_execution_options()
    if not options.get("writing", False):
        connection.exec_driver_sql("BEGIN")
        return
    # FULL: the log is synced with each commit. NORMAL: only when it is taken into the database.
    safety = "NORMAL" if options.get("hasty", False) else "FULL"
    connection.exec_driver_sql(f"PRAGMA synchronous={safety}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        locks.lock(file)
        yield
