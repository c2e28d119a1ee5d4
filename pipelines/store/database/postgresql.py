"""PostgreSQL as the database of a workspace: connections and errors.

Imported only for workspaces that use it. Both sides detect a cut connection within seconds:
otherwise the server would keep the locks of a lost machine for hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, text

from pipelines.errors import DatabaseAwayError, DatabaseError, DatabaseLockedError
from pipelines.sentences import places
from pipelines.store.database.json_texts import dump_json, load_json, storable
from pipelines.store.database.locking import LOCK_CLASS
from pipelines.store.database.tables import BUT_POINTS, EVENTS_BUT_POINTS

CHANNEL = "designer"
"""Channel that writers notify and ``ChangeWatch`` listens to."""
MIGRATION_LOCK = 1
LIMITS = {
    "connect_timeout": "5",
    "keepalives_idle": "3",
    "keepalives_interval": "1",
    "keepalives_count": "3",
    "tcp_user_timeout": "4500",
    "application_name": "designer",
}
"""Timeouts in seconds, in milliseconds for TCP; the address overrides them."""
SERVER_LIMITS = (
    "-c tcp_keepalives_idle=3 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3 "
    "-c tcp_user_timeout=5000 -c lock_timeout=30s"
)
NO_PRIVILEGE = "42501"
LOCKED = "55P03"
EVENTS_BUT_POINTS.dialect_kwargs["postgresql_where"] = BUT_POINTS


def open_engine(url: URL) -> Engine:
    """Return the engine. Raises ``DatabaseError`` if psycopg is not installed."""
    query = {**LIMITS, **url.query}
    query["options"] = f"{SERVER_LIMITS} {query.get('options', '')}".strip()
    url = url.set(drivername="postgresql+psycopg", query=query)
    try:
        engine = create_engine(
            url, pool_pre_ping=True, json_serializer=dump_json, json_deserializer=load_json
        )
    except ModuleNotFoundError as error:
        if error.name not in ("psycopg", "psycopg_c", "psycopg_binary"):
            raise
        raise DatabaseError(places.DATABASE_DRIVER_MISSING) from None
    event.listen(engine, "connect", _take_any_text)
    event.listen(engine, "begin", _begin)
    event.listen(engine, "handle_error", _explained(place_of(url)))
    return engine


def place_of(url: URL) -> str:
    """Return the database's location for display, without user and password."""
    host = f"[{url.host}]" if url.host and ":" in url.host else url.host
    port = f":{url.port}" if url.port else ""
    return f"{url.database} at {host}{port}" if host else f"{url.database} on this machine"


@contextmanager
def migrating(engine: Engine) -> Iterator[None]:
    """Hold the migration lock among all processes on all machines."""
    lock = {"group": LOCK_CLASS, "key": MIGRATION_LOCK}
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("SET lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_lock(:group, :key)"), lock)
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:group, :key)"), lock)
            connection.execute(text("RESET lock_timeout"))


def _begin(connection: Connection) -> None:
    """Start a transaction: writers notify on commit; those that need not last do not wait."""
    options = connection.get_execution_options()
    if not options.get("writing", False):
        return
    hasty = ", set_config('synchronous_commit', 'off', true)" if options.get("hasty") else ""
    connection.exec_driver_sql(f"SELECT pg_notify('{CHANNEL}', ''){hasty}")


def _take_any_text(connection: Any, _record: object) -> None:
    """Store texts with characters that PostgreSQL rejects (NUL, lone surrogates) with marks."""
    from psycopg.types.string import StrDumperUnknown

    class AnyText(StrDumperUnknown):
        def dump(self, obj: str) -> Any:
            return super().dump(storable(obj))

    connection.adapters.register_dumper(str, AnyText)


def _explained(address: str) -> Callable[[ExceptionContext], Exception | None]:
    """Explain errors of a database that does not respond or rejects the credentials."""

    def explain(context: ExceptionContext) -> Exception | None:
        error = context.original_exception
        if context.is_pre_ping or not type(error).__module__.startswith("psycopg"):
            return None  # after a failed ping it reconnects
        why = f"{error}\n".splitlines()[0].strip().rstrip(".") or type(error).__name__
        if context.is_disconnect or context.connection is None:
            return DatabaseAwayError(address, why)
        if getattr(error, "sqlstate", None) == LOCKED:
            return DatabaseLockedError(address)
        if getattr(error, "sqlstate", None) == NO_PRIVILEGE:
            return DatabaseError(places.DATABASE_REFUSES, place=address, why=why)
        return None

    return explain
