"""Upgrade of databases made before version 1.0 to its schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy.types import TypeEngine

FIRST, VERSION_1_0 = "0001", "0011"
EMPTY: Mapping[str, Any] = {"nullable": False, "server_default": ""}


def is_older(version: str) -> bool:
    """Return True for the schema of a version before 1.0."""
    return FIRST <= version < VERSION_1_0


def upgrade(connection: sa.Connection, version: str, *, until: str = VERSION_1_0) -> None:
    """Upgrade a schema in one transaction.

    Args:
        connection: Connection with a transaction.
        version: Version of the schema.
        until: Version that it has afterwards.
    """
    operations = Operations(MigrationContext.configure(connection))
    for number, step in STEPS.items():
        if version < number <= until:
            step(operations)
    connection.execute(sa.text("UPDATE alembic_version SET version_num = :until"), {"until": until})


def _add_authors_of_revisions(op: Operations) -> None:
    """Add the client (browser tab), its commit number and the number of nodes."""
    op.add_column("pipeline_revisions", sa.Column("client", sa.String(64)))
    op.add_column("pipeline_revisions", sa.Column("seq", sa.Integer()))
    count = sa.Column("num_nodes", sa.Integer(), nullable=False, server_default="0")
    op.add_column("pipeline_revisions", count)


def _add_history(op: Operations) -> None:
    """Add notes and tags of runs, and descriptions of model versions."""
    op.add_column("runs", sa.Column("note", sa.Text(), **EMPTY))
    op.add_column("runs", sa.Column("pipeline_id", sa.String(64)))
    op.create_index("ix_runs_pipeline_id", "runs", ["pipeline_id"])
    op.create_table(
        "run_tags",
        sa.Column(
            "run_id", sa.String(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("tag", sa.String(60), primary_key=True),
    )
    op.create_index("ix_run_tags_tag", "run_tags", ["tag"])
    op.add_column("artifacts", sa.Column("remembered", sa.JSON()))
    op.add_column("model_versions", sa.Column("description", sa.Text(), **EMPTY))
    op.add_column("model_versions", sa.Column("content", sa.String(64), **EMPTY))
    _copy_pipeline_ids(op.get_bind())


def _copy_pipeline_ids(connection: sa.Connection) -> None:
    runs = sa.table(
        "runs", sa.column("id"), sa.column("options", sa.JSON()), sa.column("pipeline_id")
    )
    for run_id, options in connection.execute(sa.select(runs.c.id, runs.c.options)).all():
        if pipeline_id := options.get("pipeline_id"):
            row = sa.update(runs).where(runs.c.id == run_id)
            connection.execute(row.values(pipeline_id=pipeline_id))


def _add_results(op: Operations) -> None:
    """Add results of runs, computed when they are listed, and the main metric of pipelines."""
    op.add_column("runs", sa.Column("results", sa.JSON()))
    op.add_column("pipelines", sa.Column("headline", sa.JSON()))


def _add_environments(op: Operations) -> None:
    op.create_table(
        "environments",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("removed", sa.Float()),
    )
    op.create_index("ix_environments_key", "environments", ["key"])


def _add_phases(op: Operations) -> None:
    """Add start and end of each phase of a step; earlier steps have none."""
    op.add_column("steps", sa.Column("phases", sa.JSON()))


def _add_leaders(op: Operations) -> None:
    """Add the table of leaders; on PostgreSQL, remove all limits of columns as on SQLite."""
    if _is_postgresql(op):
        _widen(op)
    op.create_table(
        "leaders",
        sa.Column("office", _text(op, 20), primary_key=True),
        sa.Column("epoch", sa.BigInteger() if _is_postgresql(op) else sa.Integer(), nullable=False),
        sa.Column("holder", sa.JSON(), nullable=False),
    )


def _widen(op: Operations) -> None:
    inspector = sa.inspect(op.get_bind())
    for table in sorted(set(inspector.get_table_names()) - {"alembic_version"}):
        for column in inspector.get_columns(table):
            wide = _wide(column["type"])
            if wide is not None:
                op.alter_column(table, column["name"], type_=wide)


def _wide(narrow: TypeEngine[Any]) -> TypeEngine[Any] | None:
    if isinstance(narrow, sa.Integer) and not isinstance(narrow, sa.BigInteger):
        return sa.BigInteger()
    is_limited = isinstance(narrow, sa.String) and narrow.length is not None
    return sa.Text(collation="C") if is_limited else None


def _add_object_store(op: Operations) -> None:
    """Add hashes of outputs in an object store, and single facts of the workspace."""
    op.add_column("artifacts", sa.Column("content", _text(op, 64)))
    op.create_table(
        "facts",
        sa.Column("name", _text(op, 64), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
    )


def _add_names_of_revisions(op: Operations) -> None:
    op.add_column("pipeline_revisions", sa.Column("name", _text(op, 100)))


def _add_index_of_events(op: Operations) -> None:
    """Add an index of a run's events except the points of its curves."""
    others = sa.text("kind <> 'MetricLogged'")
    columns = ["run_id", "kind", "id"]
    op.create_index(
        "events_but_points", "events", columns, sqlite_where=others, postgresql_where=others
    )


def _add_last_version(op: Operations) -> None:
    """Add the highest number of a model's deleted versions, so that none is reused."""
    whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("models", sa.Column("last_version", whole, nullable=False, server_default="0"))


def _is_postgresql(op: Operations) -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _text(op: Operations, usual_length: int) -> TypeEngine[str]:
    return sa.Text(collation="C") if _is_postgresql(op) else sa.String(usual_length)


STEPS: Mapping[str, Callable[[Operations], None]] = {
    "0002": _add_authors_of_revisions,
    "0003": _add_history,
    "0004": _add_results,
    "0005": _add_environments,
    "0006": _add_phases,
    "0007": _add_leaders,
    "0008": _add_object_store,
    "0009": _add_names_of_revisions,
    "0010": _add_index_of_events,
    VERSION_1_0: _add_last_version,
}
"""Steps by the version to which each upgrades, in order."""
