"""Move of a workspace's rows from SQLite to PostgreSQL; the result is used only when complete.

The file is only read, and locked against writers. Rows that exist are not sent twice, so a new move
continues an interrupted one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, func, select, text, tuple_
from sqlalchemy.dialects.postgresql import insert

from pipelines.errors import RefusedError
from pipelines.sentences import places
from pipelines.store.database.connections import Database
from pipelines.store.database.json_texts import dump_json
from pipelines.store.database.tables import experiments, leaders, metadata, models, pipelines, runs

PORTION = 500
MOVED = [table for table in metadata.sorted_tables if table is not leaders]
NAMED = (experiments, models, pipelines, runs)
"""Facts that distinguish one workspace from another."""
Row = Mapping[str, Any]


@dataclass(frozen=True)
class MovedTable:
    """Numbers of rows of a table in the file, and in the database before the move."""

    name: str
    num_rows: int
    num_there: int


def survey(source: Database, target: Database) -> list[MovedTable]:
    """Return what will be moved. Raises ``RefusedError`` if the database is another workspace's."""
    with source.reading() as file, target.reading() as server:
        _require_same_workspace(file, server)
        return [MovedTable(t.name, _count(file, t), _count(server, t)) for t in MOVED]


def move(source: Database, target: Database, tell: Callable[[str], None]) -> list[MovedTable]:
    """Move every row and compare it; ``tell`` receives the finished tables.

    Raises ``RefusedError`` if the database is another workspace's, or if an existing row differs
    from the file's.
    """
    with source.transaction() as file:  # SQLite's write lock until the end
        tables = survey(source, target)
        for table in MOVED:
            for portion in _portions(file, table):
                _send(target, table, portion)
            tell(table.name)
    with target.transaction() as server:
        _count_on(server)
    return tables


def _portions(file: Connection, table: Table) -> Iterator[Sequence[Row]]:
    query = select(table).order_by(*table.primary_key)
    for portion in file.execute(query).mappings().partitions(PORTION):
        yield [dict(row) for row in portion]


def _send(target: Database, table: Table, rows: Sequence[Row]) -> None:
    """Insert missing rows, and read all of them back."""
    key = list(table.primary_key)
    names = [column.name for column in key]
    sent = {tuple(row[name] for name in names): dict(row) for row in rows}
    with target.transaction() as server:
        server.execute(insert(table).on_conflict_do_nothing(), list(sent.values()))
        result = server.execute(select(table).where(tuple_(*key).in_(list(sent)))).mappings()
        stored = {tuple(row[name] for name in names): dict(row) for row in result}
    if _plain(stored) != _plain(sent):
        raise RefusedError(places.MOVED_ROW_DIFFERS, table=table.name)


def _plain(rows: Mapping[tuple[Any, ...], Row]) -> dict[str, str]:
    """Return a row as PostgreSQL stores it, with marks for unsupported characters."""
    return {dump_json(list(key)): dump_json(dict(row)) for key, row in rows.items()}


def _require_same_workspace(file: Connection, server: Connection) -> None:
    for table in NAMED:
        columns = [table.c.id, table.c.name] if table in (experiments, models) else [table.c.id]
        of_file = {tuple(row) for row in file.execute(select(*columns))}
        foreign = [row for row in server.execute(select(*columns)) if tuple(row) not in of_file]
        if foreign:
            raise RefusedError(places.MOVED_ELSEWHERE, table=table.name, count=len(foreign))


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _count_on(server: Connection) -> None:
    """Set the sequences so that new rows get higher numbers than the moved ones."""
    for table in ("experiments", "models", "events"):
        newest = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
        counter = f"pg_get_serial_sequence('{table}', 'id')"
        server.execute(text(f"SELECT setval({counter}, {newest}, false)"))
