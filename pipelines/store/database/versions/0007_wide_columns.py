"""Long texts and large numbers on PostgreSQL as on SQLite; leader election."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

TEXT = sa.Text(collation="C")


def upgrade() -> None:
    """Add the table of leaders, and widen every column with a limit."""
    on_postgresql = op.get_bind().dialect.name == "postgresql"
    if on_postgresql:
        _widen()
    op.create_table(
        "leaders",
        sa.Column("office", TEXT if on_postgresql else sa.String(length=20), nullable=False),
        sa.Column("epoch", sa.BigInteger() if on_postgresql else sa.Integer(), nullable=False),
        sa.Column("holder", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("office"),
    )


def _widen() -> None:
    """Widen the columns of the tables that existed by then."""
    looked = sa.inspect(op.get_bind())
    for table in sorted(set(looked.get_table_names()) - {"alembic_version"}):
        for column in looked.get_columns(table):
            wide = _wide(column["type"])
            if wide is not None:
                op.alter_column(table, column["name"], type_=wide)


def _wide(narrow: sa.types.TypeEngine[Any]) -> sa.types.TypeEngine[Any] | None:
    if isinstance(narrow, sa.Integer) and not isinstance(narrow, sa.BigInteger):
        return sa.BigInteger()
    is_limited = isinstance(narrow, sa.String) and narrow.length is not None
    return TEXT if is_limited else None
