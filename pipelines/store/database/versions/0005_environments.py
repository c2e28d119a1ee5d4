"""Environments: named versions, each with its lock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add their table."""
    op.create_table(
        "environments",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("removed", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("name", "version"),
    )
    op.create_index(op.f("ix_environments_key"), "environments", ["key"])
