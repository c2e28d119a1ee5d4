"""Merge of the rows of one copy of a database into another that has changed since.

Missing rows are added. If both have a row that users can change, the copy's is used, since it was
about to be lost. The state of runs follows from their events.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

from sqlalchemy import select

from modules.operating_system import locks
from modules.operating_system.files import name_first
from pipelines.events import Event, fold
from pipelines.store.database.connections import BUSY_TIMEOUT_SECONDS, Database
from pipelines.store.database.rescue import HOLDING, SHARED_BYTES, SHARED_START
from pipelines.store.database.runs import write_state
from pipelines.store.database.tables import events, metadata

NAMED = ("experiments", "models")
"""Tables whose numbers differ between the copies: rows are matched by name."""
ADDED = ("run_tags", "steps", "metrics", "artifacts", "environments", "facts")
CHANGED = ("pipelines", "targets")
EVENT = "run_id, time, kind, node, data"


def merge(path: Path, copy: Path) -> None:
    """Merge into the database at ``path`` what it lacks of the copy, all of it or nothing."""
    database = Database(f"sqlite:///{path}")
    try:
        database.prepare()  # the copy may be all there was
        touched = _merged(path, copy)
        for run_id in touched:
            _update_run(database, run_id)
    finally:
        database.close()


def _merged(path: Path, copy: Path) -> list[str]:
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("ATTACH ? AS copy", (str(copy),))
        connection.execute("BEGIN IMMEDIATE")
        touched = _merge(connection)
        connection.execute("COMMIT")
    finally:
        connection.close()
    return touched


def _merge(connection: sqlite3.Connection) -> list[str]:
    """Return the runs that received events."""
    for table in NAMED:
        connection.execute(_insert(table, f"name NOT IN (SELECT name FROM main.{table})", "id"))
    for table in CHANGED:
        connection.execute(f"{_insert(table)} {_taking(table)}")
    _merge_runs(connection)
    for table in ADDED:
        connection.execute(f"{_insert(table)} ON CONFLICT DO NOTHING")
    missing = f"SELECT {EVENT} FROM copy.events EXCEPT SELECT {EVENT} FROM main.events"
    touched = [row[0] for row in connection.execute(f"SELECT DISTINCT run_id FROM ({missing})")]
    connection.execute(f"INSERT INTO main.events ({EVENT}) {missing} ORDER BY time")
    _merge_revisions(connection)
    _merge_models(connection)
    return touched


def _merge_runs(connection: sqlite3.Connection) -> None:
    """Match runs by id and experiments by name; a run's name and note are the user's."""
    mine = """(SELECT here.id FROM main.experiments here JOIN copy.experiments there USING (name)
               WHERE there.id = theirs.experiment_id)"""
    columns = _columns("runs")
    values = ", ".join(mine if column == '"experiment_id"' else column for column in columns)
    connection.execute(
        f"""INSERT INTO main.runs ({", ".join(columns)}) SELECT {values} FROM copy.runs theirs
            WHERE true ON CONFLICT (id) DO UPDATE SET name = excluded.name, note = excluded.note"""
    )


def _merge_revisions(connection: sqlite3.Connection) -> None:
    """If both assigned a number to different documents, the copy's becomes the newest revision."""
    table = "pipeline_revisions"
    columns = _columns(table)
    next_number = f"""(SELECT max(revision) + 1 FROM main.{table} all_of
                       WHERE all_of.pipeline_id = theirs.pipeline_id)"""
    both = f"""SELECT theirs.pipeline_id, theirs.revision FROM copy.{table} theirs
               JOIN main.{table} mine USING (pipeline_id, revision)
               WHERE mine.document <> theirs.document ORDER BY revision"""
    collided = connection.execute(both).fetchall()
    connection.execute(
        f"""{_insert(table)} ON CONFLICT (pipeline_id, revision) DO UPDATE
            SET name = coalesce(excluded.name, name) WHERE document = excluded.document"""
    )
    values = ", ".join(next_number if column == '"revision"' else column for column in columns)
    connection.executemany(
        f"""INSERT INTO main.{table} ({", ".join(columns)}) SELECT {values}
            FROM copy.{table} theirs WHERE pipeline_id = ? AND revision = ?""",
        collided,
    )


def _merge_models(connection: sqlite3.Connection) -> None:
    mine = """(SELECT here.id FROM main.models here JOIN copy.models there USING (name)
               WHERE there.id = theirs.model_id)"""
    for table, conflict in (
        ("model_versions", "ON CONFLICT DO NOTHING"),
        (
            "model_aliases",
            "ON CONFLICT (model_id, alias) DO UPDATE SET version = excluded.version, "
            "rule = excluded.rule",
        ),
        ("alias_moves", "ON CONFLICT DO NOTHING"),
    ):
        columns = _columns(table)
        values = ", ".join(mine if column == '"model_id"' else column for column in columns)
        connection.execute(
            f"""INSERT INTO main.{table} ({", ".join(columns)}) SELECT {values}
                FROM copy.{table} theirs WHERE true {conflict}"""
        )
    connection.execute(
        """UPDATE main.models AS here SET last_version = max(here.last_version, there.last_version)
           FROM copy.models there WHERE there.name = here.name"""
    )


def _insert(table: str, condition: str = "true", without: str | None = None) -> str:
    columns = ", ".join(column for column in _columns(table) if column != f'"{without}"')
    return (
        f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM copy.{table} WHERE {condition}"
    )


def _taking(table: str) -> str:
    key = ", ".join(f'"{column.name}"' for column in metadata.tables[table].primary_key)
    changes = ", ".join(f"{column} = excluded.{column}" for column in _columns(table))
    return f"ON CONFLICT ({key}) DO UPDATE SET {changes}"


def _columns(table: str) -> list[str]:
    return [f'"{column.name}"' for column in metadata.tables[table].columns]


def _update_run(database: Database, run_id: str) -> None:
    """Set a run to the state of all its events in the order of time."""
    query = select(events).where(events.c.run_id == run_id)
    with database.transaction() as connection:
        rows = connection.execute(query.order_by(events.c.time, events.c.id)).mappings()
        run_events = [Event(row["kind"], row["node"], row["data"], row["time"]) for row in rows]
        write_state(connection, run_id, fold(run_events))


def main() -> None:
    """Run the merge process.

    ``python -m pipelines.store.database.merging DATABASE COPY DESCRIPTOR``
    """
    database, copy, descriptor = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    locks.share_bytes(descriptor, SHARED_BYTES, SHARED_START)
    print(HOLDING, flush=True)
    sys.stdin.read()  # until the connections there are closed
    with suppress(OSError):  # if none was passed on
        os.close(descriptor)
    if not database.exists():
        put_back(database, copy)
    merge(database, copy)
    print("All contents are in the database again.")


def put_back(database: Path, copy: Path) -> None:
    """Restore the name of a removed database unless a new one was created meanwhile."""
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    new_path = copy.with_suffix(".new")
    shutil.copyfile(copy, new_path)
    try:
        name_first(new_path, database)
    finally:
        new_path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
