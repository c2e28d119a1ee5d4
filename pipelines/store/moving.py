"""Taking all rows of a workspace from its SQLite file to PostgreSQL: whole, or not at all used.

The file is only read, and nobody may write to it meanwhile. What is there already is not sent
twice, so a move that was cut short is taken up by the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, func, select, text, tuple_
from sqlalchemy.dialects.postgresql import insert

from pipelines.errors import RefusedError
from pipelines.sentences import places
from pipelines.store.database import Database
from pipelines.store.json_texts import dump_json
from pipelines.store.tables import experiments, leaders, metadata, models, pipelines, runs

PORTION = 500
MOVED = [table for table in metadata.sorted_tables if table is not leaders]
NAMED = (experiments, models, pipelines, runs)
"""What is in these tells one workspace from another."""
Row = Mapping[str, Any]


@dataclass(frozen=True)
class MovedTable:
    """How many rows there are in the file, and how many of them were in the database before."""

    name: str
    num_rows: int
    num_there: int


def survey(source: Database, target: Database) -> list[MovedTable]:
    """What is to be moved; raises ``RefusedError`` where the database is another workspace's."""
    with source.reading() as file, target.reading() as server:
        _require_same_workspace(file, server)
        return [MovedTable(t.name, _count(file, t), _count(server, t)) for t in MOVED]


def move(source: Database, target: Database, tell: Callable[[str], None]) -> list[MovedTable]:
    """Move every row and compare it; ``tell`` hears which table is done.

    Raises ``RefusedError`` where the database is another workspace's, or where a row there is not
    what it is in the file.
    """
    with source.transaction() as file:  # SQLite's only writer: nobody else is until the end
        found = survey(source, target)
        for table in MOVED:
            for portion in _portions(file, table):
                _send(target, table, portion)
            tell(table.name)
    with target.transaction() as server:
        _count_on(server)
    return found


def _portions(file: Connection, table: Table) -> Iterator[Sequence[Row]]:
    query = select(table).order_by(*table.primary_key)
    for portion in file.execute(query).mappings().partitions(PORTION):
        yield [dict(row) for row in portion]


def _send(target: Database, table: Table, rows: Sequence[Row]) -> None:
    """Enter rows that are not there, and read all of them back."""
    key = list(table.primary_key)
    names = [each.name for each in key]
    wanted = {tuple(row[name] for name in names): dict(row) for row in rows}
    with target.transaction() as server:
        server.execute(insert(table).on_conflict_do_nothing(), list(wanted.values()))
        kept = server.execute(select(table).where(tuple_(*key).in_(list(wanted)))).mappings()
        there = {tuple(row[name] for name in names): dict(row) for row in kept}
    if _plain(there) != _plain(wanted):
        raise RefusedError(places.MOVED_ROW_DIFFERS, table=table.name)


def _plain(rows: Mapping[tuple[Any, ...], Row]) -> dict[str, str]:
    """As PostgreSQL keeps it: with marks for characters that it has none for."""
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
    """What is new gets numbers above those that were moved."""
    for table in ("experiments", "models", "events"):
        newest = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
        counter = f"pg_get_serial_sequence('{table}', 'id')"
        server.execute(text(f"SELECT setval({counter}, {newest}, false)"))
