"""Outputs in an object store, and single facts of the workspace."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column and table; earlier outputs are only in the workspace's folder."""
    on_postgresql = op.get_bind().dialect.name == "postgresql"
    text = sa.Text(collation="C") if on_postgresql else sa.String(length=64)
    op.add_column("artifacts", sa.Column("content", text, nullable=True))
    op.create_table(
        "facts",
        sa.Column("name", text, nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
